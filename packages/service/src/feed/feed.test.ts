import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { playgroundConsignments, type RoutingSignal } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { readEvents } from '../testing/read-events.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';
const STATUS = '/api/movement/presentation/v1/validation-status';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`feeds over HTTP on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const presentAll = async (as: string) => {
      for (const { mrn } of playgroundConsignments) {
        const response = await playground.present('entry-summary-declaration', as, { mrn });
        assert.equal(response.status, 202);
      }
    };

    test('an empty feed is an empty array, an empty text, and silence', async () => {
      assert.deepEqual((await playground.get(ROUTING, 'carrier')).body, []);
      const lines = await playground.get(ROUTING, 'carrier', { accept: 'application/x-ndjson' });
      assert.equal(lines.status, 200);
      assert.equal(lines.text, '');
    });

    test('a waiting read returns as soon as there is a signal, and at its end when there is none', async () => {
      const started = performance.now();
      const waiting = playground.get(ROUTING, 'carrier', { prefer: 'wait=20' });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await presentAll('carrier');
      const response = await waiting;
      assert.equal(response.headers.get('preference-applied'), 'wait=20');
      assert((response.body as RoutingSignal[]).length > 0);
      assert(performance.now() - started < 10_000);

      const nothing = await playground.get(ROUTING, 'express', { prefer: 'respond-async, wait=1' });
      assert.deepEqual(nothing.body, []);
    });

    test('a waiting read with a marker does not return entries before it', async () => {
      const signals = (await playground.get(ROUTING, 'carrier')).body as RoutingSignal[];
      const marker = signals.at(-1)?.routingResult.id;
      const response = await playground.get(`${ROUTING}?marker=${marker}`, 'carrier', {
        prefer: 'wait=1',
      });
      assert.deepEqual(response.body, []);
    });

    test('pages by marker hold every signal once, and lines and events the same bytes', async () => {
      const all = await playground.get(ROUTING, 'carrier');
      const signals = all.body as RoutingSignal[];
      assert.equal(signals.length, playgroundConsignments.length);
      const paged: RoutingSignal[] = [];
      for (let marker: string | undefined; ; ) {
        const page = (
          await playground.get(`${ROUTING}?limit=3${marker ? `&marker=${marker}` : ''}`, 'carrier')
        ).body as RoutingSignal[];
        paged.push(...page);
        marker = page.at(-1)?.routingResult.id;
        if (page.length < 3) break;
      }
      assert.deepEqual(paged, signals);

      const lines = await playground.get(ROUTING, 'carrier', { accept: 'application/x-ndjson' });
      assert.equal(`[${lines.text.trimEnd().split('\n').join(',')}]`, all.text);
      const events = await readEvents(playground, ROUTING, 'carrier', signals.length);
      assert.equal(`[${events.map(({ data }) => data).join(',')}]`, all.text);
      assert.deepEqual(
        events.map(({ id }) => id),
        signals.map(({ routingResult }) => routingResult.id),
      );
    });

    test('a stream of events resumes after Last-Event-ID, and sends what is appended while it is open', async () => {
      const signals = (await playground.get(ROUTING, 'carrier')).body as RoutingSignal[];
      const last = signals[3]?.routingResult.id ?? '';
      const rest = await readEvents(playground, ROUTING, 'carrier', signals.length - 4, {
        'last-event-id': last,
      });
      assert.deepEqual(
        rest.map(({ id }) => id),
        signals.slice(4).map(({ routingResult }) => routingResult.id),
      );

      const coming = readEvents(playground, STATUS, 'forwarder', 2);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const ids = [randomUUID(), randomUUID()];
      for (const id of ids)
        await playground.present('container', 'forwarder', { containerId: 'JARU0000010' }, id);
      assert.deepEqual(
        (await coming).map(({ id }) => id),
        ids,
      );
    });

    test('a Last-Event-ID that is not of this feed is refused before the stream begins', async () => {
      for (const id of ['nonsense', randomUUID()]) {
        const response = await playground.get(ROUTING, 'carrier', {
          accept: 'text/event-stream',
          'last-event-id': id,
        });
        assert.equal(response.status, 400, response.text);
      }
    });
  });
}
