// SQL of goods that are told twice: once as they were lodged, and once in an ENS, or one after the other.
import type { Statement } from '../database/database.js';
import { CURRENT, currentDecision, mayBeToldTwice } from './decision-queries.js';
import type { RecordOfGoods } from './same-goods.js';

const RECORD = `h.id, e.mrn, case when e.kind is not null then e.id end as "lodgedAs",
        jsonb_set((${CURRENT})::jsonb, '{rule}', coalesce(to_jsonb(current.profile_rule), 'null'))
          || jsonb_build_object('profile', current.profile, 'profileVersion', current.profile_version) as current,
        coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = h.id), 0) as last,
        array_remove(array[e.declarant, e.representative], null) as parties,
        array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id) as recipients`;

/** A record of the goods `of`, which is one of those that were asked for. */
export type FoundRecord = RecordOfGoods & {
  of: string;
  /** Whether it is none of the group that carries one decision, and its control holds for `of` too. */
  isControl: boolean;
};

/** Whether a control may hold for a house consignment that was decided on other goods: one look into an index that is nearly always empty. */
const mayBeControlled = (house: string) => `((
          select true from kept_control k
          where k.document_key = ${house}.document_key and k.document_type = ${house}.document_type limit 1
        ) is not null)`;

/**
 * For each of these house consignments of which there are other records, or for which a control of others holds: all of them,
 * its own one too.
 */
export function selectSameGoods(
  ids: readonly string[],
  expectedOnly: boolean,
): Statement<FoundRecord> {
  return {
    name: 'select-same-goods',
    text: `
      select told.id as of, record.is_control as "isControl", ${RECORD}
      from (
        select h.id, array(select other from same_goods(h.id, $2)) as others,
          array(select other from kept_controls(h.id, $2)) as controls
        from unnest($1::uuid[]) written (id)
        cross join lateral (select * from house_consignment where id = written.id offset 0) h
        where ${mayBeToldTwice('h')} or ${mayBeControlled('h')}
        offset 0
      ) told
      cross join lateral (
        select unnest(others || told.id), false union all select unnest(controls), true
      ) record (id, is_control)
      cross join lateral (
        select id, ens_id, routing, routing_control_location, registration from house_consignment where id = record.id
        union all
        select id, ens_id, routing, routing_control_location, registration
        from withdrawn_house_consignment where id = record.id
        offset 0
      ) h
      join declaration e on e.id = h.ens_id
      left join lateral (${currentDecision('h.id')}) current on true
      where others <> '{}' or controls <> '{}'
      order by told.id, record.is_control, h.id`,
    values: [ids, expectedOnly],
  };
}

/** These house consignments as records of goods. */
export function selectRecords(ids: readonly string[]): Statement<RecordOfGoods> {
  return {
    name: 'select-records-of-goods',
    text: `
      select ${RECORD}
      from house_consignment h
      join declaration e on e.id = h.ens_id
      left join lateral (${currentDecision('h.id')}) current on true
      where h.id = any ($1::uuid[])`,
    values: [ids],
  };
}
