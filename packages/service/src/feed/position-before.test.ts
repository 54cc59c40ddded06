// Where a feed begins that is read from a time on: it is found by halves, whatever was removed, and where times are equal.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeRandom } from '@landfall/samples';
import type { Database } from '../database/database.js';
import { movementStatuses } from '../movements/status-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { appendMovementStatuses, makeMovementStatus } from '../testing/movement-rows.js';
import { findTime } from './read-feed.js';

const BEGIN = Date.parse('2026-03-29T00:59:59.990Z');

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`positions by time on ${name}`, { skip }, () => {
    test('what follows is what was added at the time or later, and is kept', async () => {
      const database = await open();
      try {
        for (let owner = 1; owner <= 30; owner++) await checkFeed(database, owner);
      } finally {
        await database.close();
      }
    });
  });
}

/** Fills the feed of an owner, removes its beginning, and compares what is found with a search of all of its times. */
async function checkFeed(database: Database, owner: number): Promise<void> {
  const random = makeRandom(owner);
  const count = owner === 1 ? 0 : random.integer(1, 40);
  const times: number[] = [];
  for (let time = BEGIN; times.length < count; time += random.integer(0, 3)) times.push(time);
  const statuses = times.map((time) =>
    makeMovementStatus({ notificationDate: new Date(time).toISOString() }),
  );
  if (count > 0) await appendMovementStatuses(database, owner, statuses);
  // The last entry is never removed.
  const removed = count === 0 ? 0 : random.integer(0, count - 1);
  await database.query({
    name: '',
    text: `
      with gone as (delete from movement_status where owner = $1 and position <= $2)
      update feed_state set removed_position = $2 where kind = ${movementStatuses.number} and owner = $1`,
    values: [owner, removed],
  });

  const end = times.at(-1) ?? BEGIN;
  for (let since = BEGIN - 2; since <= end + 2; since++) {
    const before = times.filter((time) => time < since).length;
    const found = await findTime(
      database,
      { kind: movementStatuses, owner },
      new Date(since).toISOString(),
    );
    const expected = before === count ? undefined : Math.max(before, removed);
    assert.equal(found, expected, `owner ${owner}, ${since - BEGIN} ms`);
  }
}
