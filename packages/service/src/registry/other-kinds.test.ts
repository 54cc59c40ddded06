// A declaration that is no ENS is beside those that are: whoever asks for an ENS does not find it, and its goods are presented,
// decided and found like all others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { expireEmptyDeclarations, expireUnpresented } from '../retention/expire-unpresented.js';
import { testDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';

const inAnHour = () => new Date(Date.now() + 3_600_000);

for (const { name, skip, open } of await testDatabases()) {
  describe(`declarations of other kinds on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    /** Registers goods whose declaration is then one that a carrier has lodged. */
    const lodge = async (goods: Parameters<typeof declaration>[0]) => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration(goods));
      await registry.database.query({
        name: '',
        text: `update declaration set kind = 'HOUSE' where mrn = $1`,
        values: [mrn],
      });
      return mrn;
    };
    const find = async (mrn: string) =>
      (
        await registry.playground.get(
          `/api/authority/v1/house-consignments?mrn=${mrn}`,
          'authority',
        )
      ).body as HouseConsignment[];
    const present = (level: string, reference: Record<string, unknown>) =>
      registry.playground.present(level, 'forwarder', reference);

    test('the authority neither reads it as an ENS nor withdraws it', async () => {
      const mrn = await lodge([house('R1')]);
      assert.equal((await registry.get(mrn)).status, 404);
      assert.equal((await registry.withdraw(mrn)).status, 404);
      assert.equal((await find(mrn)).length, 1);
    });

    test('its MRN presents nothing as that of an ENS', async () => {
      const mrn = await lodge([house('M1')]);
      const unknown = await present('entry-summary-declaration', { mrn: registry.nextMrn() });
      const { status, text } = await present('entry-summary-declaration', { mrn });
      assert.equal(status, unknown.status);
      assert.match(text, /REFERENCE_NOT_FOUND/);
    });

    test('its goods are decided and presented by their document, with their MRN and without', async () => {
      const mrn = await lodge([house('G1'), house('G2')]);
      const decided = await registry.playground.post(
        '/api/authority/v1/routing-decisions',
        'authority',
        [{ mrn, ...house('G1'), routing: 'TO_CONTROL' }],
      );
      assert.equal(decided.status, 200, decided.text);
      assert.equal((await registry.present('G1', mrn)).status, 202);
      assert.equal((await present('house-consignment', house('G2'))).status, 202);
      assert.deepEqual((await find(mrn)).map(({ state }) => state).toSorted(), [
        'PRESENTED',
        'SIGNALLED',
      ]);
    });

    test('the retention of what was pre-notified and never presented leaves it', async () => {
      const withGoods = await lodge([house('E1')]);
      const empty = await lodge([]);
      const context = {
        database: registry.database,
        audit: new AuditTrail(),
        clock: () => new Date(),
      };
      for await (const _ of expireUnpresented(context, inAnHour()));
      for await (const _ of expireEmptyDeclarations(context, inAnHour()));
      const left = await registry.database.query({
        name: '',
        text: 'select from declaration where mrn = any ($1)',
        values: [[withGoods, empty]],
      });
      assert.equal(left.length, 2);
      assert.equal((await find(withGoods)).length, 1);
    });
  });
}
