// What /metrics reports of requests, group commits and sessions.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const PRESENT = '/api/movement/presentation/v1/house-consignment';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`metrics on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    let text: string;
    /** The value of a sample line; its labels are written as in the text. */
    const read = (sample: string) => {
      const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
      assert(line, `no ${sample} in:\n${text}`);
      return Number(line.slice(sample.length + 1));
    };

    before(async () => {
      playground = await TestPlayground.start(await open());
      for (const documentNumber of ['HC001', 'HC002', 'unknown']) {
        await playground.post(PRESENT, 'carrier', {
          requestId: randomUUID(),
          customsOfficeOfPresentation: 'NO351001',
          transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        });
      }
      text = (await playground.call('/metrics')).text;
    });
    after(() => playground.close());

    test('a histogram has the durations of all requests of a route', () => {
      const metric = 'landfall_http_request_duration_seconds';
      const labels = `method="POST",route="${PRESENT}"`;
      assert.equal(read(`${metric}_count{${labels}}`), 3);
      assert.equal(read(`${metric}_bucket{${labels},le="+Inf"}`), 3);
      assert(read(`${metric}_bucket{${labels},le="0.001"}`) <= 3);
      assert(read(`${metric}_sum{${labels}}`) > 0);
    });

    test('histograms have the sizes of commits and the waits of requests, and a gauge the queue', () => {
      const labels = 'batch="house-consignments"';
      assert.equal(read(`landfall_batch_size_sum{${labels}}`), 3, 'every request is in one commit');
      assert(read(`landfall_batch_size_count{${labels}}`) <= 3);
      assert.equal(read(`landfall_batch_wait_seconds_count{${labels}}`), 3);
      assert.equal(read(`landfall_batch_queued{${labels}}`), 0);
      assert.equal(read(`landfall_batch_postponed{${labels}}`), 0);
      assert.equal(read('landfall_batch_size_count{batch="upper-levels"}'), 0);
    });

    // The embedded database has one session and no pool.
    if (name === 'embedded') return;
    test('gauges have the sessions of the pool', () => {
      assert(read('landfall_database_pool_sessions') >= 1);
      assert.equal(read('landfall_database_pool_waiting'), 0);
    });
  });
}
