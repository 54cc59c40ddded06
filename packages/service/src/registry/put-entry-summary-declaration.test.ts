// Registering and changing an ENS over HTTP: what is stored, signalled and recorded.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  EntrySummaryDeclarationEntry,
  EntrySummaryDeclarationResult,
} from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`registering a declaration on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    test('a declaration is stored as it was put, and its goods can be presented', async () => {
      const mrn = registry.nextMrn();
      const entry = declaration(
        [
          house('REG-1', {
            transportDocumentMasterLevel: { documentNumber: '11712345675', type: 'N741' },
            receptacleId: 'GBASFZMLBKONAUN30001001019999',
            containerId: ['JARU0000026', 'JARU0000010'],
            harmonizedSystemSubheadingCode: ['640399', '030214'],
            routing: 'TO_CONTROL',
            routingControlLocation: 'ON_ENTRY',
          }),
          house('REG-2'),
        ],
        {
          representative: '0192:310000027',
          estimatedTimeOfArrival: '2026-11-21T14:30:00.000Z',
          activeBorderTransportMeans: {
            identificationNumber: 'SK4711',
            typeOfIdentification: '40',
          },
        },
      );
      const first = await registry.put(mrn, entry);
      assert.equal(first.status, 201, first.text);
      assert.deepEqual(first.body, {
        mrn,
        status: 'REGISTERED',
        houseConsignments: { added: 2, changed: 0, removed: 0, unchanged: 0 },
      });
      assert.deepEqual((await registry.get(mrn)).body, { mrn, ...entry });
      assert.equal((await registry.present('REG-1', mrn)).status, 202);
      const signals = (await registry.playground.get(ROUTING, 'carrier')).body;
      assert(Array.isArray(signals));
      assert.deepEqual(signals.at(-1).containerId, ['JARU0000026', 'JARU0000010']);
      assert.equal(signals.at(-1).estimatedTimeOfArrival, '2026-11-21T14:30:00.000Z');
      assert.equal('harmonizedSystemSubheadingCode' in signals.at(-1), false);
    });

    test('an equal declaration writes nothing, whatever its form', async () => {
      const mrn = registry.nextMrn();
      const decided = house('SAME-1', {
        routing: 'TO_ENTRY',
        harmonizedSystemSubheadingCode: ['640399', '030214'],
      });
      const entry = declaration([decided, house('SAME-2'), house('SAME-3')], {
        estimatedTimeOfArrival: '2026-11-21T14:30:00Z',
        declarant: 'NTRDE-HRB4711',
      });
      assert.equal((await registry.put(mrn, entry)).status, 201);
      const before = await registry.snapshot();
      const equal = {
        ...entry,
        mrn,
        estimatedTimeOfArrival: '2026-11-21T15:30:00+01:00',
        representative: null,
        houseConsignments: [
          {
            ...house('SAME-2', {
              containerId: [],
              receptacleId: null,
              harmonizedSystemSubheadingCode: [],
            }),
          },
          decided,
          house('SAME-3', { harmonizedSystemSubheadingCode: null }),
        ],
      };
      const again = await registry.put(mrn, equal);
      assert.equal(again.status, 200, again.text);
      assert.deepEqual(again.body, {
        mrn,
        status: 'UNCHANGED',
        houseConsignments: { added: 0, changed: 0, removed: 0, unchanged: 3 },
      });
      const read = await registry.get(mrn);
      assert.equal((await registry.put(mrn, read.body)).text.includes('UNCHANGED'), true);
      assert.deepEqual(await registry.snapshot(), before);
    });

    test('a change replaces what is not presented, and has one audit record with an event for each consignment', async () => {
      const mrn = registry.nextMrn();
      await registry.put(
        mrn,
        declaration([house('A'), house('B'), house('C', { routing: 'TO_ENTRY' })]),
      );
      const changed = await registry.put(
        mrn,
        declaration([
          house('B', { containerId: ['JARU0000010'] }),
          house('C', { routing: 'TO_CONTROL' }),
          house('D'),
        ]),
      );
      assert.deepEqual(changed.body, {
        mrn,
        status: 'CHANGED',
        houseConsignments: { added: 1, changed: 2, removed: 1, unchanged: 0 },
      });
      const records = await registry.database.query<{ entry: string; events: string }>({
        name: 'test-last-record',
        text: `select r.entry, (select json_agg(e.entry::json -> 'action' order by index) from consignment_event e
            where e.chain = r.chain and e.position = r.position) as events
          from audit_record r where r.entry like $1`,
        values: [`%${mrn}%`],
      });
      assert.deepEqual(
        records.map(({ events }) => events),
        [null, ['withdrawn', 'changed', 'changed']],
      );
      assert.equal((await registry.present('C', mrn)).status, 202);
      const signals = (await registry.playground.get(ROUTING, 'forwarder')).body;
      assert(Array.isArray(signals));
      assert.equal(signals.at(-1).routingResult.routing, 'TO_CONTROL');
      assert.equal((await registry.present('A', mrn)).status, 400);
      assert.equal(
        (
          await registry.playground.present('container', 'forwarder', {
            containerId: 'JARU0000010',
          })
        ).status,
        202,
      );
    });

    test('adding, changing and removing subheadings are each a change of the house consignment', async () => {
      const mrn = registry.nextMrn();
      const putCodes = async (
        codes: readonly string[] | undefined,
        more: Partial<EntrySummaryDeclarationEntry> = {},
      ) => {
        const entry = declaration(
          [house('HS-1', { harmonizedSystemSubheadingCode: codes }), house('HS-2')],
          more,
        );
        const response = await registry.put(mrn, entry);
        // The casts are true because the responses were checked against openapi.json.
        const { houseConsignments } = (await registry.get(mrn))
          .body as EntrySummaryDeclarationEntry;
        const [one, other] = houseConsignments;
        assert.equal(other?.harmonizedSystemSubheadingCode, undefined);
        const { changed } = (response.body as EntrySummaryDeclarationResult).houseConsignments;
        return [changed, one?.harmonizedSystemSubheadingCode];
      };
      assert.deepEqual(await putCodes(undefined), [0, undefined]);
      assert.deepEqual(await putCodes(['030214']), [1, ['030214']]);
      assert.deepEqual(await putCodes(['030214', '640399']), [1, ['030214', '640399']]);
      // The order is significant, as it is for containers.
      assert.deepEqual(await putCodes(['640399', '030214']), [1, ['640399', '030214']]);
      const later = { estimatedTimeOfArrival: '2026-12-01T00:00:00.000Z' };
      assert.deepEqual(await putCodes(['640399', '030214'], later), [0, ['640399', '030214']]);
      assert.deepEqual(await putCodes([], later), [1, undefined]);
      const events = await registry.database.query<{ details: string }>({
        name: 'test-house-events',
        text: `
          select ((e.entry::jsonb -> 'details') - 'from' - 'to' - 'registration' - 'mrn')::text as details
          from entry_summary_declaration d
          join house_consignment h on h.ens_id = d.id and h.document_number = 'HS-1'
          join consignment_event e on e.house_consignment_id in
            (h.id, ('00000000-0000-8000-8000-' || lpad(to_hex(d.id), 12, '0'))::uuid)
          where d.mrn = $1 order by details`,
        values: [mrn],
      });
      assert.deepEqual(
        events.map(({ details }) => details),
        [
          '{"declaration": ["estimatedTimeOfArrival"]}',
          ...Array(4).fill('{"members": ["harmonizedSystemSubheadingCode"]}'),
        ],
      );
    });

    test('a later arrival is in all signals, and does not count as a change of the house consignments', async () => {
      const mrn = registry.nextMrn();
      const houses = [house('E', { routing: 'TO_ENTRY' }), house('F', { routing: 'TO_ENTRY' })];
      await registry.put(mrn, declaration(houses));
      const delayed = await registry.put(
        mrn,
        declaration(houses, { estimatedTimeOfArrival: '2026-12-01T00:00:00Z' }),
      );
      assert.deepEqual(delayed.body, {
        mrn,
        status: 'CHANGED',
        changed: ['estimatedTimeOfArrival'],
        houseConsignments: { added: 0, changed: 0, removed: 0, unchanged: 2 },
      });
      await registry.playground.present('entry-summary-declaration', 'forwarder', { mrn });
      const signals = (await registry.playground.get(ROUTING, 'forwarder')).body;
      assert(Array.isArray(signals));
      for (const signal of signals.slice(-2)) {
        assert.equal(signal.estimatedTimeOfArrival, '2026-12-01T00:00:00.000Z');
      }
    });

    test('an organisation that a declaration names for the first time is added', async () => {
      const mrn = registry.nextMrn();
      await registry.put(
        mrn,
        declaration([], { declarant: '0192:999888777', representative: 'VATDE-1' }),
      );
      const added = await registry.playground.get(
        '/api/authority/v1/organisations/VATDE-1',
        'authority',
      );
      assert.deepEqual([added.status, (added.body as { kind: string }).kind], [200, 'foreign']);
    });

    test('a large declaration is returned complete and in the order in which it was put', async () => {
      const mrn = registry.nextMrn();
      const houses = Array.from({ length: 2000 }, (_, number) => house(`L${number}`));
      assert.equal((await registry.put(mrn, declaration(houses))).status, 201);
      const read = (await registry.get(mrn)).body as { houseConsignments: unknown };
      assert.deepEqual(read.houseConsignments, houses);
    });
  });
}
