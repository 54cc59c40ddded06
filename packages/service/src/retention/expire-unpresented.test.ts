// House consignments that were never presented are removed with everything that belongs to them, and no others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { FEED_LOCK } from '../database/locks.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';
import {
  expireEmptyDeclarations,
  expireUnpresented,
  makeExpireUnpresented,
} from './expire-unpresented.js';

const FIND = '/api/authority/v1/house-consignments';
const inAnHour = () => new Date(Date.now() + 3_600_000);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`retention of what was never presented on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
      // The playground's own goods.
      await expire(inAnHour());
    });
    after(() => registry.close());

    const context = () => ({
      database: registry.database,
      audit: new AuditTrail(),
      clock: () => new Date(),
    });
    const sum = async (steps: AsyncIterable<number>) => {
      let removed = 0;
      for await (const step of steps) removed += step;
      return removed;
    };
    const expire = (before: Date) => sum(expireUnpresented(context(), before));
    const documents = async (mrn: string) =>
      (
        (await registry.playground.get(`${FIND}?mrn=${mrn}`, 'authority'))
          .body as HouseConsignment[]
      ).map(({ transportDocumentHouseLevel: { documentNumber } }) => documentNumber);
    const count = async (from: string) => {
      const text = `select count(*)::integer as count from ${from}`;
      const [row] = await registry.database.query<{ count: number }>({
        name: '',
        text,
        values: [],
      });
      return row?.count;
    };

    test('what was presented stays, with its declaration; what was not goes with all that belongs to it', async () => {
      const mrn = registry.nextMrn();
      const containerId = ['JARU0000010'];
      const goods = [
        house('P1', { routing: 'TO_ENTRY' }),
        house('N1', { containerId, routing: 'TO_CONTROL' }),
      ];
      await registry.put(mrn, declaration(goods));
      await registry.present('P1', mrn);
      const { etag } = Object.fromEntries((await registry.get(mrn)).headers);
      assert.equal(await expire(new Date(Date.now() - 3_600_000)), 0);
      assert.deepEqual(await documents(mrn), ['N1', 'P1']);
      assert.equal(await expire(inAnHour()), 1);
      assert.deepEqual(await documents(mrn), ['P1']);
      assert.notEqual(Object.fromEntries((await registry.get(mrn)).headers).etag, etag);
      const kept = 'house_consignment_id not in (select id from house_consignment)';
      assert.equal(await count(`house_consignment_container where ${kept}`), 0);
      assert.equal(await count(`routing_decision where ${kept}`), 0);
    });

    test('a declaration of which nothing is left goes too, and the trail has it all', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([house('N1'), house('N2')]));
      assert.equal(await expire(inAnHour()), 2);
      assert.equal((await registry.get(mrn)).status, 404);
      const { breaks } = await verifyAudit(registry.database, feedKinds);
      assert.deepEqual(breaks, []);
      assert.equal(
        await count(
          `audit_record where entry like '%"unpresented-goods.expired"%"declarations":1%'`,
        ),
        1,
      );
    });

    test('a declaration that has no goods is removed in its time, unless it is presented or withdrawn', async () => {
      const expireEmpty = (before: Date) => sum(expireEmptyDeclarations(context(), before));
      await expireEmpty(inAnHour());
      const [empty, presented, withGoods, withdrawn, later] = Array.from({ length: 5 }, () =>
        registry.nextMrn(),
      ) as [string, string, string, string, string];
      for (const mrn of [empty, presented, withdrawn]) await registry.put(mrn, declaration([]));
      await registry.put(withGoods, declaration([house('G1')]));
      await registry.put(
        later,
        declaration([], { estimatedTimeOfArrival: '2099-01-01T00:00:00Z' }),
      );
      await registry.playground.present('entry-summary-declaration', 'forwarder', {
        mrn: presented,
      });
      await registry.withdraw(withdrawn);
      assert.equal(await expireEmpty(new Date(Date.now() - 3_600_000)), 0);
      assert.equal(await expireEmpty(inAnHour()), 1);
      const statusOf = async (mrn: string) => (await registry.get(mrn)).status;
      assert.equal(await statusOf(empty), 404);
      for (const mrn of [presented, withGoods, later]) assert.equal(await statusOf(mrn), 200, mrn);
      assert.equal(await count(`entry_summary_declaration where mrn = '${withdrawn}'`), 1);
      const { breaks } = await verifyAudit(registry.database, feedKinds);
      assert.deepEqual(breaks, []);
      await expire(inAnHour());
    });

    test('whatever has happened since then keeps them: a change, a later arrival, a decision', async () => {
      const kept: string[] = [];
      const changes: ((mrn: string) => Promise<unknown>)[] = [
        (mrn) => registry.put(mrn, declaration([house('K')], { carrier: '0192:310000027' })),
        (mrn) =>
          registry.put(
            mrn,
            declaration([house('K')], { estimatedTimeOfArrival: '2099-01-01T00:00:00Z' }),
          ),
        (mrn) =>
          registry.playground.post('/api/authority/v1/routing-decisions', 'authority', [
            { mrn, ...house('K'), routing: 'TO_ENTRY' },
          ]),
      ];
      for (const _ of changes) {
        const mrn = registry.nextMrn();
        kept.push(mrn);
        await registry.put(mrn, declaration([house('K')]));
      }
      await registry.database.query({
        name: '',
        text: `update registration set at = at - interval '2 days'`,
        values: [],
      });
      for (const [index, change] of changes.entries()) await change(kept[index] ?? '');
      // Ids have the time at which they were made.
      await registry.database.query({
        name: '',
        text: `
          update house_consignment set id = ('01900000' || substr(id::text, 9))::uuid where document_number = 'K'
            and not exists (select from routing_decision d where d.house_consignment_id = id)`,
        values: [],
      });
      assert.equal(await expire(new Date(Date.now() - 24 * 3_600_000)), 0);
      for (const mrn of kept) assert.deepEqual(await documents(mrn), ['K']);
      // The arrival is far away; the other two are left now.
      assert.equal(await expire(inAnHour()), 2);
    });

    // The embedded database has one session, which nobody else holds.
    if (name !== 'embedded') {
      test('what somebody presents or decides at this moment is left to the next run', async () => {
        const mrn = registry.nextMrn();
        await registry.put(mrn, declaration([house('L1')]));
        await registry.database.transact(async (transaction) => {
          await transaction.query({
            name: '',
            text: `select pg_advisory_xact_lock(${FEED_LOCK}, id) from organisation order by id`,
            values: [],
          });
          assert.equal(await expire(inAnHour()), 0);
        }, 'maintenance');
        assert.equal(await expire(inAnHour()), 1);
      });
    }

    test('a server examines all of them once in six hours', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([house('M1')]));
      const run = makeExpireUnpresented(context());
      assert.equal(await sum(run(inAnHour())), 1);
      await registry.put(mrn, declaration([house('M1')]));
      assert.equal(await sum(run(inAnHour())), 0);
      assert.equal(await sum(makeExpireUnpresented(context())(inAnHour())), 1);
    });
  });
}
