// The presented goods of the databases whose growth is measured.
import { HOUSES_PER_ENS, ORGANISATIONS } from './goods.js';

/** One in so many declarations of the filled data was presented already. */
const PRESENTED_ONE_IN = 10;

/** Presents some of the house consignments by SQL: their recipients, statuses and signals. */
export async function addPresentations(database, start, end) {
  await database.transact((transaction) =>
    transaction.run(`
      with house as (
        select h.id, h.ens_id, h.signal_head, h.routing, e.declarant as owner, e.mrn, gen_random_uuid() as request_id,
          timestamptz '2025-11-23T00:00:00Z' + number * interval '0.6 seconds' as at,
          (number / ${HOUSES_PER_ENS * ORGANISATIONS * PRESENTED_ONE_IN}) * ${HOUSES_PER_ENS}
            + number % ${HOUSES_PER_ENS} + 1 as position
        from generate_series(${start}, ${end - 1}) number
        join house_consignment h on h.document_number = 'HAWB' || lpad(number::text, 8, '0') and h.document_type = 'N740'
        join declaration e on e.id = h.ens_id
        where number / ${HOUSES_PER_ENS * ORGANISATIONS} % ${PRESENTED_ONE_IN} = 0
      ),
      recipient as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
          first_presented_at, office)
        select id, owner, owner, request_id, position, at, 'NO351001' from house
      ),
      entry as (
        select position, 0 as step, new_status(owner, request_id, false, ens_id,
          validation_status_entry(request_id::text, false, 'HOUSE_CONSIGNMENT', api_time(at), mrn, 'NO351001', 1, null)) as entry
        from house
        union all
        select position, 1, new_signal(owner, signal_head, routing, null, api_time(at)) from house
      )
      select append_to_feeds(array_agg(entry order by position, step), 0, null) from entry having count(*) > 0`),
  );
}

/** The number of the house document of a house consignment. */
export function documentOf(house) {
  return `HAWB${String(house).padStart(8, '0')}`;
}

/** Reads goods and their declarations, which were registered some hours before on a real day. */
export async function readGoods(client, from, count) {
  await client.query(
    `select count(h.signal_head), count(e.declarant), count(f.id) from generate_series($1::integer, $2::integer) number
      join house_consignment h on h.document_number = 'HAWB' || lpad(number::text, 8, '0') and h.document_type = 'N740'
      join house_consignment f on f.id = h.id
      join declaration e on e.id = h.ens_id`,
    [from, from + count - 1],
  );
}

/** The first organisation, and the ids of its last statuses and signals. */
export async function findLatest(client) {
  const { rows } = await client.query(
    `select id from organisation where identifier = '0192:810000000'`,
  );
  const owner = rows[0].id;
  const last = async (table) => {
    const { rows: entries } = await client.query(
      `select id from ${table} where owner = $1 order by position desc limit 1000`,
      [owner],
    );
    return entries.map(({ id }) => id);
  };
  return {
    owner,
    statuses: await last('validation_status'),
    signals: await last('routing_signal'),
  };
}
