// Movement messages of a dataset are lodged before the playground listens: once, and all of them or none.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { keysOf, type MovementStatus, type RoutingSignal } from '@landfall/contract';
import { generateJourneyDataset, journeyKinds } from '@landfall/samples';
import { type Database, openEmbedded } from '@landfall/service';
import { drawnDatabases } from '../../../service/dist/testing/databases.js';
import {
  citing,
  houseMessage,
  masterMessage,
  transportMessage,
} from '../../../service/dist/testing/movement-client.js';
import { TestPlayground } from '../../../service/dist/testing/playground-client.js';
import { startPlayground } from '../start-playground.js';
import { InvalidDatasetError } from './dataset-error.js';
import { openDataset } from './dataset-source.js';

const STATUSES = '/api/movement/status/v1/validation-status';
const ARRIVALS = '/api/authority/v1/transport-arrivals';

const times = {
  documentIssueDate: '-1d',
  estimatedDateAndTimeOfArrival: '+2h',
  scheduledDateAndTimeOfArrival: '+2h',
};

const line = (level: string, message: object, identity = 'forwarder') => ({
  movement: { identity, mode: 'road', level, message },
});
const house = (document: string, more: object = {}) =>
  line('house-consignment', houseMessage(document, { master: 'M1', ...more }));
const master = line('master-consignment', masterMessage('M1'));
const transport = line(
  'transport',
  { ...transportMessage('AA1', { masters: ['M1'] }), ...times },
  'haulier',
);
const lines: object[] = [house('H1'), house('H2'), master, transport];

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-movements-'));
});
after(() => rm(folder, { recursive: true }));

async function statusesOf(playground: TestPlayground, identity: string) {
  const { body, text, status } = await playground.get(`${STATUSES}?limit=1000`, identity);
  assert.equal(status, 200, text);
  // The cast is true because the response was checked against openapi.json.
  return body as MovementStatus[];
}

async function mrnOfTransport(playground: TestPlayground, identity: string): Promise<string> {
  const statuses = await statusesOf(playground, identity);
  const mrn = statuses.find(({ level }) => level === 'TRANSPORT')?.mrn;
  assert(mrn !== undefined);
  return mrn;
}

/** Reports the arrival of the transport, as the authority does. */
async function arrive(playground: TestPlayground, mrn: string, office: string): Promise<void> {
  const { text, status } = await playground.call(ARRIVALS, {
    as: 'authority',
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    raw: `${JSON.stringify({
      mrn,
      dateAndTimeOfArrival: new Date().toISOString(),
      customsOfficeOfArrival: { referenceNumber: office },
    })}\n`,
  });
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /validationErrors/);
}

async function signalsOf(playground: TestPlayground, identity: string): Promise<RoutingSignal[]> {
  const { body, text, status } = await playground.get(
    '/api/movement/routing/v1/house-consignment?limit=1000',
    identity,
  );
  assert.equal(status, 200, text);
  // The cast is true because the response was checked against openapi.json.
  return body as RoutingSignal[];
}

async function countIn(database: Database, table: string): Promise<number> {
  const [row] = await database.query<{ count: number }>({
    name: `count-${table}`,
    text: `select count(*)::int as count from ${table}`,
    values: [],
  });
  return row?.count ?? 0;
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`movement messages of a dataset on ${name}`, { skip }, () => {
    const start = async (values: readonly object[], database?: Database) =>
      TestPlayground.start(
        database ?? (await open()),
        { referenceDocuments: 'static' },
        { dataset: openDataset(values) },
      );

    /** Why a playground does not start, and that nothing was loaded then. */
    async function refusalOf(values: readonly object[]): Promise<string> {
      const database = await open();
      try {
        const error = await start(values, database).then(
          async (playground) => {
            await playground.close();
            return assert.fail('it was started');
          },
          (reason: unknown) => reason,
        );
        assert(error instanceof InvalidDatasetError, String(error));
        for (const table of ['organisation', 'declaration', 'movement_status']) {
          assert.equal(await countIn(database, table), 0, table);
        }
        return error.message.split('\n').slice(1).join('\n');
      } finally {
        await database.close();
      }
    }

    test('they are lodged by their identities, and presented by an arrival', async () => {
      const database = await open();
      const values = [
        ...lines,
        house('H3', citing('5')),
        // No request lodges the messages of a dataset, so nothing of it takes effect on them.
        { scenario: { kind: 'silent-register', answersAfter: 5 } },
        { scenario: { kind: 'internal-error', operation: 'lodgeHouseConsignment' } },
      ];
      const playground = await start(values, database);
      try {
        const found = await statusesOf(playground, 'forwarder');
        assert.deepEqual(
          found
            .map(({ status, mode, level, operation }) => [status, mode, level, operation])
            .sort(),
          [
            ['SUCCESS', 'road', 'HOUSE_CONSIGNMENT', 'LODGE'],
            ['SUCCESS', 'road', 'HOUSE_CONSIGNMENT', 'LODGE'],
            ['SUCCESS', 'road', 'HOUSE_CONSIGNMENT', 'LODGE'],
            ['SUCCESS', 'road', 'MASTER_CONSIGNMENT', 'LODGE'],
          ],
        );
        const records = await database.query<{ entry: string }>({
          name: 'records-of-lodging',
          text: `select entry from audit_record where entry like '%"movements.recorded"%'`,
          values: [],
        });
        const { client_id: client, organisation } = playground.credentials('forwarder');
        const by = `"organisation":"${organisation}","client":"${client}"`;
        assert.equal(
          records
            .map(({ entry }) => entry)
            .join()
            .split(by).length - 1,
          found.length,
        );
        assert(found.every((each) => !('incompleteDocumentationReasonList' in each)));
        assert(playground.playground.scenarios.list().every(({ applied }) => applied === 0));
        assert(
          playground.playground.requests().every(({ url }) => !/movement\/(road|entry)/.test(url)),
        );
        const { entries } = await playground.playground.dataset();
        assert.deepEqual(
          entries
            .flatMap((entry) =>
              entry.level === 'HOUSE_CONSIGNMENT'
                ? entry.transportDocumentHouseLevel.documentNumber
                : [],
            )
            .sort(),
          ['H1', 'H2', 'H3'],
        );
        await arrive(playground, await mrnOfTransport(playground, 'haulier'), 'NO371001');
        assert.equal((await signalsOf(playground, 'forwarder')).length, 3);
      } finally {
        await playground.close();
      }
    });

    test('what is refused only when it is lodged ends the start with its line, also at the next one', async () => {
      const database = await open();
      const values = [
        house('H1'),
        house('H2', citing('6')),
        // It is a line too late for the one that cites it.
        {
          referenceDocument: {
            kind: 'CUDE',
            declarantNumber: '123456789',
            declarationDate: '2022-08-10',
            sequenceNumber: '6',
            state: 'INVALID',
          },
        },
      ];
      const isRefused = (error: unknown) => {
        assert(error instanceof InvalidDatasetError, String(error));
        assert.match(
          error.message,
          /1 invalid line:\n {2}line 2: movement\.message\.consignmentHouseLevel\.previousDocuments\[0\]: Customs declaration is not valid \(NOT_VERIFIED\)$/,
        );
        return true;
      };
      try {
        await assert.rejects(start(values, database), isRefused);
        assert.equal(await countIn(database, 'movement'), 1);
        await assert.rejects(start(values, database), isRefused);
        assert.equal(await countIn(database, 'movement_status'), 2);
      } finally {
        await database.close();
      }
    });

    test('a reset and a space have them again, and what happened to them is forgotten', async () => {
      const playground = await start(lines);
      try {
        const mrn = await mrnOfTransport(playground, 'haulier');
        for (let round = 0; round < 2; round += 1) {
          await arrive(playground, mrn, 'NO371001');
          assert.equal((await signalsOf(playground, 'forwarder')).length, 2);
          await playground.playground.reset();
          assert.equal((await signalsOf(playground, 'forwarder')).length, 0);
          assert.equal((await statusesOf(playground, 'forwarder')).length, 3);
        }
        await playground.playground.snapshot('begun');
        await arrive(playground, mrn, 'NO371001');
        await playground.playground.reset('begun');
        assert.equal((await signalsOf(playground, 'forwarder')).length, 0);
        const space = await playground.playground.space();
        assert.equal((await space.dataset()).entries.length, 2);
      } finally {
        await playground.close();
      }
    });

    test('each rule that a line breaks is named, and nothing is loaded', async () => {
      const passed = { estimatedDateAndTimeOfArrival: '2026-01-01T00:00:00Z' };
      const document = {
        kind: 'CUDE',
        declarantNumber: '123456789',
        declarationDate: '2022-08-10',
      };
      const refused = await refusalOf([
        { referenceDocument: { ...document, sequenceNumber: '4', state: 'INVALID' } },
        { referenceDocument: { ...document, sequenceNumber: '77', state: 'VALID' } },
        ...lines,
        line('transport', { ...transportMessage('AA2'), ...times, ...passed }),
        line('transport', { ...transportMessage('AA1', { masters: ['M2'] }), ...times }),
        house('H1'),
        house('H3', citing('4')),
        house('H4', citing('5')),
        house('H5', citing('55')),
        house('H6', citing('77')),
        line('transport', {
          ...transportMessage('AA3'),
          ...times,
          customsOfficeOfFirstEntry: { referenceNumber: 'NO999999' },
        }),
        line('house-consignment', { ...houseMessage('H7'), documentIssueDate: 'yesterday' }),
        line('house-consignment', houseMessage('H8'), 'broker'),
      ]);
      assert.deepEqual(
        refused
          .split('\n')
          .map((each) => each.trim().replace(/^(line \d+: [^:]+): .*(?= \()/, '$1')),
        [
          'line 7: movement.message.estimatedDateAndTimeOfArrival (TIME_OUT_OF_RANGE)',
          'line 8: movement.message.activeBorderTransportMeans.identificationNumber (DUPLICATE)',
          'line 9: movement.message.consignmentHouseLevel.transportDocumentHouseLevel (DUPLICATE)',
          'line 10: movement.message.consignmentHouseLevel.previousDocuments[0] (NOT_VERIFIED)',
          'line 12: movement.message.consignmentHouseLevel.previousDocuments[0] (NOT_VERIFIED)',
          'line 14: movement.message.customsOfficeOfFirstEntry.referenceNumber (UNKNOWN_CODE)',
          'line 15: movement.message.documentIssueDate (FORMAT)',
          'line 16: movement.identity (INCOMPATIBLE)',
        ],
      );
    });

    for (const kind of keysOf(journeyKinds)) {
      test(`a generated journey is presented by its arrival: ${kind}`, async () => {
        const { office, houses, mode } = journeyKinds[kind];
        const carrier = { identity: 'carrier', carrier: 'NO310000019' };
        const playground = await start([...generateJourneyDataset({ kind, seed: 3, ...carrier })]);
        try {
          const statuses = await statusesOf(playground, 'carrier');
          assert(statuses.every(({ status }) => status === 'SUCCESS'));
          assert(statuses.every((each) => each.mode === mode));
          assert.equal(
            statuses.filter(({ level }) => level === 'HOUSE_CONSIGNMENT').length,
            houses,
          );
          assert(statuses.every((each) => !('incompleteDocumentationReasonList' in each)));
          await arrive(playground, await mrnOfTransport(playground, 'carrier'), office);
          const signalled = (await signalsOf(playground, 'carrier')).map(
            ({ transportDocumentHouseLevel: { documentNumber } }) => documentNumber,
          );
          assert.equal(new Set(signalled).size, houses);
        } finally {
          await playground.close();
        }
      });
    }
  });
}

test('a second start with the data folder changes nothing, however late it is', async () => {
  const data = join(folder, 'data');
  const file = join(folder, 'again.ndjson');
  // At the second start, the first one has arrived by its own estimate.
  const kept = [line('transport', transportMessage('AA9'), 'haulier'), ...lines];
  const write = (values: readonly object[]) =>
    writeFile(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  await write(kept);
  const begin = async (clock?: Date, progress: string[] = []) => {
    const playground = await startPlayground({
      data,
      dataset: file,
      onProgress: (step) => void progress.push(step),
      ...(clock && { clock: { time: clock.toISOString() } }),
    });
    await playground.close();
    return progress;
  };
  const rows = async (table: string) => {
    const database = await openEmbedded(data);
    try {
      return await database.query<object>({
        name: `all-of-${table}`,
        text: `select * from ${table} order by 1, 2`,
        values: [],
      });
    } finally {
      await database.close();
    }
  };
  const progress = await begin();
  assert.match(progress.at(-1) ?? '', /^lodged 5 of 5 messages, \d+\/s$/);
  const tables = ['movement', 'movement_text', 'movement_status', 'declaration'];
  const before: object[][] = [];
  for (const table of tables) before.push(await rows(table));
  assert.equal(before[0]?.length, 5);
  await begin(new Date(Date.now() + 5 * 3_600_000));
  for (const [index, table] of tables.entries()) {
    assert.deepEqual(await rows(table), before[index], table);
  }

  // What is added is lodged; what has the key of something else that is current is refused before.
  await write([...kept, house('H3')]);
  await begin();
  assert.equal((await rows('movement')).length, 6);
  const changed = house('H1', { numberOfPackages: 4 });
  await write([...kept.filter((each) => each !== lines[0]), house('H4'), changed]);
  await assert.rejects(begin(), (error) => {
    assert(error instanceof InvalidDatasetError);
    assert.match(
      error.message,
      /1 invalid line:\n {2}line 6: movement\.message\.consignmentHouseLevel\.transportDocumentHouseLevel: Transport document H1 of type N730 is already in use: \d\dNO\w+ \(DUPLICATE\)$/,
    );
    return true;
  });
  assert.equal((await rows('movement')).length, 6);
});
