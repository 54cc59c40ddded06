// Registrations that conflict with a presentation or with a later routing decision.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, errorsOf, house, TestRegistry } from '../testing/registry-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`conflicts of registrations on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    test('a conflict with a presentation is refused with every error, and nothing is changed', async () => {
      const mrn = registry.nextMrn();
      await registry.put(
        mrn,
        declaration([house('P1'), house('P2', { routing: 'TO_ENTRY' }), house('P3')]),
      );
      for (const document of ['P1', 'P2']) {
        assert.equal((await registry.present(document, mrn)).status, 202);
      }
      const before = await registry.snapshot();
      const refused = await registry.put(
        mrn,
        declaration(
          [
            house('P2', {
              routing: 'TO_CONTROL',
              receptacleId: 'GBASFZMLBKONAUN30001001019999',
              harmonizedSystemSubheadingCode: ['030214'],
            }),
            house('P4'),
          ],
          { declarant: '0192:310000027', estimatedTimeOfArrival: '2026-12-01T00:00:00Z' },
        ),
      );
      assert.equal(refused.status, 400);
      assert.deepEqual(errorsOf(refused), [
        'declarant PRESENTED',
        'estimatedTimeOfArrival PRESENTED',
        'houseConsignments.0.receptacleId PRESENTED',
        'houseConsignments.0.harmonizedSystemSubheadingCode PRESENTED',
        'houseConsignments.0.routing PRESENTED',
        'houseConsignments PRESENTED',
      ]);
      assert.match(refused.text, /N740 P1/);
      assert.deepEqual(await registry.snapshot(), before);

      const withdrawn = await registry.withdraw(mrn);
      assert.equal(withdrawn.status, 400);
      assert.deepEqual(errorsOf(withdrawn), ['mrn PRESENTED']);
      assert.deepEqual(await registry.snapshot(), before);

      // Consignments that are not presented may be removed, changed and added.
      const accepted = await registry.put(
        mrn,
        declaration([house('P1'), house('P2', { routing: 'TO_ENTRY' }), house('P4')]),
      );
      assert.deepEqual(accepted.body, {
        mrn,
        status: 'CHANGED',
        houseConsignments: { added: 1, changed: 0, removed: 1, unchanged: 2 },
      });
    });
  });
}
