// SQL of goods that are told twice: once as they were lodged, and once in an ENS, or one after the other.
import type { Statement } from '../database/database.js';
import { CURRENT, currentDecision, mayBeToldTwice } from './decision-queries.js';
import type { RecordOfGoods } from './same-goods.js';

const RECORD = `h.id, e.mrn, case when e.kind is not null then e.id end as "lodgedAs",
        jsonb_set((${CURRENT})::jsonb, '{rule}', coalesce(to_jsonb(current.profile_rule), 'null'))
          || jsonb_build_object('profile', current.profile, 'profileVersion', current.profile_version,
            'takenFrom', current.taken_from, 'firstDecidedAt', api_time(current.first_decided_at)) as current,
        (
          select api_time(max(coalesce(d.first_decided_at, d.decided_at))) from routing_decision d
          where d.house_consignment_id = h.id and d.origin = 'OFFICER' and d.takes_effect
        ) as "officerDecidedAt",
        coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = h.id), 0) as last,
        e.declarant, array_remove(array[e.declarant, e.representative], null) as parties,
        array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id) as recipients`;

/** A record that was found for the goods `of`, which are among those that were asked for. */
export type FoundRecord = RecordOfGoods & {
  of: string;
  /**
   * `SAME`: it is of the same goods, so both carry one decision. `BESIDE`: it is lodged beside them, or is of the same goods as
   * something that is; a control holds for both. `KEPT`: its control was kept, and holds for them.
   */
  foundAs: 'SAME' | 'BESIDE' | 'KEPT';
  /** The same for all records of the same goods, of what is beside. */
  goods: string | null;
};

/** Whether a control may hold for a house consignment that was decided on other goods: one look into an index that is nearly always empty. */
const mayBeControlled = (house: string) => `((
          select true from kept_control k
          where k.document_key = ${house}.document_key and k.document_type = ${house}.document_type limit 1
        ) is not null)`;

/**
 * For each of these house consignments of which there are other records, or for which a control of others may hold: all of them,
 * its own one too.
 */
export function selectSameGoods(
  ids: readonly string[],
  expectedOnly: boolean,
): Statement<FoundRecord> {
  return {
    name: 'select-same-goods',
    text: `
      with found as materialized (
        select h.id as of, other, found_as, goods
        from (
          select h.id
          from unnest($1::uuid[]) written (id)
          cross join lateral (select * from house_consignment where id = written.id offset 0) h
          where ${mayBeToldTwice('h')} or ${mayBeControlled('h')}
          offset 0
        ) h
        cross join lateral (
          select other, case when is_same then 'SAME' else 'BESIDE' end, goods from goods_beside(h.id, $2)
          union all
          select other, 'KEPT', null from controls_kept_for(h.id, $2)
        ) record (other, found_as, goods)
      )
      select record.of, record.found_as as "foundAs", record.goods, ${RECORD}
      from (
        select of, other, found_as, goods from found union all select distinct of, of, 'SAME', null from found
      ) record
      cross join lateral (
        select id, ens_id, routing, routing_control_location, registration from house_consignment where id = record.other
        union all
        select id, ens_id, routing, routing_control_location, registration
        from withdrawn_house_consignment where id = record.other
        offset 0
      ) h
      join declaration e on e.id = h.ens_id
      left join lateral (${currentDecision('h.id')}) current on true
      order by record.of, record.found_as, h.id`,
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
