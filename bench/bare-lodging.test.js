// The bare implementation that lodging is compared with writes the same rows for the same requests, also while two servers
// write, and refuses what Landfall refuses.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { whyNoPostgresql } from '../packages/service/dist/testing/postgresql.js';
import { addOrganisations, exchangeTokens, startIdentityProvider } from './goods.js';
import { grantMovementScopes, houseMessage, MOVEMENT_SCOPES } from './lodged-goods.js';
import { makeDatabase } from './own-database.js';
import { startServer, startTarget, stopTarget } from './processes.js';

const skip = await whyNoPostgresql();
const HOUSES = 60;
const LODGERS = [11, 12, 13];

/** The rows of each table without numbers, MRNs, ids and times, and the indexes. */
const ROWS = [
  `select m.submitter, level, mode, key, m.request_id, document_number, document_type, house_key, m.carrier, means, conveyance,
    estimated_at, weight, import_procedure, outgoing_procedure, consignor_country, listed, reasons, state, e.kind, e.declarant,
    m.representative, e.representative as "representativeOfDeclaration", e.carrier as "carrierOfDeclaration", r.organisation_id, r.client_id, r.request_id = m.request_id as "isOfRequest",
    r.at = m.lodged_at as "isOfTime", t.body::jsonb
    from SCHEMA.movement m join SCHEMA.declaration e on e.id = m.declaration_id
    join SCHEMA.registration r on r.id = e.version join SCHEMA.movement_text t using (declaration_id) order by key`,
  `select h.document_number, h.document_type, master_document_number, master_document_type, receptacle_id,
    replace(signal_head, mrn, 'MRN') as head, routing, document_key, master_document_key, only_spelling, subheadings,
    h.registration = e.version as "isOfRegistration"
    from SCHEMA.house_consignment h join SCHEMA.declaration e on e.id = h.ens_id order by 1`,
  'select owner, id, failed from SCHEMA.movement_status order by owner, id',
  `select owner, s.id, replace((entry::jsonb - 'notificationDate')::text, mrn, 'MRN') as entry
    from SCHEMA.movement_status s join SCHEMA.movement m on m.request_id = s.id
    join SCHEMA.declaration e on e.id = m.declaration_id order by owner, s.id`,
  'select owner, count(*), min(position), max(position) from SCHEMA.movement_status group by owner order by owner',
  `select replace(indexdef, 'SCHEMA.', '') as indexdef from pg_indexes where schemaname = 'SCHEMA' and tablename in
    ('registration', 'declaration', 'movement', 'movement_text', 'house_consignment', 'movement_status')`,
];

test('the bare implementation writes the same rows as Landfall', { skip }, async () => {
  const address = 'postgresql://postgres@127.0.0.1:5432/postgres';
  const { url, database, drop } = await makeDatabase(address, `landfall_lodging_${process.pid}`);
  const provider = await startIdentityProvider();
  const folder = mkdtempSync(join(tmpdir(), 'landfall-lodging-'));
  const port = 17_000 + (process.pid % 1000) * 4;
  const children = [];
  try {
    await migrate(database);
    await addOrganisations(database);
    await grantMovementScopes(database);
    const landfall = { location: url, keysFolder: folder, provider, basePort: port };
    for (const number of [0, 1]) {
      children.push(await startServer({ ...landfall, port: port + number }));
      const args = [String(port + 2 + number), url, String(number === 0)];
      children.push(await startTarget('targets/bare-lodging', args));
    }
    const [road] = MOVEMENT_SCOPES;
    const tokens = await exchangeTokens(provider, port, `customs:${road}`, LODGERS);
    const requests = makeRequests();
    const answers = [
      await sendAll(port, tokens, requests),
      await sendAll(port + 2, LODGERS.map(String), requests),
    ];
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(new Set(answers[0]), new Set([202, 400]));
    for (const text of ROWS) {
      const [one, other] = await Promise.all(
        ['public', 'bare'].map((schema) =>
          database.query({ name: '', text: text.replaceAll('SCHEMA', schema), values: [] }),
        ),
      );
      assert.ok(one.length > 0, text);
      // The names of indexes are others.
      if (text.includes('indexdef')) assert.deepEqual(indexes(other), indexes(one));
      else assert.deepEqual(other, one, text);
    }
  } finally {
    await Promise.all(children.map(stopTarget));
    provider.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
});

const indexes = (rows) =>
  rows.map(({ indexdef }) => indexdef.replace(/INDEX \S+ ON (public\.|bare\.)?/, '')).sort();

/** Messages that are new, that have a key that is taken, and whose requestId was used. */
function makeRequests() {
  const requestOf = (by, number) => ({
    by,
    message: {
      ...houseMessage(`H-${number}`, `M-${number % 7}`, 'NO810000011'),
      requestId: randomUUID(),
    },
  });
  const atOnce = Array.from({ length: HOUSES }, (_, number) =>
    requestOf(number % LODGERS.length, number),
  );
  const first = atOnce.slice(0, 6);
  const inTurn = [
    ...first,
    // The same keys, by the same and by another organisation.
    ...first.map(({ by }, number) => requestOf((by + (number % 2)) % LODGERS.length, number)),
  ];
  return { atOnce, inTurn };
}

/** Sends the requests to both servers in turn and returns the statuses. */
async function sendAll(port, tokens, { atOnce, inTurn }) {
  const post = async ({ by, message }, index) => {
    const path = '/api/movement/road/v2/house-consignment';
    const response = await fetch(`http://127.0.0.1:${port + (index % 2)}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[by]}`, 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses = [];
  for (let start = 0; start < atOnce.length; start += 16) {
    statuses.push(...(await Promise.all(atOnce.slice(start, start + 16).map(post))));
  }
  for (const [index, request] of inTurn.entries()) statuses.push(await post(request, index));
  return statuses;
}
