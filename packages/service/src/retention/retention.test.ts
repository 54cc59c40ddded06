// Runs of retention: on one server at a time, each kind by itself, until they are closed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../database/database.js';
import { SESSION_LOCKS } from '../database/locks.js';
import { followClock } from '../database/removal-clock.js';
import type { Gauge } from '../metrics/measure.js';
import { drawnDatabases } from '../testing/databases.js';
import { type RetainedKind, Retention } from './retention.js';

const DAY_MS = 24 * 3600 * 1000;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`runs of retention on ${name}`, { skip }, () => {
    let database: Database;
    const failures: unknown[] = [];
    const now = new Date('2026-11-23T12:00:00Z');
    const start = (kinds: RetainedKind[]) =>
      new Retention(
        database,
        kinds,
        followClock(() => now),
        (error) => failures.push(error),
      );
    const steps = (...removed: number[]) =>
      async function* (before: Date) {
        assert.equal(before.getTime(), now.getTime() - 2 * DAY_MS);
        yield* removed;
      };
    const measured = (retention: Retention) =>
      Promise.all(retention.measures.map((measure) => (measure as Gauge).read()));

    before(async () => {
      database = await open();
    });
    after(() => database.close());

    test('what each kind removed is counted; a failure is reported and stops no other kind', async () => {
      const retention = start([
        {
          name: 'broken',
          days: 2,
          expire: async function* () {
            yield 1;
            throw new Error('broken');
          },
        },
        { name: 'kept', days: 0, expire: steps(7) },
        { name: 'removed', days: 2, expire: steps(3, 4) },
      ]);
      await retention.run();
      assert.deepEqual(await measured(retention), [
        [
          { labels: { kind: 'broken' }, value: 1 },
          { labels: { kind: 'removed' }, value: 7 },
        ],
        undefined,
        [{ labels: { kind: 'removed' }, value: 0 }],
      ]);
      assert.deepEqual(failures.splice(0), [new Error('broken')]);
      await retention.close();
    });

    test('a complete run is shown by its time', async () => {
      const retention = start([{ name: 'removed', days: 2, expire: steps(1) }]);
      await retention.run();
      const [, completed] = await measured(retention);
      assert(typeof completed === 'number' && completed > 1.7e9);
      await retention.close();
    });

    test('while another server has the lock, nothing is removed', async () => {
      if (database.kind === 'embedded') return; // One server uses it.
      const release = await database.tryLock(SESSION_LOCKS.retention, () => undefined);
      assert(release);
      const retention = start([{ name: 'removed', days: 2, expire: steps(5) }]);
      await retention.run();
      assert.deepEqual((await measured(retention))[0], [{ labels: { kind: 'removed' }, value: 0 }]);
      await release();
      await retention.run();
      assert.deepEqual((await measured(retention))[0], [{ labels: { kind: 'removed' }, value: 5 }]);
      await retention.close();
    });

    test('closing ends a run after its step', async () => {
      let count = 0;
      const retention = start([
        {
          name: 'endless',
          days: 2,
          expire: async function* () {
            for (;;) yield ++count;
          },
        },
      ]);
      const running = retention.run();
      while (count === 0) await new Promise((resolve) => setImmediate(resolve));
      await retention.close();
      await running;
      const ended = count;
      await retention.run();
      assert.equal(count, ended);
    });
  });
}
