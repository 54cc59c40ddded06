// The metric of the lag: exact, though only feeds that may have changed are asked.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database, Statement } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { appendSignals } from '../testing/signal-writer.js';
import { recordRelayed } from './queries.js';
import { RelayLag } from './relay-lag.js';
import { relayedSignals } from './relayed-feeds.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the lag of the relay on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    let owners: number[];
    const statements: Statement[] = [];
    before(async () => {
      const opened = await open();
      database = {
        ...opened,
        query: (statement) => {
          statements.push(statement);
          return opened.query(statement);
        },
      };
      watch = new FeedWatch(database);
      await database.query({
        name: '',
        text: `insert into organisation (identifier) select 'lag:' || n from generate_series(1, 2500) as n`,
        values: [],
      });
      owners = await Promise.all(
        ['lag:1', 'lag:1200', 'lag:2500'].map((one) => organisationOf(database, one)),
      );
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    const record = (owner: number, position: number) =>
      database.query(
        recordRelayed(relayedSignals.stream, [{ owner, position, sequence: position }]),
      );

    test('is read at once, and then from few feeds', async () => {
      const [first = 0, second = 0, third = 0] = owners;
      await appendSignals(database, first, 3);
      const lag = new RelayLag(database, watch, relayedSignals);
      assert.equal(await lag.read(), 3);
      await appendSignals(database, second, 2, watch);
      assert.equal(await lag.read(), 5);
      await record(first, 3);
      await record(second, 1);
      assert.equal(await lag.read(), 1);
      await record(second, 2);
      assert.equal(await lag.read(), 0);
      statements.length = 0;
      // What was not announced is found after some readings.
      await appendSignals(database, third, 4);
      let readings = 0;
      while ((await lag.read()) !== 4) assert(++readings < 4);
      await record(third, 4);
      assert.deepEqual(await Promise.all([lag.read(), lag.read()]), [0, 0]);
      const limits = statements.filter(({ name: one }) => one === 'relay-lags');
      assert(limits.length > 0);
      for (const { values } of limits) assert.equal(values[4], 1000);
      lag.close();
    });
  });
}
