// Listing what can be presented: house consignments and the levels above them, filtered and in pages.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../../../service/dist/testing/databases.js';
import { TestPlayground } from '../../../service/dist/testing/playground-client.js';
import type { DatasetPage, Presentable } from './dataset-query.js';
import { openDataset } from './dataset-source.js';

const named = '26NO00000000000001';
const unnamed = '26NO00000000000002';
const master = { documentNumber: 'M1', type: 'N741' };
const receptacles = ['GBASFZMLBKONAUN30001001019999', 'GBASFZMLBKONAUN30001002019999'];
const containers = ['JARU0000010', 'JARU0000026'];
const house = (documentNumber: string, more: object = {}) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N703' },
  ...more,
});

/** One declaration names handler-1 and has each kind of transport; another names nobody. */
const lines: object[] = [
  identity('handler-1', '0192:310000086'),
  identity('handler-2', '0192:310000094'),
  identity('no-grant', 'NTRSE-556000', { granted: [] }),
  {
    mrn: named,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: 'NTRSE-556000',
    presenters: ['0192:310000086'],
    houseConsignments: [
      house('H1', {
        transportDocumentMasterLevel: master,
        receptacleId: receptacles[0],
        routing: 'TO_ENTRY',
      }),
      house('H2', { transportDocumentMasterLevel: master, receptacleId: receptacles[1] }),
      house('H3', { transportDocumentMasterLevel: master, receptacleId: receptacles[1] }),
      house('H4', { containerId: containers }),
      house('H5'),
    ],
  },
  {
    mrn: unnamed,
    customsOfficeOfFirstEntry: 'NO342001',
    declarant: '0192:310000078',
    houseConsignments: [house('H6', { routing: 'TO_ENTRY' })],
  },
];

function identity(name: string, organisation: string, more: object = {}) {
  return { identity: { name, organisation, organisationName: name, ...more } };
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`what can be presented on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open(), {}, { dataset: openDataset(lines) });
      await playground.present('receptacle', 'handler-1', { receptacleId: receptacles[1] });
    });
    after(() => playground.close());

    async function list(query = ''): Promise<DatasetPage> {
      const { status, body, text } = await request(query);
      assert.equal(status, 200, text);
      return body;
    }

    async function request(query: string) {
      const response = await fetch(`${playground.playground.baseUrl}/playground/dataset?${query}`);
      const text = await response.text();
      return { status: response.status, text, body: JSON.parse(text) };
    }

    const houses = ({ entries }: DatasetPage) =>
      entries.map((entry) =>
        entry.level === 'HOUSE_CONSIGNMENT'
          ? entry.transportDocumentHouseLevel.documentNumber
          : entry.level,
      );

    test('house consignments have every reference, their state, who presented them and the decision', async () => {
      const { entries, next } = await list();
      assert.equal(next, undefined);
      assert.deepEqual(houses({ entries }), ['H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
      const [first, second] = entries;
      assert(first?.level === 'HOUSE_CONSIGNMENT' && second?.level === 'HOUSE_CONSIGNMENT');
      assert.deepEqual(
        [first.entrySummaryDeclarationMRN, first.transportDocumentMasterLevel, first.receptacleId],
        [named, master, receptacles[0]],
      );
      assert.deepEqual(
        [first.state, first.routing, first.presented],
        ['DECIDED', 'TO_ENTRY', undefined],
      );
      assert.deepEqual([second.state, second.presented?.by], ['PRESENTED', '0192:310000086']);
    });

    test('filters combine', async () => {
      const found: Record<string, string> = {
        'presented=true': 'H2 H3',
        'presented=false': 'H1 H4 H5 H6',
        'decided=true': 'H1 H6',
        'presented=false&decided=false': 'H4 H5',
        'identity=handler-1': 'H1 H2 H3 H4 H5 H6',
        'identity=handler-2': 'H6',
        'identity=no-grant': '',
        [`mrn=${named}&without=MASTER_CONSIGNMENT`]: 'H4 H5',
        [`mrn=${named}&without=MASTER_CONSIGNMENT,RECEPTACLE,CONTAINER`]: 'H5',
        [`receptacleId=${receptacles[1]}`]: 'H2 H3',
        [`containerId=${containers[1]}`]: 'H4',
        'masterDocumentNumber=M1&decided=false': 'H2 H3',
        'documentNumber=H5': 'H5',
      };
      for (const [query, expected] of Object.entries(found)) {
        assert.equal(houses(await list(query)).join(' '), expected, query);
      }
    });

    test('each level lists its references, as a presentation has them, with the numbers of goods', async () => {
      const declaration = {
        level: 'ENTRY_SUMMARY_DECLARATION',
        mrn: named,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: 'NTRSE-556000',
        houseConsignments: 5,
        presented: 2,
        decided: 1,
        masterConsignments: 1,
        receptacles: 2,
        containers: 2,
      };
      const numbers = {
        houseConsignments: 1,
        presented: 0,
        decided: 1,
        masterConsignments: 0,
        receptacles: 0,
        containers: 0,
      };
      const other = {
        ...numbers,
        level: 'ENTRY_SUMMARY_DECLARATION',
        mrn: unnamed,
        customsOfficeOfFirstEntry: 'NO342001',
        declarant: '0192:310000078',
      };
      const underMaster = { ...numbers, masterConsignments: 1, receptacles: 1 };
      const inContainer = { ...numbers, level: 'CONTAINER', decided: 0, containers: 2 };
      const found: Record<string, object[]> = {
        'level=ENTRY_SUMMARY_DECLARATION': [declaration, other],
        'level=ENTRY_SUMMARY_DECLARATION&identity=handler-2': [other],
        'level=ENTRY_SUMMARY_DECLARATION&presented=true': [
          {
            ...declaration,
            houseConsignments: 2,
            decided: 0,
            receptacles: 1,
            containers: 0,
          },
        ],
        [`level=MASTER_CONSIGNMENT&mrn=${named}`]: [
          {
            ...underMaster,
            level: 'MASTER_CONSIGNMENT',
            transportDocumentMasterLevel: master,
            houseConsignments: 3,
            presented: 2,
            receptacles: 2,
          },
        ],
        [`level=RECEPTACLE&mrn=${named}&masterDocumentNumber=M1`]: [
          { ...underMaster, level: 'RECEPTACLE', receptacleId: receptacles[0] },
          {
            ...underMaster,
            level: 'RECEPTACLE',
            receptacleId: receptacles[1],
            houseConsignments: 2,
            presented: 2,
            decided: 0,
          },
        ],
        [`level=CONTAINER&mrn=${named}&without=MASTER_CONSIGNMENT`]: containers.map(
          (containerId) => ({ ...inContainer, containerId }),
        ),
        [`level=RECEPTACLE&mrn=${unnamed}`]: [],
      };
      for (const [query, expected] of Object.entries(found)) {
        assert.deepEqual((await list(query)).entries, expected, query);
      }
    });

    test('pages of every level follow each other by their marker', async () => {
      for (const level of [
        'HOUSE_CONSIGNMENT',
        'ENTRY_SUMMARY_DECLARATION',
        'MASTER_CONSIGNMENT',
        'RECEPTACLE',
        'CONTAINER',
      ]) {
        const all = await list(`level=${level}`);
        const paged: Presentable[] = [];
        for (let marker: string | undefined = ''; marker !== undefined; ) {
          const after: string = marker === '' ? '' : `&marker=${encodeURIComponent(marker)}`;
          const page = await list(`level=${level}&limit=1${after}`);
          assert(page.entries.length <= 1);
          paged.push(...page.entries);
          marker = page.next;
        }
        assert(all.entries.length > 0);
        assert.deepEqual(paged, all.entries, level);
      }
    });

    test('invalid queries name the parameter and the rule', async () => {
      const invalid: Record<string, RegExp> = {
        'level=house': /level: must be one of/,
        'identity=nobody': /identity: must be one of carrier, .*handler-1/,
        'presented=yes': /presented: must be one of/,
        'without=RECEPTACLE,HOUSE': /without\.1: must be one of/,
        'marker=H1': /marker: must be a UUID/,
        'limit=0': /limit: /,
        'limit=1001': /limit: /,
        'mrn=x': /mrn: must be an MRN/,
        'level=RECEPTACLE&marker=%00': /marker: /,
        'mrn=26NO00000000000001&mrn=26NO00000000000002': /mrn: /,
        'state=DECIDED': /state: is not a query parameter/,
      };
      for (const [query, expected] of Object.entries(invalid)) {
        const { status, body, text } = await request(query);
        assert.equal(status, 400, query);
        const [error] = body.validationErrors ?? [];
        assert.match(`${error?.field}: ${error?.error}`, expected, text);
      }
    });
  });
}
