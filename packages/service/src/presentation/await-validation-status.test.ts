// The status of one request: waiting for it with Prefer, and its media types.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ValidationStatus } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const STATUS = '/api/movement/presentation/v1/validation-status';
const reference = { containerId: 'JARU0000010' };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the status of one request on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    test('a reader that prefers to wait gets the status once the request is recorded', async () => {
      const requestId = randomUUID();
      const waiting = playground.get(`${STATUS}/${requestId}`, 'carrier', { prefer: 'wait=30' });
      const early = await Promise.race([waiting, delay(500, 'still waiting')]);
      assert.equal(early, 'still waiting');
      await playground.present('container', 'carrier', reference, requestId);
      const { status, body, headers } = await waiting;
      assert.equal(status, 200);
      assert.equal((body as ValidationStatus).requestId, requestId);
      assert.equal(headers.get('preference-applied'), 'wait=30');
    });

    test('a request that is not recorded within the wait is 404 at its end', async () => {
      const began = performance.now();
      const { status } = await playground.get(`${STATUS}/${randomUUID()}`, 'carrier', {
        prefer: 'wait=1',
      });
      assert.equal(status, 404);
      assert(performance.now() - began >= 990);
    });

    test('a status is sent as JSON or as one line, and any other media type is 406', async () => {
      const requestId = randomUUID();
      await playground.present('container', 'carrier', reference, requestId);
      const read = (accept: string) =>
        playground.get(`${STATUS}/${requestId}`, 'carrier', { accept });
      const json = await read('text/event-stream, application/json;q=0.5');
      assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
      const line = await read('application/x-ndjson');
      assert.match(line.headers.get('content-type') ?? '', /^application\/x-ndjson/);
      assert.equal(line.text, `${json.text}\n`);
      const stream = await read('text/event-stream');
      assert.equal(stream.status, 406);
      assert.equal(stream.headers.get('content-type'), 'application/problem+json');
    });
  });
}
