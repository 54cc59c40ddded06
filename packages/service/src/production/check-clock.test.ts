// A clock that differs from that of the database makes the server not ready; a test shifts the clock of the server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BackgroundFailures } from '../http/background-failures.js';
import { ReadinessConditions } from '../http/readiness-conditions.js';
import { makeServer } from '../http/server.js';
import { addServiceRoutes } from '../http/service-routes.js';
import { drawnDatabases } from '../testing/databases.js';
import { makeClockCheck } from './check-clock.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the clock of a server and that of the database, on ${name}`, { skip }, () => {
    test('may differ by 2 s: beyond that the server is not ready, and says by how much', async (context) => {
      const database = await open();
      const log: string[] = [];
      const { app } = await makeServer({
        logLevel: 'warn',
        logTo: { write: (line) => log.push(line) },
      });
      context.after(async () => {
        await app.close();
        await database.close();
      });
      let shift = 0;
      const { condition, measure } = makeClockCheck(database, () => Date.now() + shift);
      const failures = new BackgroundFailures(app.log);
      const conditions = new ReadinessConditions([condition], failures);
      await addServiceRoutes(
        { app },
        {
          database,
          isDraining: () => false,
          conditions,
          requests: { counts: () => [] },
          measures: [measure],
          backgroundFailures: failures.counts,
          metrics: {},
        },
      );
      const readiness = async () => {
        await conditions.check();
        const { statusCode, headers, body } = await app.inject('/readyz');
        return { status: statusCode, retryAfter: headers['retry-after'], body };
      };
      const shownOffset = async () => {
        const { body } = await app.inject('/metrics');
        return Number(/^landfall_clock_offset_seconds (\S+)$/m.exec(body)?.[1]);
      };

      const { statusCode: unchecked, body } = await app.inject('/readyz');
      assert.equal(unchecked, 503);
      assert.match(body, /No check of the clock has had a result since the start/);
      assert.equal((await readiness()).status, 200);
      assert.ok(Math.abs(await shownOffset()) < 1);
      for (const [offset, direction] of [
        [3000, '3\\.\\d s ahead of'],
        [-3500, '3\\.\\d s behind'],
      ] as const) {
        shift = offset;
        const { status, retryAfter, body } = await readiness();
        assert.equal(status, 503);
        assert.equal(retryAfter, '1');
        assert.match(body, new RegExp(`The clock of this server is ${direction} that of the data`));
        assert.ok(Math.abs((await shownOffset()) - offset / 1000) < 1);
      }
      assert.equal(failures.counts.get('clock'), 2);
      assert.ok(log.some((line) => line.includes('the clock of this server is off')));

      // A round trip of 2.5 s could explain the difference: nothing is known, and the last result remains.
      shift = 0;
      const afterSleep = async (seconds: number) => {
        const sleep = { name: '', text: `select pg_sleep(${seconds})`, values: [] };
        const [, result] = await Promise.all([database.lookUps.query(sleep), readiness()]);
        return result;
      };
      assert.match((await afterSleep(2.5)).body, /3\.\d s behind/);
      // One of 1.15 s could not.
      assert.equal((await afterSleep(1.15)).status, 200);
      // What is wrong in spite of the round trip is wrong.
      shift = -86_400_000;
      assert.match((await afterSleep(2.5)).body, /8640\d\.\d s behind/);
      shift = 0;
      assert.equal((await readiness()).status, 200);
    });
  });
}
