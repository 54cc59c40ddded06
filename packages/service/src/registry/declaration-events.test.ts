// What changes of a declaration's members leave in the history of its house consignments: one event, however many there are.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment, HouseConsignmentEvent } from '@landfall/contract';
import { verifyAudit } from '../audit/verify-audit.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';

const GOODS = '/api/authority/v1/house-consignments';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`changes of a declaration on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    const read = async <Body>(path: string): Promise<Body> => {
      const response = await registry.playground.get(path, 'authority');
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as Body;
    };
    /** Each change of the declaration in the history of its goods with a document, as `member from to`. */
    const changesOf = async (mrn: string, documentNumber: string, state = '') => {
      const goods = await read<HouseConsignment[]>(`${GOODS}?mrn=${mrn}${state}`);
      const found = goods.find(
        (one) => one.transportDocumentHouseLevel.documentNumber === documentNumber,
      );
      const history = await read<HouseConsignmentEvent[]>(`${GOODS}/${found?.id}/history`);
      return history
        .filter(({ event }) => event === 'CHANGED')
        .map(({ details }) => {
          const { declaration: members, from, to, ...others } = details as Record<string, object>;
          assert.deepEqual(others, {});
          return `${members} ${JSON.stringify(from)} ${JSON.stringify(to)}`;
        });
    };

    test('one event is in the history of all that the declaration had then, and of nothing else', async () => {
      const mrn = registry.nextMrn();
      const all = Array.from({ length: 40 }, (_, index) => house(`E${index}`));
      const put = async (houses: typeof all, more: object) => {
        const response = await registry.put(mrn, declaration(houses, more));
        assert(response.status < 300, response.text);
      };
      const events = async () => {
        const text = 'select count(*)::integer as count from consignment_event';
        const [row] = await registry.database.query<{ count: number }>({
          name: '',
          text,
          values: [],
        });
        return row?.count ?? 0;
      };
      await put(all, {});
      const before = await events();
      const [first, second] = ['0192:310000027', '0192:310000035'];
      await put(all, { presenters: [first] });
      assert.equal(await events(), before + 1);
      // E39 is withdrawn with this change, and E40 is added with it: neither is changed by it.
      await put([...all.slice(0, 39), house('E40')], {
        presenters: [first],
        representative: second,
      });
      assert.equal(await events(), before + 3);
      await put([...all.slice(0, 39), house('E40')], {
        presenters: [second],
        representative: second,
      });

      const presenters = `presenters {} {"presenters":["${first}"]}`;
      const representative = `representative {} {"representative":"${second}"}`;
      const others = `presenters {"presenters":["${first}"]} {"presenters":["${second}"]}`;
      assert.deepEqual(await changesOf(mrn, 'E0'), [presenters, representative, others]);
      assert.deepEqual(await changesOf(mrn, 'E40'), [others]);
      assert.deepEqual(await changesOf(mrn, 'E39', '&state=WITHDRAWN'), [presenters]);

      // What returns has what was changed meanwhile, what was changed with it, and what comes after it.
      await put(all, { presenters: [first], representative: second });
      const back = `presenters {"presenters":["${second}"]} {"presenters":["${first}"]}`;
      const meanwhile = [presenters, representative, others, back];
      assert.deepEqual(await changesOf(mrn, 'E39'), meanwhile);
      await put(all, { presenters: [second], representative: second });
      assert.deepEqual(await changesOf(mrn, 'E39'), [...meanwhile, others]);
      // Also if the whole declaration was withdrawn.
      assert.equal((await registry.withdraw(mrn)).status, 200);
      assert.deepEqual(await changesOf(mrn, 'E39', '&state=WITHDRAWN'), [...meanwhile, others]);
      await put(all, { presenters: [first], representative: second });
      assert.deepEqual(await changesOf(mrn, 'E39'), [...meanwhile, others, back]);
      const { breaks } = await verifyAudit(registry.database, feedKinds);
      assert.deepEqual(breaks, []);
    });
  });
}
