// With LANDFALL_FOUR_EYES_RELEASE, no registration takes goods out of control: what it brings is a difference for officers.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment, Routing } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';

const BEFORE: (Routing | undefined)[] = ['TO_CONTROL', 'TO_ENTRY', undefined];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`registrations where two officers release, on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open(), { fourEyesRelease: 'on' });
    });
    after(() => registry.close());

    for (const first of BEFORE) {
      for (const then of BEFORE) {
        test(`${first} and then ${then}`, async () => {
          const mrn = registry.nextMrn();
          const put = async (routing: Routing | undefined) => {
            const response = await registry.put(
              mrn,
              declaration([house('H1', routing && { routing })]),
            );
            assert.ok(response.status < 300, response.text);
          };
          await put(first);
          await put(then);
          const response = await registry.playground.get(
            `/api/authority/v1/house-consignments?mrn=${mrn}`,
            'authority',
          );
          // Safe cast: the response was checked against openapi.json.
          const [found] = response.body as HouseConsignment[];
          const isKept = first === 'TO_CONTROL' && then !== 'TO_CONTROL';
          assert.equal(found?.routing, isKept ? first : then);
          assert.equal(found?.difference?.routing, isKept ? (then ?? 'UNDECIDED') : undefined);
        });
      }
    }
  });
}
