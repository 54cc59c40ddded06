// Polling of feeds while the database fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { goodsItemStream } from '../goods-items/event-feed.js';
import { testDatabases } from '../testing/databases.js';
import { storePadded } from '../testing/store-padded-messages.js';
import { FeedWatch } from './watch-feeds.js';

for (const { name, skip, open } of await testDatabases()) {
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
