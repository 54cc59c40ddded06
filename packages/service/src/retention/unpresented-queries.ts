// SQL of the retention of house consignments that were never presented.
import type { Statement } from '../database/database.js';

/** A house consignment; `ens` is its declaration if it has expired, else `null`. */
export type UnpresentedRow = { id: string; ens: number | null };

/**
 * Whether the house consignment `h` of the declaration `e` is not presented, and nothing has happened to it since `$1`: it
 * was pre-notified, its declaration was changed, it was to arrive and was decided before that. What an officer or a system has sent
 * to control stays for a year, as a control of withdrawn goods is kept: the goods may still come.
 */
const isLeft = `(select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
          and coalesce((select r.at from registration r where r.id = h.registration) < $1, true)
          and coalesce((select r.at from registration r where r.id = e.version) < $1, true)
          and coalesce(e.estimated_time_of_arrival < $1, true)
          and coalesce((select max(decided_at) from routing_decision d where d.house_consignment_id = h.id) < $1, true)
          and (kept_as(h.id, h.routing, h.routing_control_location) is null or (
            select max(decided_at) from routing_decision d where d.house_consignment_id = h.id
          ) < now() - interval '1 year')`;

/** The next house consignments between two ids, in their order. */
export function selectUnpresented(
  before: Date,
  after: string,
  to: string,
  limit: number,
): Statement<UnpresentedRow> {
  return {
    name: 'select-unpresented-houses',
    text: `
      with candidate as materialized (
        select id, ens_id, registration, routing, routing_control_location from house_consignment where id > $2 and id < $3 order by id limit $4
      )
      select h.id, (
          select e.id from entry_summary_declaration e
          where e.id = h.ens_id
          and ${isLeft}
        ) as ens
      from candidate h order by h.id`,
    values: [before, after, to, limit],
  };
}

/**
 * Whether the declaration `e` has no house consignment, is not presented or withdrawn, and nothing has happened to it since
 * `$1`. One whose goods are withdrawn is kept as long as these.
 */
const isEmpty = `e.withdrawal is null
          and (select true from house_consignment h where h.ens_id = e.id limit 1) is null
          and (select true from withdrawn_house_consignment w where w.ens_id = e.id limit 1) is null
          and (select true from level_presentation p where p.ens_id = e.id limit 1) is null
          and coalesce((select r.at from registration r where r.id = e.version) < $1, true)
          and coalesce(e.estimated_time_of_arrival < $1, true)`;

/** A declaration, and whether it has no goods and has expired. */
export type EmptyRow = { id: number; isDue: boolean };

/** The next declarations after an id, in the order of their ids. */
export function selectEmptyDeclarations(
  before: Date,
  after: number,
  limit: number,
): Statement<EmptyRow> {
  return {
    name: 'select-empty-declarations',
    text: `
      with candidate as materialized (
        select * from entry_summary_declaration where id > $2 order by id limit $3
      )
      select e.id, ${isEmpty} as "isDue" from candidate e order by e.id`,
    values: [before, after, limit],
  };
}

/** Deletes declarations if they have no goods and have expired. */
export function deleteEmptyUnpresented(
  ids: readonly number[],
  before: Date,
): Statement<{ removed: number }> {
  return {
    name: 'delete-empty-unpresented',
    text: `
      with gone as (
        delete from entry_summary_declaration e where e.id = any ($2::integer[])
          and ${isEmpty}
        returning id
      )
      select count(*)::integer as removed from gone`,
    values: [before, ids],
  };
}

/** Deletes house consignments of these declarations if they have expired, with everything that is kept of them. */
export function deleteUnpresented(
  ids: readonly string[],
  declarations: readonly number[],
  before: Date,
): Statement<{ removed: number }> {
  return {
    name: 'delete-unpresented-houses',
    text: `
      with due as materialized (
        select h.id from house_consignment h join entry_summary_declaration e on e.id = h.ens_id
        where h.id = any ($2::uuid[]) and h.ens_id = any ($3::integer[])
          and ${isLeft}
      ),
      decision as (
        delete from routing_decision where house_consignment_id = any (array(select id from due))
      ),
      entered as (
        delete from entered_house_consignment where house_consignment_id = any (array(select id from due))
      ),
      control as (
        delete from kept_control where house_consignment_id = any (array(select id from due))
      ),
      gone as (
        delete from house_consignment where id = any (array(select id from due)) returning id
      )
      select count(*)::integer as removed from gone`,
    values: [before, ids, declarations],
  };
}

/**
 * Gives declarations of which house consignments were removed another version, because whoever reads one in pages must find
 * that it is another one. No registration has this version.
 */
export function changeVersions(declarations: readonly number[]): Statement {
  return {
    name: 'change-versions-of-expired',
    text: `
      update entry_summary_declaration set version = nextval('registration_id_seq') where id = any ($1::integer[])`,
    values: [declarations],
  };
}
