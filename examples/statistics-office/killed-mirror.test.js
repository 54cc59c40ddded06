// The mirror is killed again and again, and still applies every change exactly once. Needs a running playground. It deletes the
// copy that is in the databases.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Landfall } from '@landfall/client';
import { readCredentials } from '@landfall/client/node';
import pg from 'pg';
import { openCopy } from './open-copy.js';

const databases = { SQLite: 'killed.db', PostgreSQL: process.env.DATABASE_URL };
/** How often the mirror is killed while changes arrive. */
const KILLS = 8;
const READY_WITHIN_MS = 60_000;

const landfallAs = async (name) =>
  new Landfall(await readCredentials(`.landfall/credentials/${name}.json`));

/** The messages in the service, and how many of them are current. */
async function readFeed() {
  const landfall = await landfallAs('statistics');
  const count = async (read) => {
    let entries = 0;
    for (let query = {}; query !== undefined; ) {
      const page = await read(query);
      entries += page.entries.length;
      query = page.next;
    }
    return entries;
  };
  return {
    messages: await count((query) => landfall.listGoodsItems(query)),
    current: await count((query) => landfall.listCurrentGoodsItems(query)),
  };
}

const startMirror = (database) =>
  spawn(process.execPath, ['mirror.js', database], { stdio: ['ignore', 'ignore', 'inherit'] });

/** How far the copy is. */
async function readCopy(database) {
  const copy = await openCopy(database);
  const { directions, changes } = await copy.report();
  await copy.end();
  return { changes, items: directions.reduce((sum, { items }) => sum + items, 0) };
}

for (const [name, database] of Object.entries(databases)) {
  const skip = database === undefined && 'set DATABASE_URL to test with PostgreSQL';
  test(`each change is applied once across kill -9: ${name}`, { skip }, async (context) => {
    context.after(() => mirror.kill('SIGKILL'));
    await empty(database);
    const authority = await landfallAs('authority');
    const before = await readFeed();
    const messages = readFileSync(`messages-${name}.ndjson`, 'utf8').trim().split('\n');
    let mirror = startMirror(database);
    // The copy of what is there already, so that every message below arrives as a change.
    const start = await until(database, ({ changes }) => changes === before.current);
    const size = Math.ceil(messages.length / KILLS);
    for (let round = 0; round < KILLS; round++) {
      const part = messages.slice(round * size, (round + 1) * size).join('\n');
      await authority.publishGoodsItems(part);
      await wait(Math.random() * 30);
      await killMirror(mirror);
      mirror = startMirror(database);
      // Sometimes it is killed before it has started.
      await wait(Math.random() * 1000);
    }
    const after = await readFeed();
    assert.equal(after.messages, before.messages + messages.length);
    const expected = start.changes + messages.length;
    await until(database, ({ changes }) => changes >= expected);
    // What would be applied twice would arrive now.
    await wait(500);
    await killMirror(mirror);
    assert.deepEqual(await readCopy(database), { changes: expected, items: after.current });
  });
}

async function empty(database) {
  if (database === databases.SQLite) return rmSync(database, { force: true });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('drop table if exists goods_item, position');
  await client.end();
}

async function killMirror(mirror) {
  assert.equal(mirror.exitCode, null, 'the mirror has ended by itself');
  const exit = once(mirror, 'exit');
  mirror.kill('SIGKILL');
  await exit;
}

async function until(database, isReached) {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const copy = await readCopy(database);
    if (isReached(copy)) return copy;
    assert(Date.now() < deadline, `not within ${READY_WITHIN_MS} ms: ${JSON.stringify(copy)}`);
    await wait(100);
  }
}
