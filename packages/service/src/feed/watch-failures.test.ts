// Background work on the database reports its failures, and resumes when the database is available again.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CustomsOffices } from '../code-lists/customs-offices.js';
import type { Database } from '../database/database.js';
import { routingSignals } from '../routing/signal-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { FeedWatch } from './watch-feeds.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`background reads on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());
    const rename = (from: string, to: string) =>
      database.transact((transaction) => transaction.run(`alter table ${from} rename to ${to}`));

    test('a poll of feeds that fails is reported', async () => {
      const reported: unknown[] = [];
      const watch = new FeedWatch(database, {
        pollInterval: 20,
        reportFailure: (error) => reported.push(error),
      });
      await rename('feed_state', 'hidden');
      const watcher = watch.watch({ kind: routingSignals, owner: 1 });
      while (reported.length === 0) await delay(20);
      assert.match(String(reported[0]), /feed_state/);
      await rename('hidden', 'feed_state');
      watcher.stop();
      watch.close();
    });

    test('a list of customs offices that cannot be refreshed is reported, and the last one stays', async () => {
      const reported: unknown[] = [];
      const offices = new CustomsOffices(database, 'UTC');
      await offices.load((error) => reported.push(error), 20);
      await rename('code_list_import', 'hidden');
      while (reported.length === 0) await delay(20);
      await rename('hidden', 'code_list_import');
      offices.stop();
      assert(offices.isValid('NO351001', new Date()));
    });
  });
}
