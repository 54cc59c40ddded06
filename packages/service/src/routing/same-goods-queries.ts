// SQL of goods that are told twice: once as they were lodged, and once in an ENS.
import type { Statement } from '../database/database.js';
import { CURRENT, currentDecision, mayBeToldTwice } from './decision-queries.js';
import type { RecordOfGoods } from './same-goods.js';

const RECORD = `h.id, case when e.kind is not null then e.id end as "lodgedAs",
        jsonb_set((${CURRENT})::jsonb, '{rule}', coalesce(to_jsonb(current.profile_rule), 'null'))
          || jsonb_build_object('profile', current.profile, 'profileVersion', current.profile_version) as current,
        coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = h.id), 0) as last,
        array_remove(array[e.declarant, e.representative], null) as parties,
        array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id) as recipients`;

/** For each of these house consignments of which there are other records: all of them, its own one too. */
export function selectSameGoods(
  ids: readonly string[],
  expectedOnly: boolean,
): Statement<RecordOfGoods & { of: string }> {
  return {
    name: 'select-same-goods',
    text: `
      select told.id as of, ${RECORD}
      from (
        select h.id, array(select other from same_goods(h.id, $2)) as others
        from unnest($1::uuid[]) written (id)
        cross join lateral (select * from house_consignment where id = written.id offset 0) h
        where ${mayBeToldTwice('h')}
        offset 0
      ) told
      cross join lateral unnest(others || told.id) record (id)
      join house_consignment h on h.id = record.id
      join declaration e on e.id = h.ens_id
      left join lateral (${currentDecision('h.id')}) current on true
      where others <> '{}'
      order by told.id, h.id`,
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
