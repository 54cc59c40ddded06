// A playground with a dataset: its goods, identities and decisions are there, and an invalid dataset changes nothing.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment, RoutingSignal } from '@landfall/contract';
import { openEmbedded } from '@landfall/service';
import { drawnDatabases } from '../../../service/dist/testing/databases.js';
import { TestPlayground } from '../../../service/dist/testing/playground-client.js';
import { startPlayground } from '../start-playground.js';
import { InvalidDatasetError } from './dataset-error.js';
import { openDataset } from './dataset-source.js';

const BASE = '/api/authority/v1';
const SIGNALS = '/api/movement/routing/v1/house-consignment';
const mrn = '26NO00000000000001';
const document = (documentNumber: string) => ({ documentNumber, type: 'N703' });
const handler = {
  name: 'handler-1',
  organisation: '0192:310000086',
  organisationName: 'Handler AS',
};

const lines: object[] = [
  { dataset: { name: 'two', description: 'two house consignments' } },
  { identity: handler },
  { identity: { name: 'line', organisation: 'NTRSE-556000', organisationName: 'Line AB' } },
  {
    identity: {
      name: 'idle',
      organisation: '0192:310000094',
      organisationName: 'Idle AS',
      granted: [],
    },
  },
  { mrn, customsOfficeOfFirstEntry: 'NO342001', declarant: 'NTRSE-556000', houseConsignments: [] },
  { mrn, houseConsignment: { transportDocumentHouseLevel: document('H1'), routing: 'TO_ENTRY' } },
  { mrn, houseConsignment: { transportDocumentHouseLevel: document('H2') } },
  {
    decision: {
      mrn,
      transportDocumentHouseLevel: document('H1'),
      routing: 'TO_CONTROL',
      routingControlLocation: 'ON_ENTRY',
      reason: 'weighed',
    },
  },
];

const toText = (values: readonly object[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-dataset-'));
});
after(() => rm(folder, { recursive: true }));

async function datasetFile(name: string, values: readonly object[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, toText(values));
  return file;
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`a dataset on ${name}`, { skip }, () => {
    const start = async (file: string) =>
      TestPlayground.start(await open(), {}, { dataset: openDataset(file) });
    const find = async (playground: TestPlayground, query = '') => {
      const { status, body, text } = await playground.get(
        `${BASE}/house-consignments?${query}`,
        'authority',
      );
      assert.equal(status, 200, text);
      // The cast is true because the response was checked against openapi.json.
      return body as HouseConsignment[];
    };

    test('its identities present its goods in place of the built-in ones, and receive its decisions', async () => {
      const playground = await start(await datasetFile('two.ndjson', lines));
      try {
        assert.deepEqual(
          (await find(playground)).map(
            ({ transportDocumentHouseLevel: { documentNumber }, state, routing }) => [
              documentNumber,
              state,
              routing,
            ],
          ),
          [
            ['H1', 'DECIDED', 'TO_CONTROL'],
            ['H2', 'PRE_NOTIFIED', undefined],
          ],
        );
        await playground.present('entry-summary-declaration', 'handler-1', { mrn });
        // The declarant is an eSeal of the dataset, and receives the same signal.
        for (const identity of ['handler-1', 'line']) {
          const signals = (await playground.get(SIGNALS, identity)).body as RoutingSignal[];
          assert.deepEqual(
            signals.map(({ routingResult: { routing } }) => routing),
            ['TO_CONTROL'],
            identity,
          );
        }
        await assert.rejects(playground.token('idle'), /not authorized to request scope/);
        const [house] = await find(playground, 'documentNumber=H1');
        const history = await playground.get(
          `${BASE}/house-consignments/${house?.id}/history`,
          'authority',
        );
        assert.match(history.text, /"DECIDED".*"reason":"weighed"/);
      } finally {
        await playground.close();
      }
    });

    test('its reference documents are registered, and count before those that are always valid', async () => {
      const seller = (referenceNumber: string, state: string) => ({
        referenceDocument: { kind: 'VOEC', referenceNumber, state },
      });
      const many = Array.from({ length: 2500 }, (_, index) => seller(`X${index}`, 'VALID'));
      const documents = [...many, seller('2056550', 'INVALID'), seller('x7', 'INVALID')];
      const playground = await start(await datasetFile('sellers.ndjson', documents));
      try {
        const states = async (reference: string) => {
          const { text } = await playground.get(
            `${BASE}/reference-documents?limit=2&reference=${reference}`,
            'authority',
          );
          return (JSON.parse(text) as { state: string }[]).map(({ state }) => state);
        };
        assert.deepEqual(await states('2056550'), ['INVALID']);
        assert.deepEqual(await states('X2499'), ['VALID']);
        assert.deepEqual(await states('X7'), ['INVALID', 'VALID']);
      } finally {
        await playground.close();
      }
    });

    test('a generated dataset is loaded as a whole', async () => {
      const playground = await start('airport');
      try {
        let marker: string | undefined;
        let found = 0;
        do {
          const page = await find(
            playground,
            `limit=1000${marker === undefined ? '' : `&marker=${marker}`}`,
          );
          found += page.length;
          marker = page.length === 1000 ? page.at(-1)?.id : undefined;
        } while (marker !== undefined);
        assert.equal(found, 400);
        await playground.token('integrator-1');
      } finally {
        await playground.close();
      }
    });

    test('every invalid line is reported before anything is loaded', async () => {
      const unknownOffice = { ...lines[4], customsOfficeOfFirstEntry: 'NO999999' };
      const file = await datasetFile('invalid.ndjson', [
        lines[1] ?? {},
        unknownOffice,
        lines[5] ?? {},
        {},
      ]);
      const database = await open();
      try {
        await assert.rejects(
          TestPlayground.start(database, {}, { dataset: openDataset(file) }),
          (error) => {
            assert(error instanceof InvalidDatasetError);
            assert.match(
              error.message,
              /invalid.ndjson has 2 invalid lines:\n {2}line 2: customsOfficeOfFirstEntry: .*CL141.*\(UNKNOWN_CODE\)\n {2}line 4: line: .*exactly one/,
            );
            return true;
          },
        );
        const [count] = await database.query<{ stored: number }>({
          name: 'count-loaded',
          text: 'select (select count(*) from organisation)::int + (select count(*) from entry_summary_declaration)::int as stored',
          values: [],
        });
        assert.equal(count?.stored, 0);
      } finally {
        await database.close();
      }
    });
  });
}

test('a data folder is started with its dataset again; what contradicts a presentation is refused by line', async () => {
  const data = join(folder, 'data');
  const start = async (dataset: string, onProgress: (step: string) => void = () => undefined) => {
    const database = await openEmbedded(data);
    try {
      const source = openDataset(dataset);
      return await TestPlayground.start(
        database,
        { dataFolder: data },
        { dataset: source, onProgress },
      );
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  const file = await datasetFile('again.ndjson', lines);
  const progress: string[] = [];
  const first = await start(file, (step) => progress.push(step));
  const { private_key: key } = first.credentials('handler-1');
  await first.close();
  assert.match(progress.at(-1) ?? '', /^loaded 8 of 8 lines, \d+\/s$/);
  assert((await readdir(join(data, 'credentials'))).includes('handler-1.json'));

  const second = await start(file);
  assert.equal(second.credentials('handler-1').private_key, key);
  assert.equal(
    (await second.present('entry-summary-declaration', 'handler-1', { mrn })).status,
    202,
  );
  await second.close();
  const third = await start(file);
  assert.equal(((await third.get(SIGNALS, 'handler-1')).body as RoutingSignal[]).length, 1);
  await third.close();

  const changed = lines.map((line) =>
    'declarant' in line ? { ...line, declarant: '0192:310000094' } : line,
  );
  const refused = await start(await datasetFile('changed.ndjson', changed)).then(
    (started) => started.close(),
    (error: Error) => error.message,
  );
  assert.match(String(refused), /1 invalid line:\n {2}line 5: declarant: .*\(PRESENTED\)/);
});

test('a dataset without a line has no goods, and says so', async () => {
  const progress: string[] = [];
  const playground = await startPlayground({
    dataset: await datasetFile('empty.ndjson', []),
    onProgress: (step) => progress.push(step),
  });
  await playground.close();
  assert(
    progress.some((step) => /empty\.ndjson is empty: there are no goods$/.test(step)),
    progress.join('\n'),
  );
});

test('a file that cannot be read is reported before the data folder is created', async () => {
  const data = join(folder, 'never');
  await assert.rejects(
    startPlayground({
      data,
      dataset: join(folder, 'absent.ndjson'),
    }),
    {
      code: 'UNREADABLE_DATASET',
      message: /is none of airport, .*, and no file that can be read \(ENOENT/,
    },
  );
  assert(!(await readdir(folder)).includes('never'));
});
