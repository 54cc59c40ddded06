// A reset returns to the data of the start, on both databases, while the playground keeps running.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { Landfall } from '../../client/dist/index.js';
import { readConfig } from '../../service/dist/config.js';
import { drawnDatabases } from '../../service/dist/testing/databases.js';
import { findPort } from './find-port.js';
import type { Playground } from './playground.js';
import { servePlayground } from './serve-playground.js';

const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

const retry = { baseDelayMs: 10, maxDelayMs: 50 };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`a reset on ${name}`, { skip }, () => {
    let playground: Playground;
    before(async () => {
      const dataFolder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
      const config = readConfig({}, { dataFolder, logLevel: 'silent' });
      const port = await findPort(config.host, 0);
      playground = await servePlayground({ ...config, port }, await open(), {
        closed: () => rm(dataFolder, { recursive: true }),
      });
    });
    after(() => playground.close());
    // Each test begins with the data of the start, as the first one does.
    afterEach(() => playground.reset());

    test('goods can be presented again with the same requestId, and their signals have new markers', async () => {
      const carrier = new Landfall(playground.credentials('carrier'));
      const requestId = randomUUID();
      const markers = new Set<string>();
      for (let round = 0; round < 3; round++) {
        assert.deepEqual((await carrier.routingSignals()).entries, []);
        await carrier.presentHouseConsignment({ ...parcel, requestId });
        const [signal, ...others] = (await carrier.routingSignals()).entries;
        assert(signal !== undefined && others.length === 0);
        markers.add(signal.routingResult.id);
        await assert.rejects(carrier.routingSignals({ marker: randomUUID() }), { status: 400 });
        await playground.reset();
        // The marker is unknown now, also where its page was cached.
        await assert.rejects(
          carrier.routingSignals({ marker: signal.routingResult.id, limit: 1 }),
          {
            status: 400,
          },
        );
        await assert.rejects(carrier.getValidationStatus(requestId), { status: 404 });
      }
      assert.equal(markers.size, 3);
    });

    test('grants, profiles and lists that were changed are as before', async () => {
      const authority = new Landfall(playground.credentials('authority'));
      const before = await authority.getOrganisation('0192:310000019');
      await authority.putOrganisation('0192:310000019', { ...before, blocked: true });
      await authority.importCustomsOffices('reference_number,name\nXX000001,Other\n', {
        expectedRemovals: 49,
      });
      const carrier = new Landfall(playground.credentials('carrier'));
      await assert.rejects(carrier.presentHouseConsignment(parcel));
      await playground.reset();
      assert.deepEqual(await authority.getOrganisation('0192:310000019'), before);
      await carrier.presentHouseConsignment(parcel);
    });

    test('a stream that is open is cut off, and its marker is unknown afterwards', async () => {
      const carrier = new Landfall({ ...playground.credentials('carrier'), retry });
      await carrier.presentHouseConsignment(parcel);
      const follow = async () => {
        for await (const _signal of carrier.followRouting()) await playground.reset();
      };
      await assert.rejects(follow(), { status: 400 });
    });

    test('resets at the same time, and among presentations, leave the data of the start', async () => {
      const carrier = new Landfall({
        ...playground.credentials('carrier'),
        retry,
      });
      await carrier.routingSignals();
      const presenting = Array.from({ length: 20 }, () =>
        carrier.presentHouseConsignment(parcel).catch(() => undefined),
      );
      await Promise.all([playground.reset(), playground.reset()]);
      await Promise.all(presenting);
      await playground.reset();
      assert.deepEqual((await carrier.routingSignals()).entries, []);
    });
  });
}
