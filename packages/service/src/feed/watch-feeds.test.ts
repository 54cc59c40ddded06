// Whoever waits for a feed is woken: whoever else begins or ends to wait meanwhile, and while the database fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { openInMemory } from '../database/embedded/embedded.js';
import { goodsItemStream } from '../goods-items/event-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { storePadded } from '../testing/store-padded-messages.js';
import { FeedWatch, type FeedWatcher } from './watch-feeds.js';

/** What readers of two feeds do, in any order. One that has ended may end again, as when its socket closes too. */
const acts = fc.array(
  fc.record({
    act: fc.constantFrom('watch', 'watch', 'stop', 'stop', 'wake'),
    owner: fc.integer({ min: 0, max: 1 }),
    watcher: fc.nat(),
  }),
  { minLength: 3, maxLength: 20 },
);

test('all who wait are woken, however others begin, end, and end again', async () => {
  const database = await openInMemory();
  const { kind } = goodsItemStream;
  try {
    await fc.assert(
      fc.asyncProperty(acts, async (steps) => {
        // No poll makes up for a wake that is lost, or adds one.
        const watch = new FeedWatch(database, { pollInterval: 3_600_000 });
        const watchers: { owner: number; watcher: FeedWatcher; waits: boolean }[] = [];
        const wake = async (owner: number) => {
          watch.wake(kind, [owner]);
          for (const each of watchers.filter(({ waits }) => waits)) {
            assert.equal(await each.watcher.next(0), each.owner === owner);
          }
        };
        try {
          for (const { act, owner, watcher: number } of steps) {
            const some = watchers[number % Math.max(1, watchers.length)];
            if (act === 'watch') {
              watchers.push({ owner, watcher: watch.watch({ kind, owner }), waits: true });
            } else if (act === 'wake') {
              await wake(owner);
            } else if (some !== undefined) {
              some.watcher.stop();
              some.waits = false;
            }
          }
          for (const owner of [0, 1]) await wake(owner);
        } finally {
          watch.close();
        }
      }),
    );
  } finally {
    await database.close();
  }
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`a poll that fails on ${name} is reported, and the next one makes up for it`, {
    skip,
  }, async () => {
    const database = await open();
    const reported: unknown[] = [];
    const watch = new FeedWatch(database, {
      pollInterval: 20,
      reportFailure: (error) => reported.push(error),
    });
    const run = (script: string) => database.transact((transaction) => transaction.run(script));
    try {
      const watcher = watch.watch(goodsItemStream);
      await watcher.next(2000);
      // Stored without a wake, while feeds cannot be polled.
      await storePadded(database, [0]);
      await run('alter table feed_state rename to hidden');
      for (let tries = 0; reported.length === 0; tries++) {
        assert(tries < 600, 'no failure was reported');
        await run('select pg_current_xact_id()');
        await delay(20);
      }
      assert.match(String(reported[0]), /feed_state/);
      // A wake that came before the failure is taken, so that only a later one counts.
      await watcher.next(0);
      await run('alter table hidden rename to feed_state');
      await run('update feed_state set position = 2');
      assert.equal(await watcher.next(20_000), true, 'the next poll did not wake');
      watcher.stop();
    } finally {
      watch.close();
      await database.close();
    }
  });
}
