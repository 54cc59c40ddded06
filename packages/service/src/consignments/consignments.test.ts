// Finding house consignments and reading their history over HTTP.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type {
  HouseConsignment,
  HouseConsignmentEvent,
  HouseConsignmentSearch,
  RoutingSignal,
} from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const BASE = '/api/authority/v1';
const DECLARANT = '0192:310000078';
const CARRIER = '0192:310000019';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`house consignments on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    let started: Date;
    before(async () => {
      started = new Date();
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const find = async (query: Record<string, string | number>, as = 'authority') => {
      const parameters = new URLSearchParams();
      for (const [key, value] of Object.entries(query)) parameters.set(key, String(value));
      return playground.get(`${BASE}/house-consignments?${parameters}`, as);
    };
    const found = async (query: Record<string, string | number>): Promise<HouseConsignment[]> => {
      const response = await find(query);
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as HouseConsignment[];
    };
    const documents = async (query: Record<string, string | number>) =>
      (await found(query)).map(
        ({
          entrySummaryDeclarationMRN: mrn = '',
          transportDocumentHouseLevel: { documentNumber },
        }) => `${mrn.slice(-1)} ${documentNumber}`,
      );
    const historyOf = async (id: string): Promise<HouseConsignmentEvent[]> => {
      const response = await playground.get(
        `${BASE}/house-consignments/${id}/history`,
        'authority',
      );
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as HouseConsignmentEvent[];
    };
    const theOne = async (query: Record<string, string | number>): Promise<HouseConsignment> => {
      const [one, ...others] = await found(query);
      assert(one && others.length === 0);
      return one;
    };

    test('each filter finds what matches it, and several filters must all match', async () => {
      const all = [
        '1 NO100000001MU',
        '2 NO100000002MU',
        '3 HC001',
        '3 HC002',
        '4 HC001',
        '4 HC002',
        '5 HC003',
        '5 HC004',
      ];
      const receptacleId = 'GBASFZMLBKONAUN30001001019999';
      const cases: [Record<string, string>, string[]][] = [
        [{}, all],
        [{ mrn: '23NO00000000000003' }, ['3 HC001', '3 HC002']],
        [{ documentNumber: 'HC001' }, ['3 HC001', '4 HC001']],
        [{ documentNumber: 'HC001', type: 'N703' }, ['4 HC001']],
        [{ documentNumber: 'HC001', mrn: '23NO00000000000004' }, ['4 HC001']],
        [{ documentNumber: 'HC001', mrn: '23NO00000000000005' }, []],
        [{ type: 'N714' }, ['5 HC003', '5 HC004']],
        [{ receptacleId }, ['1 NO100000001MU', '2 NO100000002MU']],
        [{ containerId: 'JARU0000026' }, ['5 HC004']],
        [{ masterDocumentNumber: 'MAWB0003' }, ['3 HC001', '3 HC002']],
        [{ organisation: DECLARANT }, all],
        [{ organisation: '0192:000000000' }, []],
        [{ office: 'NO351001' }, all],
        [{ office: 'NO342001' }, []],
        [{ state: 'DECIDED' }, all],
        [{ state: 'PRE_NOTIFIED' }, []],
        [{ from: started.toISOString() }, all],
        [{ to: started.toISOString() }, []],
        [{ from: new Date(Date.now() + 60_000).toISOString() }, []],
        [
          { to: new Date(Date.now() + 60_000).toISOString(), containerId: 'JARU0000010' },
          ['5 HC003'],
        ],
      ];
      for (const [query, expected] of cases) {
        assert.deepEqual((await documents(query)).sort(), expected, JSON.stringify(query));
      }
    });

    test('pages follow each other by marker, and Link leads to the next page while more may follow', async () => {
      const all = await found({});
      const read: HouseConsignment[] = [];
      let path: string | undefined = `${BASE}/house-consignments?limit=3&office=NO351001`;
      let pages = 0;
      while (path !== undefined) {
        const response = await playground.get(path, 'authority');
        read.push(...(response.body as HouseConsignment[]));
        pages += 1;
        const link = response.headers.get('link');
        path = link?.match(/^<(.*)>; rel="next"$/)?.[1]?.replace(playground.playground.baseUrl, '');
      }
      assert.equal(pages, 3);
      assert.deepEqual(
        read.map(({ id }) => id),
        all.map(({ id }) => id),
      );
    });

    test('each invalid parameter is reported by its name, and only the authority may search', async () => {
      for (const [field, value] of [
        ['mrn', 'x'],
        ['type', 'N999'],
        ['receptacleId', 'x'],
        ['containerId', 'JARU0000011'],
        ['state', 'LOST'],
        ['office', 'Oslo'],
        ['from', 'yesterday'],
        ['marker', 'x'],
        ['limit', '0'],
        ['limit', '1001'],
      ] as const) {
        const response = await find({ [field]: value });
        assert.equal(response.status, 400, field);
        const { validationErrors } = response.body as { validationErrors: { field: string }[] };
        assert.deepEqual(
          validationErrors.map((error) => error.field),
          [field],
        );
      }
      assert.equal((await find({}, 'carrier')).status, 403);
      const [one] = await found({});
      const history = `${BASE}/house-consignments/${one?.id}/history`;
      assert.equal((await playground.get(history, 'carrier')).status, 403);
      for (const id of [randomUUID(), 'x']) {
        const response = await playground.get(
          `${BASE}/house-consignments/${id}/history`,
          'authority',
        );
        assert.equal(response.status, 404);
      }
    });

    const search = async (query: Record<string, string>): Promise<HouseConsignmentSearch> => {
      const response = await playground.get(
        `${BASE}/house-consignment-search?${new URLSearchParams(query)}`,
        'authority',
      );
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as HouseConsignmentSearch;
    };

    test('a search finds what has an identifier of any kind that begins with the text', async () => {
      const cases: [string, number][] = [
        ['23NO0000000000000', 8],
        ['23NO00000000000003', 2],
        ['HC0', 6],
        ['HC001', 2],
        ['MAWB0003', 2],
        ['GBASFZ', 2],
        ['JARU00000', 2],
        ['JARU0000026', 1],
        ['hc 0', 6],
        // A document number and an MRN have to begin with it.
        ['C001', 0],
        // Nothing in it is a pattern.
        ['HC%', 0],
        ['HC_', 0],
      ];
      for (const [identifier, expected] of cases) {
        const { houseConsignments, complete } = await search({ identifier });
        assert.equal(houseConsignments.length, expected, identifier);
        assert.equal(complete, true, identifier);
      }
      const filtered = await search({ identifier: 'HC0', state: 'PRESENTED' });
      assert.deepEqual(filtered, { houseConsignments: [], complete: true });
    });

    test('a search that finds more than the limit says so', async () => {
      const some = await search({ identifier: 'HC0', limit: '5' });
      assert.deepEqual([some.houseConsignments.length, some.complete], [5, false]);
      const all = await search({ identifier: 'HC0', limit: '6' });
      assert.deepEqual([all.houseConsignments.length, all.complete], [6, true]);
    });

    test('a search for fewer than 3 characters is refused, and only the authority may search', async () => {
      const path = `${BASE}/house-consignment-search?identifier=`;
      for (const identifier of ['HC', '%00%00%00', '%20%20%20', 'A'.repeat(71)]) {
        const response = await playground.get(path + identifier, 'authority');
        assert.equal(response.status, 400, identifier);
        assert.match(response.text, /"field":"identifier"/);
      }
      assert.equal((await playground.get(`${path}HC0`, 'carrier')).status, 403);
    });

    test('one house consignment is read by its id', async () => {
      const [one] = await found({});
      const path = `${BASE}/house-consignments/${one?.id}`;
      assert.deepEqual((await playground.get(path, 'authority')).body, one);
      assert.equal((await playground.get(path, 'carrier')).status, 403);
      for (const id of [randomUUID(), 'x']) {
        const response = await playground.get(`${BASE}/house-consignments/${id}`, 'authority');
        assert.equal(response.status, 404);
      }
    });

    test('a consignment shows its state, and its history every presentation, decision, signal and read', async () => {
      const document = { documentNumber: 'HC002', type: 'N740' };
      const before = await theOne(document);
      assert.equal(before.state, 'DECIDED');
      assert.equal(before.presented, undefined);

      const requestId = randomUUID();
      const presenting = { transportDocumentHouseLevel: document };
      await playground.present('house-consignment', 'carrier', presenting, requestId);
      const signals = '/api/movement/routing/v1/house-consignment';
      const [signal] = (await playground.get(signals, 'carrier')).body as RoutingSignal[];
      assert(signal);
      const decided = await playground.post(`${BASE}/routing-decisions`, 'authority', [
        {
          mrn: before.entrySummaryDeclarationMRN,
          transportDocumentHouseLevel: document,
          routing: 'TO_ENTRY',
          reason: 'documents were checked',
        },
      ]);
      assert.equal(decided.status, 200, decided.text);
      const later = (
        await playground.get(`${signals}?marker=${signal.routingResult.id}`, 'carrier')
      ).body as RoutingSignal[];
      assert.equal(later.length, 1);

      const current = await theOne(document);
      assert.equal(current.state, 'SIGNALLED');
      assert.equal(current.routing, 'TO_ENTRY');
      assert.deepEqual([current.presented?.by, current.presented?.requestId], [CARRIER, requestId]);
      assert.deepEqual(current.lastSignal, {
        at: later[0]?.routingResult.documentIssueDate,
        routing: 'TO_ENTRY',
      });
      assert.deepEqual(await documents({ state: 'SIGNALLED' }), ['3 HC002']);
      assert.deepEqual(await documents({ organisation: CARRIER }), ['3 HC002']);

      // Feed accesses are recorded within about a second.
      let history = await historyOf(before.id);
      for (let times = 0; history.filter(({ event }) => event === 'READ').length < 2; times++) {
        assert(times < 50, JSON.stringify(history, null, 2));
        await new Promise((resolve) => setTimeout(resolve, 100));
        history = await historyOf(before.id);
      }
      const events = history.map(({ event, organisation }) => `${event} ${organisation ?? '-'}`);
      assert.deepEqual(
        events.filter((text) => !text.startsWith('READ')),
        [
          'PRE_NOTIFIED -',
          'DECIDED -',
          `PRESENTED ${CARRIER}`,
          `SIGNALLED ${CARRIER}`,
          `SIGNALLED ${DECLARANT}`,
          'DECIDED 0192:310000043',
          `SIGNALLED ${CARRIER}`,
          `SIGNALLED ${DECLARANT}`,
        ],
      );
      const presented = history.find(({ event }) => event === 'PRESENTED');
      assert.deepEqual(presented?.requestId, requestId);
      assert.deepEqual(presented?.details, {
        level: 'HOUSE_CONSIGNMENT',
        customsOfficeOfPresentation: 'NO351001',
      });
      const decision = history.findLast(({ event }) => event === 'DECIDED');
      assert.equal(decision?.client, 'playground-authority');
      assert.equal(decision?.details?.reason, 'documents were checked');
      const reads = history.filter(({ event }) => event === 'READ');
      assert.deepEqual(
        reads.map(({ organisation, client, details }) => [organisation, client, details]),
        [signal, ...later].map(({ routingResult: { id } }) => [
          CARRIER,
          'playground-carrier',
          { id, days: 1 },
        ]),
      );
      assert.deepEqual(
        history.map(({ at }) => at),
        history.map(({ at }) => at).sort(),
      );
    });

    test('a consignment that was changed and then withdrawn keeps its history', async () => {
      const mrn = '26NO00000000000042';
      const put = (house: object) =>
        playground.call(`${BASE}/entry-summary-declarations/${mrn}`, {
          as: 'authority',
          method: 'PUT',
          body: {
            mrn,
            customsOfficeOfFirstEntry: 'NO342001',
            declarant: CARRIER,
            houseConsignments: [
              { transportDocumentHouseLevel: { documentNumber: 'W1', type: 'N740' }, ...house },
            ],
          },
        });
      assert.equal((await put({})).status, 201);
      assert.equal((await theOne({ mrn })).harmonizedSystemSubheadingCode, undefined);
      const more = { containerId: ['JARU0000010'], harmonizedSystemSubheadingCode: ['640399'] };
      assert.equal((await put(more)).status, 200);
      const { id, state, containerId, harmonizedSystemSubheadingCode } = await theOne({ mrn });
      assert.equal(state, 'PRE_NOTIFIED');
      assert.deepEqual({ containerId, harmonizedSystemSubheadingCode }, more);
      const gone = await playground.call(`${BASE}/entry-summary-declarations/${mrn}`, {
        as: 'authority',
        method: 'DELETE',
      });
      assert(gone.status < 300, gone.text);
      assert.deepEqual(await found({ mrn }), []);
      const history = await historyOf(id);
      assert.deepEqual(
        history.map(({ event, organisation, client }) => [event, organisation, client]),
        [
          ['PRE_NOTIFIED', '0192:310000043', 'playground-authority'],
          ['CHANGED', '0192:310000043', 'playground-authority'],
          ['WITHDRAWN', '0192:310000043', 'playground-authority'],
        ],
      );
      assert.deepEqual(history[1]?.details, {
        members: Object.keys(more),
        from: {},
        to: more,
      });
    });
  });
}
