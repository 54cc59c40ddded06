// A declaration that is no ENS is beside those that are: whoever asks for an ENS does not find it, and its goods are presented,
// decided and found like all others, by a document that an ENS has only with their MRN.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment, Problem, ValidationStatus } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { expireEmptyDeclarations, expireUnpresented } from '../retention/expire-unpresented.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  DECLARATIONS,
  declaration,
  errorsOf,
  house,
  TestRegistry,
} from '../testing/registry-client.js';

const inAnHour = () => new Date(Date.now() + 3_600_000);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`declarations of other kinds on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    const lodge: TestRegistry['lodge'] = (...goods) => registry.lodge(...goods);
    const notify: TestRegistry['notify'] = (goods) => registry.notify(goods);
    const find = async (mrn: string) =>
      (
        await registry.playground.get(
          `/api/authority/v1/house-consignments?mrn=${mrn}`,
          'authority',
        )
      ).body as HouseConsignment[];
    const present = (level: string, reference: Record<string, unknown>) =>
      registry.playground.present(level, 'forwarder', reference);
    /** What came of presenting: the MRN that was reached if it is the only one, the number of goods, the code of an error. */
    const presented = async (level: string, reference: Record<string, unknown>) => {
      const requestId = randomUUID();
      await registry.playground.present(level, 'forwarder', reference, requestId);
      const { body } = await registry.playground.get(
        `/api/movement/presentation/v1/validation-status/${requestId}`,
        'forwarder',
      );
      const { mrn, houseConsignments, validationErrorList } = body as ValidationStatus;
      return [mrn, houseConsignments, validationErrorList?.[0]?.code];
    };
    const statesOf = async (...mrns: string[]) =>
      (await Promise.all(mrns.map(find))).map((goods) => goods.map(({ state }) => state).join());

    test('the authority neither reads it as an ENS nor withdraws it', async () => {
      const mrn = await lodge([house('R1')]);
      assert.equal((await registry.get(mrn)).status, 404);
      assert.equal((await registry.withdraw(mrn)).status, 404);
      assert.equal((await find(mrn)).length, 1);
    });

    test('no ENS gets its MRN: it is refused at once, and nothing is changed', async () => {
      const entry = declaration([house('D1')]);
      for (const kind of ['TRANSPORT', 'MASTER', 'HOUSE']) {
        const mrn = await lodge([house('D2')], kind);
        const before = await registry.snapshot();
        assert.deepEqual(errorsOf(await registry.put(mrn, entry)), ['mrn DUPLICATE']);
        const uploaded = await registry.playground.call(DECLARATIONS, {
          as: 'authority',
          method: 'POST',
          headers: { 'content-type': 'application/x-ndjson' },
          raw: [
            { ...declaration([]), mrn },
            { mrn, houseConsignment: house('D3') },
            { ...declaration([]), mrn: registry.nextMrn() },
          ]
            .map((line) => JSON.stringify(line))
            .join('\n'),
        });
        assert.deepEqual(
          uploaded.text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
            .map(({ status, validationErrors }) => [status, validationErrors?.[0].code]),
          [
            ['REFUSED', 'DUPLICATE'],
            ['REFUSED', 'REFERENCE_NOT_FOUND'],
            ['REGISTERED', undefined],
          ],
        );
        const unknown = registry.nextMrn();
        const withdrawn = await registry.withdraw(mrn);
        assert.equal(withdrawn.status, 404);
        const { detail } = withdrawn.body as Problem;
        const expected = (await registry.withdraw(unknown)).body as Problem;
        assert.equal(detail?.replace(mrn, unknown), expected.detail);
        const [{ houses }, { houses: earlier }] = [await registry.snapshot(), before].map(
          ([each]) => each as { houses: string },
        ) as [{ houses: string }, { houses: string }];
        assert.equal(houses, earlier);
      }
    });

    test('a document under an ENS means that of the ENS, to whoever presents and decides', async () => {
      const lodged = [await lodge([house('E-1')]), await lodge([house('E-1')])] as const;
      assert.deepEqual(await presented('house-consignment', house('E-1')), [
        undefined,
        2,
        'REFERENCE_AMBIGUOUS',
      ]);
      const ens = await notify([house('E-1')]);
      const decided = await registry.playground.post(
        '/api/authority/v1/routing-decisions',
        'authority',
        [{ ...house('E-1'), routing: 'TO_ENTRY' }],
      );
      assert.match(decided.text, /"DECIDED"/);
      assert.deepEqual(await presented('house-consignment', house('E-1')), [ens, 1, undefined]);
      assert.deepEqual(await statesOf(ens, ...lodged), [
        'SIGNALLED',
        'PRE_NOTIFIED',
        'PRE_NOTIFIED',
      ]);
      const [mrn] = lodged;
      assert.deepEqual(await presented('house-consignment', { ...house('E-1'), mrn }), [
        mrn,
        1,
        undefined,
      ]);

      const other = await notify([house('E-1')]);
      assert.deepEqual(await presented('house-consignment', house('E-1')), [
        undefined,
        2,
        'REFERENCE_AMBIGUOUS',
      ]);
      const failures = async (of: string) => {
        const { body } = await registry.playground.get(
          `/api/movement/presentation/v1/validation-status/${of}`,
          'forwarder',
        );
        return (body as ValidationStatus[]).filter(({ status }) => status === 'FAILURE').length;
      };
      assert.deepEqual([await failures(ens), await failures(other)], [1, 1]);
      // The one before there was an ENS.
      assert.deepEqual([await failures(lodged[0]), await failures(lodged[1])], [1, 1]);
    });

    test('goods are decided by their document alone if no ENS has it and it is theirs alone', async () => {
      const decide = async (documentNumber: string) =>
        (
          await registry.playground.post('/api/authority/v1/routing-decisions', 'authority', [
            { ...house(documentNumber), routing: 'TO_ENTRY' },
          ])
        ).text;
      const first = await lodge([house('E-2')]);
      assert.match(await decide('E-2'), /"DECIDED"/);
      assert.deepEqual(await statesOf(first), ['DECIDED']);
      await lodge([house('E-2')]);
      assert.match(await decide('E-2'), /REFERENCE_AMBIGUOUS/);
      // Servers of the previous release find no such goods, with an MRN and without.
      const [row] = await registry.database.query<{ houses: number[] }>({
        name: '',
        text: `select array(select houses from (values ($1), (null)) given (mrn)
          cross join lateral find_house_consignment(mrn, 'E-2', 'N740')) as houses`,
        values: [first],
      });
      assert.deepEqual(row?.houses, [0, 0]);
    });

    test('a master document under an ENS means that of the ENS; receptacles and containers reach goods of every kind', async () => {
      const master = { transportDocumentMasterLevel: { documentNumber: 'E-M', type: 'N741' } };
      const receptacle = { receptacleId: 'SEMMAASEOSLBAUN12345600010001' };
      const container = { containerId: 'CSQU3054383' };
      const goods = { ...master, ...receptacle, containerId: [container.containerId] };
      const lodged = await lodge([house('E-3', goods), house('E-4', goods)]);
      assert.deepEqual(await presented('master-consignment', master), [lodged, 2, undefined]);
      const ens = await notify([house('E-3', goods)]);
      const other = await lodge([house('E-5', goods)]);
      assert.deepEqual(await presented('master-consignment', master), [ens, 1, undefined]);
      assert.deepEqual(await statesOf(other), ['PRE_NOTIFIED']);
      assert.deepEqual(await presented('master-consignment', { ...master, mrn: other }), [
        other,
        1,
        undefined,
      ]);
      assert.deepEqual(await presented('receptacle', receptacle), [undefined, 4, undefined]);
      assert.deepEqual(await presented('container', container), [undefined, 4, undefined]);
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
