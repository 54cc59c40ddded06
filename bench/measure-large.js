// Presenting many house consignments with one request, compared with plain SQL that creates the same rows for them.
import { randomUUID } from 'node:crypto';
import { runMaintenance } from './goods.js';
import { usage } from './processes.js';
import { send } from './send.js';

const TIMES = 5;

const PLAIN = 'large presentation: plain INSERT ... SELECT';
const PRESENTED = 'large presentation: PostgreSQL';

const mrnOf = (number) => `26NO9${String(number).padStart(13, '0')}`;

/** Measures the selected rows, alternating, `TIMES` times, with another organisation than the one that reads. */
export async function measureLarge({ wanted, note, startLandfall, url, database, small }, round) {
  if (!wanted(PLAIN) && !wanted(PRESENTED)) return;
  const houses = small ? 500 : 100_000;
  const mrns = Array.from({ length: TIMES }, (_, number) => mrnOf(round * TIMES + number));
  const [{ id: owner }] = await database.query({
    name: '',
    text: `select id from organisation where identifier = '0192:810000001'`,
    values: [],
  });
  for (const mrn of mrns) await fillDeclaration(database, mrn, owner, houses);
  await database.transact((transaction) =>
    transaction.run(`
      create table plain_connection (like signal_recipient including all);
      create table plain_signal (like routing_signal including all)`),
  );
  await runMaintenance(database);
  const landfall = await startLandfall(url, 1);
  const took = { plain: [], presented: [] };
  const before = usage(landfall.pids());
  for (const [index, mrn] of mrns.entries()) {
    took.plain.push(await timed(() => insertPlainly(database, mrn, owner, index * houses)));
    took.presented.push(await timed(() => present(landfall, mrn)));
  }
  const after = usage(landfall.pids());
  await landfall.stop();
  await database.transact((transaction) =>
    transaction.run('drop table plain_connection, plain_signal'),
  );
  note(PLAIN, PLAIN, summarise(houses, took.plain, { cpu: 0, megabytes: 0, statuses: {} }));
  note(
    PRESENTED,
    PLAIN,
    summarise(houses, took.presented, {
      cpu: ((after.seconds - before.seconds) / (houses * TIMES)) * 1e6,
      megabytes: after.megabytes,
      statuses: { 202: TIMES },
    }),
  );
}

/** House consignments per second, and the milliseconds of one request: median and maximum. */
export function summarise(houses, milliseconds, rest) {
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const p50 = sorted[Math.floor(sorted.length / 2)];
  return { perSecond: houses / (p50 / 1000), p50, p99: sorted.at(-1), ...rest };
}

/** How long work takes, in milliseconds. */
export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function fillDeclaration(database, mrn, declarant, houses) {
  await database.transact((transaction) =>
    transaction.run(`
      insert into declaration (mrn, customs_office_of_first_entry, declarant)
        values ('${mrn}', 'NO351001', ${declarant});
      insert into house_consignment (id, ens_id, document_number, document_key, document_type, signal_head, routing)
      -- Rising ids, as registering gives them.
      select (substr(md5('${mrn}'), 1, 4) || lpad(to_hex(number), 8, '0') || '7000' || substr(md5(number::text), 1, 16))::uuid,
        e.id, document, document, 'N740',
        '{"entrySummaryDeclarationMRN":"${mrn}","transportDocumentHouseLevel":{"documentNumber":"' || document
          || '","referenceNumber":"' || document || '","type":"N740"},'
          || '"transportDocumentMasterLevel":{"documentNumber":"MAWB0001","type":"N741"},'
          || '"estimatedTimeOfArrival":"2026-11-21T10:00:00.000Z",'
          || '"activeBorderTransportMeans":{"identificationNumber":"SK4711","typeOfIdentification":"40"}',
        case when number % 20 = 0 then 'TO_CONTROL' else 'TO_ENTRY' end
      from declaration e, (
        select number, 'LARGE' || '${mrn.slice(-4)}' || lpad(number::text, 8, '0') as document
        from generate_series(1, ${houses}) number
      ) numbered
      where e.mrn = '${mrn}'`),
  );
}

/** Inserts the connections and the signals of all goods of a declaration, as a presentation does. */
async function insertPlainly(database, mrn, owner, before) {
  const goods = `
    from (
      select h.*, row_number() over (order by id) + ${before} as position
      from house_consignment h where ens_id = (select id from declaration where mrn = '${mrn}')
    ) h`;
  await database.transact((transaction) =>
    transaction.run(`
      insert into plain_connection select id, ${owner}, ${owner}, '${randomUUID()}', position ${goods};
      insert into plain_signal
        select ${owner}, position, marker, entry.head || marker || entry.tail
        from (select h.*, mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as marker ${goods} offset 0) minted
        cross join lateral new_signal(${owner}, signal_head, routing, routing_control_location, '${new Date().toISOString()}') entry`),
  );
}

async function present({ ports, tokens }, mrn) {
  const response = await send(ports[0], '/api/movement/presentation/v1/entry-summary-declaration', {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[1]}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      requestId: randomUUID(),
      customsOfficeOfPresentation: 'NO351001',
      mrn,
    }),
  });
  await response.arrayBuffer();
}
