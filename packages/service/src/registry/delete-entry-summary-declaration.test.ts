// Withdrawing an ENS over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`withdrawing a declaration on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    test('a declaration is withdrawn with its house consignments, once', async () => {
      const mrn = registry.nextMrn();
      await registry.put(
        mrn,
        declaration([house('W1', { containerId: ['JARU0000010'] }), house('W2')]),
      );
      const withdrawn = await registry.withdraw(mrn);
      assert.equal(withdrawn.status, 200, withdrawn.text);
      assert.deepEqual(withdrawn.body, {
        mrn,
        status: 'WITHDRAWN',
        houseConsignments: { added: 0, changed: 0, removed: 2, unchanged: 0 },
      });
      assert.equal((await registry.withdraw(mrn)).status, 404);
      assert.equal((await registry.get(mrn)).status, 404);
      assert.equal((await registry.present('W1', mrn)).status, 400);
      assert.equal((await registry.put(mrn, declaration([]))).status, 201);
    });
  });
}
