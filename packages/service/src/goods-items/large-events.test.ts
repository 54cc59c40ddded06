// Whatever reads events in the background is bounded in bytes, on databases that hold events of any size.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_PAGE_BYTES } from '../feed/queries.js';
import { type CandidateRow, selectCandidates } from '../relay/queries.js';
import { relayedGoodsItems } from '../relay/relayed-feeds.js';
import { drawnDatabases } from '../testing/databases.js';
import { storePadded } from '../testing/store-padded-messages.js';
import { STREAM_OWNER } from './event-feed.js';
import { expireStep } from './expire-events.js';

/** Twelve of them are two pages of three, and six pages of one. */
const MIB = 1024 * 1024;
const PADDINGS = [1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 5, 5, 5, 0, 0, 0].map((mib) => mib * MIB);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`large events on ${name}`, { skip }, () => {
    test('the relay reads no more at once than fits a page, and at least one event', async () => {
      const database = await open();
      try {
        await storePadded(
          database,
          PADDINGS.map((padding) => Math.round(padding)),
        );
        const reads: number[] = [];
        for (let position = 0; position < PADDINGS.length; ) {
          const candidates = await database.query<CandidateRow>(
            selectCandidates(relayedGoodsItems, new Map([[STREAM_OWNER, position]]), 1000),
          );
          assert.equal(candidates.length, PADDINGS.length - position);
          const events = candidates.filter(({ entry }) => entry !== null);
          const bytes = events.reduce((sum, { entry }) => sum + Buffer.byteLength(entry ?? ''), 0);
          assert(events.length === 1 || bytes <= MAX_PAGE_BYTES, `${bytes} bytes`);
          reads.push(events.length);
          position += events.length;
          assert.equal(events.at(-1)?.position, position);
        }
        assert.deepEqual(reads, [3, 3, 1, 1, 1, 3]);
      } finally {
        await database.close();
      }
    });

    test('a step of retention expires no more than fits a page, and continues until nothing is due', async () => {
      const database = await open();
      try {
        await storePadded(
          database,
          PADDINGS.map((padding) => Math.round(padding)),
        );
        const steps: number[] = [];
        for (let more = true; more; ) {
          const step = await expireStep(database, new Date(Date.now() + 60_000));
          steps.push(step.expired);
          ({ more } = step);
        }
        // The newest event is always kept.
        assert.deepEqual(steps, [3, 3, 1, 1, 1, 2, 0]);
      } finally {
        await database.close();
      }
    });
  });
}
