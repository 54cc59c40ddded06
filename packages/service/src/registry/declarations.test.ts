// Putting, reading and withdrawing an ENS over HTTP: what it changes, and what it refuses.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  EntrySummaryDeclarationEntry,
  EntrySummaryDeclarationResult,
  Problem,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import { testDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const base = '/api/authority/v1/entry-summary-declarations';
const ROUTING = '/api/movement/routing/v1/house-consignment';

const house = (documentNumber: string, more: object = {}) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
  ...more,
});

for (const { name, skip, open } of await testDatabases()) {
  describe(`an entry summary declaration on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let last = 0;

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
    });
    after(() => playground.close());

    /** An MRN that no other test uses. */
    const nextMrn = () => `26NO${String(++last).padStart(14, '0')}`;
    const declarant = '0192:310000019';
    const declaration = (
      houseConsignments: EntrySummaryDeclarationEntry['houseConsignments'],
      more: Partial<EntrySummaryDeclarationEntry> = {},
    ): EntrySummaryDeclarationEntry => ({
      customsOfficeOfFirstEntry: 'NO351001',
      declarant,
      houseConsignments,
      ...more,
    });
    const put = (mrn: string, body: unknown, as = 'authority') =>
      playground.call(`${base}/${mrn}`, { as, method: 'PUT', body });
    const get = (mrn: string) => playground.get(`${base}/${mrn}`, 'authority');
    const withdraw = (mrn: string) =>
      playground.call(`${base}/${mrn}`, { as: 'authority', method: 'DELETE' });
    const present = (documentNumber: string, mrn: string) =>
      playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        mrn,
      });
    /** Everything in the registry's tables: what a registration that changes nothing leaves as it is. */
    const snapshot = () =>
      database.query({
        name: 'test-registry-snapshot',
        text: `select
          (select json_agg(e order by e.id) from entry_summary_declaration e)::text as declarations,
          (select json_agg(json_build_array(h, h.xmin::text) order by h.id) from house_consignment h)::text as houses,
          (select count(*) from house_consignment_container) as containers,
          (select count(*) from registration) as registrations,
          (select count(*) from audit_record
            where entry like '%"action":"entry-summary-declaration.%') as records,
          (select count(*) from organisation) as organisations`,
        values: [],
      });
    const errorsOf = (answer: { body: unknown }) =>
      (answer.body as Problem).validationErrors?.map(({ field, code }) => `${field} ${code}`) ?? [];

    test('is registered, told as it was put, and found by who presents', async () => {
      const mrn = nextMrn();
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
      const first = await put(mrn, entry);
      assert.equal(first.status, 201, first.text);
      assert.deepEqual(first.body, {
        mrn,
        status: 'REGISTERED',
        houseConsignments: { added: 2, changed: 0, removed: 0, unchanged: 0 },
      });
      assert.deepEqual((await get(mrn)).body, { mrn, ...entry });
      assert.equal((await present('REG-1', mrn)).status, 202);
      const signals = (await playground.get(ROUTING, 'carrier')).body;
      assert(Array.isArray(signals));
      assert.deepEqual(signals.at(-1).containerId, ['JARU0000026', 'JARU0000010']);
      assert.equal(signals.at(-1).estimatedTimeOfArrival, '2026-11-21T14:30:00.000Z');
      assert.equal('harmonizedSystemSubheadingCode' in signals.at(-1), false);
    });

    test('the same again writes nothing at all, in whatever form it is told', async () => {
      const mrn = nextMrn();
      const decided = house('SAME-1', {
        routing: 'TO_ENTRY',
        harmonizedSystemSubheadingCode: ['640399', '030214'],
      });
      const entry = declaration([decided, house('SAME-2'), house('SAME-3')], {
        estimatedTimeOfArrival: '2026-11-21T14:30:00Z',
        declarant: 'NTRDE-HRB4711',
      });
      assert.equal((await put(mrn, entry)).status, 201);
      const before = await snapshot();
      const twin = {
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
            unknown: 'member',
          },
          decided,
          house('SAME-3', { harmonizedSystemSubheadingCode: null }),
        ],
      };
      const again = await put(mrn, twin);
      assert.equal(again.status, 200, again.text);
      assert.deepEqual(again.body, {
        mrn,
        status: 'UNCHANGED',
        houseConsignments: { added: 0, changed: 0, removed: 0, unchanged: 3 },
      });
      const read = await get(mrn);
      assert.equal((await put(mrn, read.body)).text.includes('UNCHANGED'), true);
      assert.deepEqual(await snapshot(), before);
    });

    test('a change replaces what is not presented, and is recorded once with an event for each', async () => {
      const mrn = nextMrn();
      await put(mrn, declaration([house('A'), house('B'), house('C', { routing: 'TO_ENTRY' })]));
      const changed = await put(
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
      const records = await database.query<{ entry: string; events: string }>({
        name: 'test-last-record',
        text: `select r.entry, (select json_agg(e.entry::json -> 'action' order by place) from consignment_event e
            where e.chain = r.chain and e.position = r.position) as events
          from audit_record r where r.entry like $1`,
        values: [`%${mrn}%`],
      });
      assert.deepEqual(
        records.map(({ events }) => events),
        [null, ['changed', 'changed', 'withdrawn']],
      );
      assert.equal((await present('C', mrn)).status, 202);
      const signals = (await playground.get(ROUTING, 'forwarder')).body;
      assert(Array.isArray(signals));
      assert.equal(signals.at(-1).routingResult.routing, 'TO_CONTROL');
      assert.equal((await present('A', mrn)).status, 400);
      assert.equal(
        (await playground.present('container', 'forwarder', { containerId: 'JARU0000010' })).status,
        202,
      );
    });

    test('what the goods are is told, changed and taken back, and each is a change of its own', async () => {
      const mrn = nextMrn();
      const tell = async (
        codes: readonly string[] | undefined,
        more: Partial<EntrySummaryDeclarationEntry> = {},
      ) => {
        const entry = declaration(
          [house('HS-1', { harmonizedSystemSubheadingCode: codes }), house('HS-2')],
          more,
        );
        const answer = await put(mrn, entry);
        const { houseConsignments } = (await get(mrn)).body as EntrySummaryDeclarationEntry;
        const [one, other] = houseConsignments;
        assert.equal(other?.harmonizedSystemSubheadingCode, undefined);
        const { changed } = (answer.body as EntrySummaryDeclarationResult).houseConsignments;
        return [changed, one?.harmonizedSystemSubheadingCode];
      };
      assert.deepEqual(await tell(undefined), [0, undefined]);
      assert.deepEqual(await tell(['030214']), [1, ['030214']]);
      assert.deepEqual(await tell(['030214', '640399']), [1, ['030214', '640399']]);
      // As of containers, the order is part of what is told.
      assert.deepEqual(await tell(['640399', '030214']), [1, ['640399', '030214']]);
      const later = { estimatedTimeOfArrival: '2026-12-01T00:00:00.000Z' };
      assert.deepEqual(await tell(['640399', '030214'], later), [0, ['640399', '030214']]);
      assert.deepEqual(await tell([], later), [1, undefined]);
      const events = await database.query<{ details: string }>({
        name: 'test-house-events',
        text: `select e.entry::json ->> 'details' as details from consignment_event e
          join house_consignment h on h.id = e.house_consignment_id
          join entry_summary_declaration d on d.id = h.ens_id
          where d.mrn = $1 and h.document_number = 'HS-1' order by details`,
        values: [mrn],
      });
      assert.deepEqual(
        events.map(({ details }) => details),
        [
          '{"declaration":["estimatedTimeOfArrival"]}',
          ...Array(4).fill('{"members":["harmonizedSystemSubheadingCode"]}'),
        ],
      );
    });

    test('a later arrival is what all its signals say, and is no change of its house consignments', async () => {
      const mrn = nextMrn();
      const houses = [house('E', { routing: 'TO_ENTRY' }), house('F', { routing: 'TO_ENTRY' })];
      await put(mrn, declaration(houses));
      const moved = await put(
        mrn,
        declaration(houses, { estimatedTimeOfArrival: '2026-12-01T00:00:00Z' }),
      );
      assert.deepEqual(moved.body, {
        mrn,
        status: 'CHANGED',
        changed: ['estimatedTimeOfArrival'],
        houseConsignments: { added: 0, changed: 0, removed: 0, unchanged: 2 },
      });
      await playground.present('entry-summary-declaration', 'forwarder', { mrn });
      const signals = (await playground.get(ROUTING, 'forwarder')).body;
      assert(Array.isArray(signals));
      for (const signal of signals.slice(-2)) {
        assert.equal(signal.estimatedTimeOfArrival, '2026-12-01T00:00:00.000Z');
      }
    });

    test('what contradicts a presentation is refused with every rule, and nothing is changed', async () => {
      const mrn = nextMrn();
      await put(mrn, declaration([house('P1'), house('P2', { routing: 'TO_ENTRY' }), house('P3')]));
      for (const document of ['P1', 'P2']) {
        assert.equal((await present(document, mrn)).status, 202);
      }
      const before = await snapshot();
      const refused = await put(
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
      assert.deepEqual(await snapshot(), before);

      const gone = await withdraw(mrn);
      assert.equal(gone.status, 400);
      assert.deepEqual(errorsOf(gone), ['mrn PRESENTED']);
      assert.deepEqual(await snapshot(), before);

      // What is not presented may go, change and come.
      const accepted = await put(
        mrn,
        declaration([house('P1'), house('P2', { routing: 'TO_ENTRY' }), house('P4')]),
      );
      assert.deepEqual(accepted.body, {
        mrn,
        status: 'CHANGED',
        houseConsignments: { added: 1, changed: 0, removed: 1, unchanged: 2 },
      });
    });

    test('a decision made since is not taken back by the same registration, but by a new one', async () => {
      const mrn = nextMrn();
      await put(mrn, declaration([house('R1', { routing: 'TO_ENTRY' }), house('R2')]));
      const decide = (routing: string) =>
        database.query({
          name: 'test-decide',
          text: `update house_consignment set routing = $1
            where ens_id = (select id from entry_summary_declaration where mrn = $2)`,
          values: [routing, mrn],
        });
      const decisions = async () =>
        (
          await database.query<{ routing: string }>({
            name: 'test-decisions',
            text: `select routing from house_consignment
              where ens_id = (select id from entry_summary_declaration where mrn = $1) order by document_number`,
            values: [mrn],
          })
        ).map(({ routing }) => routing);
      await decide('TO_CONTROL');
      const same = declaration([house('R1', { routing: 'TO_ENTRY' }), house('R2')]);
      assert.match((await put(mrn, same)).text, /UNCHANGED/);
      // Another container is no decision either.
      const packed = { containerId: ['JARU0000026'] };
      await put(mrn, declaration([house('R1', { routing: 'TO_ENTRY', ...packed }), house('R2')]));
      assert.deepEqual(await decisions(), ['TO_CONTROL', 'TO_CONTROL']);
      // Saying nothing any more takes back what was said, not what was decided since.
      await put(mrn, declaration([house('R1'), house('R2', { routing: 'TO_ENTRY' })]));
      assert.deepEqual(await decisions(), ['TO_CONTROL', 'TO_ENTRY']);
      await put(mrn, declaration([house('R1'), house('R2')]));
      assert.deepEqual(await decisions(), ['TO_CONTROL', null]);
    });

    test('is withdrawn with its house consignments, once', async () => {
      const mrn = nextMrn();
      await put(mrn, declaration([house('W1', { containerId: ['JARU0000010'] }), house('W2')]));
      const gone = await withdraw(mrn);
      assert.equal(gone.status, 200, gone.text);
      assert.deepEqual(gone.body, {
        mrn,
        status: 'WITHDRAWN',
        houseConsignments: { added: 0, changed: 0, removed: 2, unchanged: 0 },
      });
      assert.equal((await withdraw(mrn)).status, 404);
      assert.equal((await get(mrn)).status, 404);
      assert.equal((await present('W1', mrn)).status, 400);
      assert.equal((await put(mrn, declaration([]))).status, 201);
    });

    test('an unknown organisation becomes known with it', async () => {
      const mrn = nextMrn();
      await put(mrn, declaration([], { declarant: '0192:999888777', representative: 'VATDE-1' }));
      const known = await playground.get('/api/authority/v1/organisations/VATDE-1', 'authority');
      assert.deepEqual([known.status, (known.body as { kind: string }).kind], [200, 'foreign']);
    });

    test('every identifier is checked, and all broken rules are told together', async () => {
      const mrn = nextMrn();
      const before = await snapshot();
      const refused = await put(mrn, {
        mrn: nextMrn(),
        customsOfficeOfFirstEntry: 'NO1',
        declarant: '0192:12345678',
        representative: 'two\nlines',
        estimatedTimeOfArrival: 'tomorrow',
        activeBorderTransportMeans: {
          identificationNumber: 'a\u0000b',
          typeOfIdentification: '40',
        },
        houseConsignments: [
          {
            transportDocumentHouseLevel: { documentNumber: 'x'.repeat(71), type: 'N999' },
            harmonizedSystemSubheadingCode: Array.from({ length: 1000 }, (_, code) =>
              String(100_000 + code),
            ),
          },
          house('I1', {
            receptacleId: 'GBASFZMLBKONAUN3000100101999',
            containerId: ['JARU0000011'],
            harmonizedSystemSubheadingCode: ['030214', '0302', 30214],
            routing: 'TO_NOWHERE',
          }),
          {
            transportDocumentMasterLevel: { documentNumber: 'M' },
            harmonizedSystemSubheadingCode: ['030214', '030214'],
          },
        ],
      });
      assert.equal(refused.status, 400);
      assert.deepEqual(errorsOf(refused).sort(), [
        'activeBorderTransportMeans.identificationNumber FORMAT',
        'customsOfficeOfFirstEntry FORMAT',
        'declarant FORMAT',
        'estimatedTimeOfArrival FORMAT',
        'houseConsignments.0.harmonizedSystemSubheadingCode SIZE',
        'houseConsignments.0.transportDocumentHouseLevel.documentNumber SIZE',
        'houseConsignments.0.transportDocumentHouseLevel.type UNKNOWN_CODE',
        'houseConsignments.1.containerId.0 FORMAT',
        'houseConsignments.1.harmonizedSystemSubheadingCode.1 FORMAT',
        'houseConsignments.1.harmonizedSystemSubheadingCode.2 FORMAT',
        'houseConsignments.1.receptacleId SIZE',
        'houseConsignments.1.routing UNKNOWN_CODE',
        'houseConsignments.2.harmonizedSystemSubheadingCode FORMAT',
        'houseConsignments.2.transportDocumentHouseLevel REQUIRED',
        'houseConsignments.2.transportDocumentMasterLevel.type REQUIRED',
        'mrn FORMAT',
        'representative FORMAT',
      ]);
      const beyond = await put(
        mrn,
        declaration(
          [house('I2', { routingControlLocation: 'ON_ENTRY', routing: 'TO_ENTRY' }), house('I2')],
          { customsOfficeOfFirstEntry: 'NO999999' },
        ),
      );
      assert.deepEqual(errorsOf(beyond).sort(), [
        'customsOfficeOfFirstEntry UNKNOWN_CODE',
        'houseConsignments.0.routingControlLocation FORMAT',
        'houseConsignments.1.transportDocumentHouseLevel FORMAT',
      ]);
      assert.deepEqual(await snapshot(), before);
    });

    test('text and times that no database can hold are refused at their members', async () => {
      const mrn = nextMrn();
      const before = await snapshot();
      const text = await put(
        mrn,
        declaration([house('\ud800'), house('S2\udc00')], {
          declarant: 'VATDE\u0000',
          representative: 'VATDE\udfff',
          activeBorderTransportMeans: {
            identificationNumber: '\ud800',
            typeOfIdentification: '\u0000',
          },
        }),
      );
      assert.deepEqual(errorsOf(text).sort(), [
        'activeBorderTransportMeans.identificationNumber FORMAT',
        'activeBorderTransportMeans.typeOfIdentification FORMAT',
        'declarant FORMAT',
        'houseConsignments.0.transportDocumentHouseLevel.documentNumber FORMAT',
        'houseConsignments.1.transportDocumentHouseLevel.documentNumber FORMAT',
        'representative FORMAT',
      ]);
      for (const estimatedTimeOfArrival of [
        '2016-12-31T23:59:60Z',
        '0000-01-01T00:00:00Z',
        '0001-01-01T00:00:00+01:00',
        '9999-12-31T23:59:59-01:00',
        '2026-01-01T00:00:00Z[Europe/Oslo]',
        '2026-02-30T00:00:00Z',
        `2026-01-01T00:00:00.${'0'.repeat(100)}Z`,
      ]) {
        const time = await put(mrn, declaration([], { estimatedTimeOfArrival }));
        assert.deepEqual(
          [time.status, ...errorsOf(time)],
          [400, 'estimatedTimeOfArrival FORMAT'],
          estimatedTimeOfArrival,
        );
      }
      assert.deepEqual(await snapshot(), before);
    });

    test('an address that is no MRN, and a token without the scope, are refused', async () => {
      assert.equal((await get('nonsense')).status, 400);
      assert.equal((await get('26NO99999999999999')).status, 404);
      assert.equal((await put(nextMrn(), declaration([]), 'carrier')).status, 403);
      const huge = await playground.call(`${base}/${nextMrn()}`, {
        as: 'authority',
        method: 'PUT',
        raw: `"${'x'.repeat(2 * 1024 * 1024)}"`,
      });
      assert.equal(huge.status, 413);
    });

    test('a large one is read whole, in the order in which it was put', async () => {
      const mrn = nextMrn();
      const houses = Array.from({ length: 2000 }, (_, number) => house(`L${number}`));
      assert.equal((await put(mrn, declaration(houses))).status, 201);
      const read = (await get(mrn)).body as { houseConsignments: unknown };
      assert.deepEqual(read.houseConsignments, houses);

      const tooMany = Array.from({ length: 2001 }, () => ({}));
      const refused = await put(mrn, { ...declaration([]), houseConsignments: tooMany });
      assert.equal(refused.status, 400);
      assert.match(refused.text, /size must be between 0 and 2000: add more in lines of their own/);
      assert.deepEqual(errorsOf(refused), ['houseConsignments SIZE']);
      const allWrong = await put(mrn, {
        ...declaration([]),
        houseConsignments: tooMany.slice(1),
      });
      assert.equal(errorsOf(allWrong).length, 100);
      assert.match(allWrong.text, /More than 100 rules are broken; the first 100 are reported/);
    });
  });
}
