// Every operation that gives house consignments says under what they are: goods of an ENS have its MRN, goods that were lodged
// as a house consignment have that of their message, and nothing has both.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type HouseConsignment, isObject, operations } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { house } from '../testing/registry-client.js';
import { RUNS, TestRuns } from '../testing/run-client.js';

const CONTAINER = 'CSQU3054383';
const SIGNALS = '/api/movement/routing/v1';
const AUTHORITY = '/api/authority/v1';

const namesOf: readonly string[] = ['entrySummaryDeclarationMRN', 'houseConsignmentMRN'];

/** Whether an object with a member of this name is in a schema. */
function describes(schema: unknown, name: string): boolean {
  if (Array.isArray(schema)) return schema.some((each) => describes(each, name));
  if (!isObject(schema)) return false;
  if (isObject(schema.properties) && name in schema.properties) return true;
  return Object.values(schema).some((each) => describes(each, name));
}

/** The operations whose responses have goods with an MRN. */
const giving = Object.entries(operations).flatMap(([name, { responses }]) =>
  namesOf.some((member) => describes(responses, member)) ? name : [],
);

/** The MRNs of all goods in a response, each with the name of its member; goods without one have none. */
function mrnsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mrnsIn);
  if (!isObject(value)) return [];
  if ('transportDocumentHouseLevel' in value) {
    const given = namesOf.flatMap((name) => (name in value ? `${name} ${value[name]}` : []));
    return [given.join() || 'none'];
  }
  return Object.values(value).flatMap(mrnsIn);
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the MRN of goods on ${name}`, { skip }, () => {
    let runs: TestRuns;
    let ens: string;
    let lodged: string;
    let run: string;

    before(async () => {
      runs = await TestRuns.start(await open());
      const { registry } = runs;
      const goods = ['MG-1', 'MG-2'].map((each) => house(each, { containerId: [CONTAINER] }));
      ens = await registry.notify(goods);
      lodged = await registry.lodge(goods);
      const presented = await registry.playground.present('container', 'forwarder', {
        containerId: CONTAINER,
      });
      assert.equal(presented.status, 202, presented.text);
      const select = { documentNumber: 'MG-1' };
      run = (await runs.create({ select, routing: 'TO_CONTROL' })).id;
      await runs.completed(run);
    });
    after(() => runs.close());

    const get = (path: string, as = 'authority') => runs.registry.playground.get(path, as);
    const post = (path: string, body: object) =>
      runs.registry.playground.post(path, 'authority', body);
    const list = () => get(`${AUTHORITY}/house-consignments?containerId=${CONTAINER}`);

    /** Each gives goods of the ENS and those that were lodged. */
    const calls: Readonly<Record<string, () => Promise<{ status: number; body: unknown }>>> = {
      readRoutingSignals: () => get(`${SIGNALS}/house-consignment`, 'forwarder'),
      checkRelease: () => get(`${SIGNALS}/release?identifier=${CONTAINER}`, 'forwarder'),
      listHouseConsignments: list,
      searchHouseConsignments: () => get(`${AUTHORITY}/house-consignment-search?identifier=MG-`),
      getHouseConsignment: async () => {
        const { body } = await list();
        // The cast is true because the response was checked against openapi.json.
        const ids = (body as HouseConsignment[]).map(({ id }) => id);
        const read = ids.map((id) => get(`${AUTHORITY}/house-consignments/${id}`));
        return { status: 200, body: (await Promise.all(read)).map((each) => each.body) };
      },
      listUndecidedArrivals: () => get(`${AUTHORITY}/undecided-arrivals`),
      createRoutingRun: () =>
        post(RUNS, {
          select: { containerId: CONTAINER },
          routing: 'TO_ENTRY',
          reason: 'preview',
          preview: true,
        }),
      listRoutingRunResults: () => get(`${RUNS}/${run}/results`),
      reverseRoutingRun: () =>
        post(`${RUNS}/${run}/reversal`, { reason: 'preview', preview: true }),
    };

    test('every operation that gives goods is called', () => {
      assert.deepEqual(Object.keys(calls).sort(), giving.toSorted());
    });

    for (const [operation, call] of Object.entries(calls)) {
      test(`${operation} gives each under its own name`, async () => {
        const { status, body } = await call();
        assert.equal(status, 200);
        const expected = [`entrySummaryDeclarationMRN ${ens}`, `houseConsignmentMRN ${lodged}`];
        assert.deepEqual([...new Set(mrnsIn(body))].sort(), expected);
      });
    }

    test('the results of a run as CSV have either in one column', async () => {
      const { text } = await runs.registry.playground.get(`${RUNS}/${run}/results`, 'authority', {
        accept: 'text/csv',
      });
      const found = text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[1]);
      assert.deepEqual(found, [ens, lodged]);
    });
  });
}
