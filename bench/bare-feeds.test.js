// The bare implementation that Landfall is compared with writes the same rows for the same requests, also while two
// servers write, and refuses what Landfall refuses.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { whyNoPostgresql } from '../packages/service/dist/testing/postgresql.js';
import { countMissing, feedsIn, followFeeds } from './check-feeds.js';
import { exchangeTokens, startIdentityProvider } from './goods.js';
import { makeDatabase } from './own-database.js';
import { startServer, startTarget, stopTarget } from './processes.js';
import { fillMix, MIX, mixPresenters } from './realistic-mix.js';

const skip = await whyNoPostgresql();
const DECLARATIONS = 30;

test('the bare implementation writes the same rows as Landfall', { skip }, async () => {
  const address = 'postgresql://postgres@127.0.0.1:5432/postgres';
  const { url, database, drop } = await makeDatabase(address, `landfall_bare_${process.pid}`);
  const provider = await startIdentityProvider();
  const folder = mkdtempSync(join(tmpdir(), 'landfall-bare-'));
  const port = 17_000 + (process.pid % 1000) * 4;
  const children = [];
  try {
    await migrate(database);
    const presenters = await fillMix(database, DECLARATIONS * MIX.housesPerEns);
    const landfall = { location: url, keysFolder: folder, provider, basePort: port };
    for (const number of [0, 1]) {
      children.push(await startServer({ ...landfall, port: port + number }));
      const args = [String(port + 2 + number), url, String(number === 0)];
      children.push(await startTarget('targets/bare-feeds', args));
    }
    const exchanged = await exchangeTokens(provider, port, undefined, mixPresenters);
    const bareTokens = mixPresenters.map(String);
    const requests = makeRequests(presenters);
    const owners = await query(database, 'select id from organisation order by id limit 20');
    const ids = owners.map(({ id }) => id);
    const [ours, bare] = [feedsIn('public'), feedsIn('bare')];
    const readers = [await followFeeds(url, ours, ids), await followFeeds(url, bare, ids)];
    const answers = [];
    for (const [first, tokens] of [
      [port, exchanged],
      [port + 2, bareTokens],
    ]) {
      answers.push(await sendAll(first, tokens, requests));
    }
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(new Set(answers[0]), new Set([202, 400]));

    for (const text of [
      'select owner, id, failed, ens_id from SCHEMA.validation_status order by owner, id',
      `select house_consignment_id, organisation_id, presenter, request_id, office, first_presented_at is null as later,
        awaits_decision from SCHEMA.signal_recipient order by 1, 2`,
      'select owner, count(*), min(position), max(position) from SCHEMA.routing_signal group by owner order by owner',
      'select owner, count(*), min(position), max(position) from SCHEMA.validation_status group by owner order by owner',
      "select indexdef from pg_indexes where schemaname = 'SCHEMA' and tablename in ('validation_status', 'signal_recipient', 'routing_signal')",
    ]) {
      const [one, other] = await Promise.all(
        ['public', 'bare'].map((schema) => query(database, text.replace('SCHEMA', schema))),
      );
      assert.ok(one.length > 0);
      assert.equal(other.length, one.length, text);
      if (text.includes('indexdef')) continue;
      for (const [index, row] of one.entries()) assert.deepEqual(other[index], row, text);
    }

    // Goods that are presented again by the same organisation have no new signal.
    const acknowledged = Buffer.from(
      requests.atOnce
        .filter((_, index) => answers[0][index] === 202)
        .map(({ body }) => body.requestId.replaceAll('-', ''))
        .join(''),
      'hex',
    );
    for (const reader of readers) assert.equal((await reader.end(acknowledged)).lost, 0);
    // The check finds what is missing.
    await query(database, 'delete from bare.routing_signal where position = 1');
    const run = (text, values) => database.query({ name: '', text, values });
    assert.ok((await countMissing(run, bare, acknowledged)) > 0);
    const late = await followFeeds(url, bare, ids);
    await assert.rejects(late.end(Buffer.alloc(0)), /position 1 is left out/);
  } finally {
    await Promise.all(children.map(stopTarget));
    provider.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
});

const query = (database, text) => database.query({ name: '', text, values: [] });

/** Goods that are presented, presented again by the same and by others, unknown goods, and used requestIds. */
function makeRequests(presenters) {
  const requests = [];
  const add = (presenter, documentNumber, requestId = randomUUID()) => {
    const body = { requestId, customsOfficeOfPresentation: 'NO351001' };
    const transportDocumentHouseLevel = { documentNumber, type: 'N740' };
    requests.push({ presenter, body: { ...body, transportDocumentHouseLevel } });
  };
  for (const [declaration, presenter] of presenters.entries()) {
    const house = (step) => `HAWB${MIX.from + declaration * MIX.housesPerEns + step}`;
    for (let step = 0; step < MIX.housesPerEns; step++) add(presenter, house(step));
    add(presenter, `NONE${declaration}`);
  }
  const first = requests.slice(0, 20);
  const next = (presenter) => (presenter + 1) % mixPresenters.length;
  return {
    // Those that depend on no other one.
    atOnce: requests,
    inTurn: [
      ...first.map(({ presenter, body }) => ({ presenter, body })),
      ...first.map(({ presenter, body }) => ({ presenter: next(presenter), body })),
      ...first.map(({ presenter, body }) => ({
        presenter,
        body: { ...body, requestId: randomUUID() },
      })),
    ],
  };
}

/** Sends the requests to both servers in turn and returns the statuses. */
async function sendAll(port, tokens, { atOnce, inTurn }) {
  const send = async ({ presenter, body }, index) => {
    const path = '/api/movement/presentation/v1/house-consignment';
    const response = await fetch(`http://127.0.0.1:${port + (index % 2)}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens[presenter]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses = [];
  for (let start = 0; start < atOnce.length; start += 16) {
    statuses.push(...(await Promise.all(atOnce.slice(start, start + 16).map(send))));
  }
  for (const [index, request] of inTurn.entries()) statuses.push(await send(request, index));
  return statuses;
}
