// SQL of the retention of house consignments.
import type { Statement } from '../database/database.js';

/** A presented house consignment; `ens` is its declaration if it has expired, else `null`. */
export type CandidateRow = { at: string; id: string; ens: number | null };

/** Where the search for candidates begins. */
export const beforeAll: Pick<CandidateRow, 'at' | 'id'> = {
  at: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
};

/** Whether the house consignment `h` is decided and not pending, and was decided last before `$1`. */
const decidedBefore = `h.routing <> 'ENTRY_PENDING'
            and coalesce((select max(decided_at) from routing_decision d where d.house_consignment_id = h.id) < $1, true)`;

/** The next presented house consignments after one, in the order of their first presentations before a time. */
export function selectCandidates(
  before: Date,
  after: Pick<CandidateRow, 'at' | 'id'>,
  limit: number,
): Statement<CandidateRow> {
  return {
    name: 'select-expired-houses',
    text: `
      with candidate as materialized (
        select first_presented_at as at, house_consignment_id as id from signal_recipient
        where first_presented_at < $1 and first_presented_at >= $2::timestamptz
          and (first_presented_at, house_consignment_id) > ($2::timestamptz, $3::uuid)
        order by first_presented_at, house_consignment_id limit $4
      )
      select at::text, id, (
          select h.ens_id from house_consignment h
          where h.id = candidate.id
            and ${decidedBefore}
          limit 1
        ) as ens
      from candidate order by candidate.at, id`,
    values: [before, after.at, after.id, limit],
  };
}

/** A declaration that nobody else registers now, with those whose locks presenting and deciding need. */
export type LockedDeclarationRow = { id: number; organisations: number[] };

export function lockDeclarationsOf(ids: readonly number[]): Statement<LockedDeclarationRow> {
  return {
    name: 'lock-free-declarations',
    text: `
      select id, array_remove(array[declarant, representative], null) as organisations
      from declaration where id = any ($1::integer[])
      order by mrn for no key update skip locked`,
    values: [ids],
  };
}

/** Deletes house consignments of these declarations if they have expired, with everything that is kept of them. */
export function deleteExpiredHouses(
  ids: readonly string[],
  declarations: readonly number[],
  before: Date,
): Statement<{ removed: number }> {
  return {
    name: 'delete-expired-houses',
    text: `
      with due as materialized (
        select h.id from house_consignment h
        where h.id = any ($2::uuid[]) and h.ens_id = any ($3::integer[])
            and ${decidedBefore}
      ),
      recipient as (
        delete from signal_recipient where house_consignment_id = any (array(select id from due))
      ),
      issued as (
        delete from issued_signal where house_consignment_id = any (array(select id from due))
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
        delete from house_consignment where id = any (array(select id from due)) returning id, ens_id
      ),
      -- Whoever reads the declaration in pages finds that it is another one. No registration has this version.
      version as (
        update declaration set version = nextval('registration_id_seq')
        where id = any (array(select ens_id from gone))
      )
      select count(*)::integer as removed from gone`,
    values: [before, ids, declarations],
  };
}

/** Deletes those of the declarations that have no house consignment. */
export function deleteEmptyDeclarations(ids: readonly number[]): Statement<{ removed: number }> {
  return {
    name: 'delete-empty-declarations',
    text: `
      with empty as materialized (
        select id from unnest($1::integer[]) as declaration (id)
        where (select true from house_consignment h where h.ens_id = declaration.id limit 1) is null
          and (select true from withdrawn_house_consignment w where w.ens_id = declaration.id limit 1) is null
      ),
      level as (
        delete from level_presentation where ens_id = any (array(select id from empty))
      ),
      gone as (
        delete from declaration where id = any (array(select id from empty)) returning id
      )
      select count(*)::integer as removed from gone`,
    values: [ids],
  };
}

/** What one step has removed. */
export type ExpiredWithdrawalsRow = { houses: number; declarations: number };

/** Deletes the next house consignments that were withdrawn before a time, with their decisions. */
export function deleteWithdrawnHouses(
  before: Date,
  limit: number,
): Statement<Pick<ExpiredWithdrawalsRow, 'houses'>> {
  return {
    name: 'delete-expired-withdrawn-houses',
    text: `
      with due as materialized (
        -- One that is sent again at this moment stays.
        select w.id from withdrawn_house_consignment w
        where (select r.at from registration r where r.id = w.withdrawal) < $1
        order by w.withdrawal limit $2 for update skip locked
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
        delete from withdrawn_house_consignment where id = any (array(select id from due)) returning id
      )
      select count(*)::integer as houses from gone`,
    values: [before, limit],
  };
}

/**
 * Deletes the next declarations that were withdrawn before a time, and of which nothing else is kept: messages that were
 * cancelled or have expired are among them.
 */
export function deleteWithdrawnDeclarations(
  before: Date,
  limit: number,
): Statement<Pick<ExpiredWithdrawalsRow, 'declarations'>> {
  return {
    name: 'delete-expired-withdrawn-declarations',
    text: `
      with due as materialized (
        -- One that is registered at this moment stays.
        select e.id from declaration e
        where e.withdrawal is not null
          and (select r.at from registration r where r.id = e.withdrawal) < $1
          and (select true from withdrawn_house_consignment w where w.ens_id = e.id limit 1) is null
          and (select true from house_consignment h where h.ens_id = e.id limit 1) is null
        order by e.withdrawal limit $2 for update skip locked
      ),
      level as (
        delete from level_presentation where ens_id = any (array(select id from due))
      ),
      gone as (
        delete from declaration where id = any (array(select id from due)) returning id
      )
      select count(*)::integer as declarations from gone`,
    values: [before, limit],
  };
}
