// SQL of the ends of movement messages: what expires and what is closed, and removing what has ended.
import type { Statement } from '../database/database.js';

/** A message that may have to end; `isDue`: whether it has to. */
export type EndingRow = { id: number; at: string; isDue: boolean };

/** Where a search begins. */
export const beforeAllMovements: Pick<EndingRow, 'at' | 'id'> = { at: '-infinity', id: 0 };

/** The levels of consignments. */
export type ConsignmentLevel = 'MASTER_CONSIGNMENT' | 'HOUSE_CONSIGNMENT';

/** What ends a message. */
export type Ending =
  | { state: 'EXPIRED'; level: 'TRANSPORT' | ConsignmentLevel }
  | { state: 'CLOSED'; level: 'TRANSPORT' | ConsignmentLevel };

/** Whether somebody has presented the house consignment `h`. */
const isPresented =
  '(select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null';

/** Whether none of the house consignments that a function names for `m` is presented and undecided, or pending. */
const isDecided = (reached: string) => `(
            select true from ${reached}(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id
            where coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING' and ${isPresented} limit 1
          ) is null`;

/** When the goods of which the table `h` has the rows were presented first; null if they are not. */
const presentedAt = (goods: string) => `(
            select max(presented_at) from ${goods}
            cross join lateral (
              select min(first_presented_at) as presented_at from signal_recipient c where c.house_consignment_id = h.id
            ) first
          )`;

/** The house consignments under the master consignment `m`. */
const under =
  'houses_of_master(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id';

/** Whether the current message `m` has to end, because what it depends on was before `$1`. */
const isDue: Readonly<Record<Ending['state'], Readonly<Record<Ending['level'], string>>>> = {
  EXPIRED: {
    TRANSPORT: 'm.arrived_at is null and m.estimated_at < $1',
    MASTER_CONSIGNMENT: `greatest(m.lodged_at, m.replaced_at) < $1
          and (select true from ${under} where ${isPresented} limit 1) is null
          and (
            select true from transports_of_master(m.declaration_id, false) t
            join movement transport on transport.declaration_id = t.id where transport.state is null limit 1
          ) is null`,
    HOUSE_CONSIGNMENT: `greatest(m.lodged_at, m.replaced_at) < $1
          and (select true from house_consignment h where h.ens_id = m.declaration_id and ${isPresented} limit 1) is null
          and (
            select true from transports_of_house(m.declaration_id, false) t
            join movement transport on transport.declaration_id = t.id where transport.state is null limit 1
          ) is null`,
  },
  CLOSED: {
    TRANSPORT: `m.arrival_recorded_at < $1 and ${isDecided('houses_of_transport')}`,
    MASTER_CONSIGNMENT: `${presentedAt(under)} < $1 and ${isDecided('houses_of_master')}`,
    HOUSE_CONSIGNMENT: `(
            select true from house_consignment h where h.ens_id = m.declaration_id and h.routing <> 'ENTRY_PENDING'
          ) and ${presentedAt('(select * from house_consignment where ens_id = m.declaration_id) h')} < $1`,
  },
};

/**
 * Goods that were lodged after a control was kept have taken it over. If they have come, and were released, later ones of their
 * document are others; goods under control still wait, and whoever has brought them may have brought others in their place.
 */
const releaseControls = `,
      released as (
        delete from kept_control k
        using due
        join movement m on m.declaration_id = due.id
        join house_consignment h on h.ens_id = m.declaration_id
        cross join lateral relations_to_find(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id, false) r
        where k.document_key = h.document_key and k.document_type = h.document_type and k.relation = r.relation
          and (h.routing = 'TO_ENTRY' or h.routing_control_location = 'AFTER_ENTRY')
          and (k.house_consignment_id = h.id or k.kept_at <= m.lodged_at and (
            select true from routing_decision d
            where d.house_consignment_id = h.id and d.taken_from in (
              select e.mrn
              from (
                select ens_id from withdrawn_house_consignment where id = k.house_consignment_id
                union all
                select ens_id from house_consignment where id = k.house_consignment_id
              ) o
              join declaration e on e.id = o.ens_id
              union all
              select taken_from from routing_decision t where t.house_consignment_id = k.house_consignment_id
            ) limit 1
          ))
      )`;

const nameOf = ({ state, level }: Ending) => `${state}-${level}`.toLowerCase().replaceAll('_', '-');

/**
 * The next current messages of a level after one that may have to end because of a time: transports that have not arrived by
 * their estimated arrival, others by when they were lodged.
 */
export function selectEnding(
  ending: Ending,
  before: Date,
  after: Pick<EndingRow, 'at' | 'id'>,
  limit: number,
): Statement<EndingRow> {
  const isExpected = ending.state === 'EXPIRED' && ending.level === 'TRANSPORT';
  const at = isExpected ? 'estimated_at' : 'lodged_at';
  const of = isExpected
    ? `level = 'TRANSPORT' and arrived_at is null`
    : `level = '${ending.level}'`;
  return {
    name: `select-${nameOf(ending)}`,
    text: `
      with candidate as materialized (
        select * from movement
        where state is null and ${of} and ${at} < $1 and (${at}, declaration_id) > ($2::timestamptz, $3::integer)
        order by ${at}, declaration_id limit $4
      )
      select m.declaration_id as id, m.${at}::text as at, coalesce(${isDue[ending.state][ending.level]}, false) as "isDue"
      from candidate m order by m.${at}, m.declaration_id`,
    values: [before, after.at, after.id, limit],
  };
}

/** A message that has ended. */
export type EndedRow = { id: number; mrn: string; level: Ending['level']; at: Date };

/**
 * Ends those of these messages that have to, which are locked. They wait for no document any more.
 *
 * @param parties of what is under master consignments, which are locked: one with goods of others stays until the next run
 */
export function endDue(
  ending: Ending,
  before: Date,
  ids: readonly number[],
  parties: readonly number[],
  at: Date | undefined,
): Statement<EndedRow> {
  return {
    name: `end-${nameOf(ending)}`,
    text: `
      with due as materialized (
        select m.declaration_id as id from movement m
        where m.declaration_id = any ($2::integer[]) and m.state is null and m.level = '${ending.level}'
          and ${isDue[ending.state][ending.level]}
          and (
            m.level <> 'MASTER_CONSIGNMENT'
            or (select true from parties_under_master(m.declaration_id) where party <> all ($4::integer[]) limit 1) is null
          )
      ),
      recording as materialized (
        select record_time($3) as at where exists (select from due)
      ),
      ended as (
        update movement m set state = '${ending.state}', ended_at = recording.at
        from due cross join recording where m.declaration_id = due.id
        returning m.declaration_id as id, m.level, m.ended_at as at
      ),
      awaited as (
        delete from awaited_document where declaration_id = any (array(select id from due))
      )${ending.state === 'CLOSED' && ending.level === 'HOUSE_CONSIGNMENT' ? releaseControls : ''}
      select ended.id, d.mrn, ended.level, ended.at from ended join declaration d on d.id = ended.id order by d.mrn`,
    values: [before, ids, at ?? null, parties],
  };
}

/** Removes the texts of the next messages that had ended before a time, and notes when. */
export function removeTexts(
  before: Date,
  limit: number,
  at: Date | undefined,
): Statement<{ removed: number }> {
  return {
    name: 'remove-movement-texts',
    text: `
      with due as materialized (
        select declaration_id as id from movement
        where state is not null and text_removed_at is null and ended_at < $1
        order by ended_at, declaration_id limit $2 for no key update skip locked
      ),
      gone as (
        delete from movement_text where declaration_id = any (array(select id from due))
      ),
      noted as (
        update movement m set text_removed_at = record_time($3) from due where m.declaration_id = due.id
      )
      select count(*)::integer as removed from due`,
    values: [before, limit, at ?? null],
  };
}

/** A closed transport or master consignment; `isDue`: whether it reaches no goods that are kept. */
export type ClosedRow = { id: number; at: string; isDue: boolean };

/** The next transports and master consignments after one that were closed before a time. */
export function selectClosed(
  before: Date,
  after: Pick<ClosedRow, 'at' | 'id'>,
  limit: number,
): Statement<ClosedRow> {
  return {
    name: 'select-closed-movements',
    text: `
      with candidate as materialized (
        select declaration_id, level, ended_at from movement
        where state = 'CLOSED' and level <> 'HOUSE_CONSIGNMENT' and ended_at < $1
          and (ended_at, declaration_id) > ($2::timestamptz, $3::integer)
        order by ended_at, declaration_id limit $4
      )
      select m.declaration_id as id, m.ended_at::text as at, ${reachesNothing} as "isDue"
      from candidate m order by m.ended_at, m.declaration_id`,
    values: [before, after.at, after.id, limit],
  };
}

const reachesNothing = `case m.level
          when 'TRANSPORT' then (select true from houses_of_transport(m.declaration_id, false) limit 1)
          else (select true from houses_of_master(m.declaration_id, false) limit 1)
        end is null`;

/** Deletes those of these closed messages that reach no goods that are kept. */
export function deleteClosed(ids: readonly number[]): Statement<{ removed: number }> {
  return {
    name: 'delete-closed-movements',
    text: `
      with due as materialized (
        select d.id from declaration d join movement m on m.declaration_id = d.id
        where d.id = any ($1::integer[]) and m.state = 'CLOSED' and ${reachesNothing}
        order by d.mrn for update of d skip locked
      ),
      level as (
        delete from level_presentation where ens_id = any (array(select id from due))
      ),
      gone as (
        delete from declaration where id = any (array(select id from due)) returning id
      )
      select count(*)::integer as removed from gone`,
    values: [ids],
  };
}
