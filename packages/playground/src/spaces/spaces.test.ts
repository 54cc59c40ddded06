// Spaces see nothing of each other, on both databases: each kind of state, and every table. SPACES=100 makes more of them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Landfall } from '../../../client/dist/index.js';
import { readConfig } from '../../../service/dist/config.js';
import type { Database } from '../../../service/dist/database/database.js';
import { drawnDatabases } from '../../../service/dist/testing/databases.js';
import { makeMessage } from '../../../service/dist/testing/goods-item-messages.js';
import { findPort } from '../find-port.js';
import type { Playground, PlaygroundParts, PlaygroundSpace } from '../playground.js';
import { servePlayground } from '../serve-playground.js';

const COUNT = Number(process.env.SPACES ?? 6);

const customsOfficeOfPresentation = 'NO351001';
const house = (documentNumber: string, type: 'N750' | 'N740') => ({
  customsOfficeOfPresentation,
  transportDocumentHouseLevel: { documentNumber, type },
});
const parcel = house('NO100000001MU', 'N750');

const as = (parts: PlaygroundParts, identity: string) =>
  new Landfall({ ...parts.credentials(identity), retry: false });

/** The body of an upload with one message. */
const toLine = (message: object) => `${JSON.stringify(message)}\n`;

/** A kind of state: how it is changed, and how it is read without a request that would change it. */
type State = {
  change(parts: PlaygroundParts): Promise<unknown>;
  read(parts: PlaygroundParts): unknown;
};

const states: Record<string, State> = {
  goods: {
    change: (parts) => as(parts, 'carrier').presentHouseConsignment(parcel),
    read: async (parts) => (await parts.dataset()).entries,
  },
  signals: {
    change: (parts) => as(parts, 'carrier').presentHouseConsignment(house('NO100000002MU', 'N750')),
    read: async (parts) => (await as(parts, 'carrier').routingSignals()).entries,
  },
  statuses: {
    change: (parts) => as(parts, 'carrier').presentHouseConsignment(house('HC001', 'N740')),
    read: async (parts) => (await as(parts, 'carrier').listValidationStatuses({})).entries,
  },
  'goods items': {
    change: (parts) => as(parts, 'authority').publishGoodsItems(toLine(makeMessage({ number: 1 }))),
    read: async (parts) => (await as(parts, 'statistics').listGoodsItems({})).entries,
  },
  organisations: {
    change: async (parts) => {
      const authority = as(parts, 'authority');
      await authority.patchOrganisation('0192:310000027', { blocked: true });
    },
    read: async (parts) => {
      const {
        clients: _,
        etag: __,
        ...found
      } = await as(parts, 'authority').getOrganisation('0192:310000027');
      return found;
    },
  },
  declarations: {
    change: (parts) =>
      as(parts, 'authority').putEntrySummaryDeclaration('23NO00000000000099', {
        mrn: '23NO00000000000099',
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000078',
        houseConsignments: [],
      }),
    read: async (parts) =>
      (
        await as(parts, 'authority')
          .getEntrySummaryDeclaration('23NO00000000000099')
          .catch((error) => error)
      ).status ?? 'found',
  },
  clock: {
    change: (parts) => parts.setClock({ time: '2030-01-01T00:00:00Z', running: false }),
    read: (parts) => parts.clock.state().running,
  },
  scenarios: {
    change: async (parts) => parts.scenarios.add({ kind: 'lost-response', times: 1 }),
    read: (parts) => parts.scenarios.list().length,
  },
  requests: {
    change: (parts) => fetch(`${parts.baseUrl}/readyz`),
    read: (parts) => parts.requests().filter(({ url }) => url === '/readyz').length,
  },
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`spaces on ${name}`, { skip }, () => {
    let playground: Playground;
    let database: Database;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
      const config = readConfig({}, { dataFolder: folder, logLevel: 'silent' });
      database = await open();
      // Of somebody else, under a name that a space would have.
      await database.transact((transaction) =>
        transaction.run(
          'create schema space_1; create table space_1.kept (); create schema space_01',
        ),
      );
      playground = await servePlayground(
        { ...config, port: await findPort(config.host, 0) },
        database,
        { maxSpaces: Math.max(COUNT, 6) },
      );
    });
    after(async () => {
      await playground.close();
      await rm(folder, { recursive: true });
    });

    test('a change of any kind of state in one is seen in no other, and a reset takes it back in this one', async () => {
      await using changed = await playground.space();
      await using other = await playground.space('other');
      const all: PlaygroundParts[] = [changed, other, playground];
      const readEach = async (parts: PlaygroundParts) =>
        new Map(
          await Promise.all(
            Object.entries(states).map(
              async ([kind, { read }]) => [kind, await read(parts)] as const,
            ),
          ),
        );
      const start = await readEach(changed);
      assert.deepEqual(await readEach(other), start, 'spaces begin alike');
      for (const [kind, { change, read }] of Object.entries(states)) {
        const readAll = () => Promise.all(all.map(read));
        const before = await readAll();
        await change(changed);
        const [own, ...others] = await readAll();
        assert.notDeepEqual(own, before[0], kind);
        assert.deepEqual(others, before.slice(1), kind);
        await change(other);
      }
      const [kept, own] = [await readEach(other), await readEach(playground)];
      await changed.reset();
      assert.deepEqual(await readEach(changed), start, 'after a reset');
      assert.deepEqual(await readEach(other), kept, 'after the reset of another one');
      assert.deepEqual(await readEach(playground), own, 'after the reset of a space');
    });

    test('what is done in one changes no table of another', async () => {
      await using changed = await playground.space();
      await using other = await playground.space();
      await as(other, 'carrier').presentHouseConsignment(parcel);
      // Others are prepared meanwhile, for nobody yet.
      const [own, ...others] = [
        await findSchema(database, changed),
        await findSchema(database, other),
        'public',
      ];
      assert.equal(new Set([own, ...others]).size, 3);
      const [ownBefore, before] = [
        await digestWhenIdle(database, [own]),
        await digestWhenIdle(database, others),
      ];
      for (const { change } of Object.values(states)) await change(changed);
      assert.deepEqual(await digestTables(database, others), before);
      assert.notDeepEqual(await digestTables(database, [own]), ownBefore);
    });

    test('a space returns to its snapshots, whatever was changed, and those of others are others', async () => {
      const readEach = async (parts: PlaygroundParts) => {
        const read = Object.entries(states).filter(([kind]) => kind !== 'requests');
        return Promise.all(read.map(async ([kind, one]) => [kind, await one.read(parts)]));
      };
      await using space = await playground.space();
      await using other = await playground.space();
      await states.goods?.change(space);
      await Promise.all([space.snapshot('presented'), space.snapshot('the-same')]);
      const presented = await readEach(space);
      for (const { change } of Object.values(states).slice(1)) await change(space);
      await states.goods?.change(other);
      await other.snapshot('other');
      const kept = await readEach(other);
      assert.notDeepEqual(await readEach(space), presented);
      assert.deepEqual(
        space
          .snapshots()
          .map((each) => each.name)
          .sort(),
        ['presented', 'the-same'],
      );
      await assert.rejects(space.reset('other'), { code: 'UNKNOWN_SNAPSHOT' });
      await space.reset('presented');
      assert.deepEqual(await readEach(space), presented);
      await states.organisations?.change(space);
      await space.reset('presented');
      assert.deepEqual(await readEach(space), presented);
      await space.reset();
      assert.deepEqual(space.snapshots(), []);
      assert.equal((await as(space, 'carrier').routingSignals()).entries.length, 0);
      assert.deepEqual(await readEach(other), kept);
      await states.goods?.change(space);
      await space.snapshot('again');
      await space.close();
      // Whoever gets the tables afterwards begins without snapshots, and records nothing.
      const later = await Promise.all([playground.space(), playground.space(), playground.space()]);
      for (const each of later) {
        assert.deepEqual(each.snapshots(), []);
        await assert.rejects(each.reset('again'), { code: 'UNKNOWN_SNAPSHOT' });
      }
      const recording = await database.query<{ count: number }>({
        name: '',
        text: `select count(distinct tgrelid::regclass::text)::integer as count from pg_trigger
          where tgname = 'playground_undo' and tgrelid::regclass::text like 'space%'`,
        values: [],
      });
      const [{ count } = { count: 0 }] = recording;
      const tables = await database.query({
        name: '',
        text: `select from pg_tables where schemaname like 'space%' and tablename = 'undo'`,
        values: [],
      });
      // That of `other` alone.
      assert.equal(tables.length, 1);
      assert(count > 20, `${count} tables`);
      await Promise.all(later.map((each) => each.close()));
    });

    test('a reset after fourteen months, in which tables of months were removed, has the goods of the start', async () => {
      await using space = await playground.space();
      const start = await states.goods?.read(space);
      await states.goods?.change(space);
      await space.setClock({ advance: 425 * 86_400 });
      await space.reset();
      assert.deepEqual(await states.goods?.read(space), start);
    });

    test('identities, tokens and grants of one are refused in another', async () => {
      await using one = await playground.space();
      await using other = await playground.space();
      const all: PlaygroundParts[] = [one, other, playground];
      const leaves = all.map(({ identities }) => identities.map(({ x5c: [leaf] }) => leaf));
      assert.equal(new Set(leaves.flat()).size, leaves.flat().length);
      for (const from of all) {
        const token = await findToken(from);
        for (const to of all) {
          const response = await fetch(`${to.baseUrl}/api/movement/routing/v1/house-consignment`, {
            headers: { authorization: `Bearer ${token}` },
          });
          assert.equal(response.status === 401, from !== to, `${from.baseUrl} at ${to.baseUrl}`);
          // The keys of one, at the addresses of another.
          const { credentials } = from.credentials('carrier');
          const identityProvider = { url: to.idpUrl };
          const mixed = new Landfall({
            baseUrl: to.baseUrl,
            credentials: { ...credentials, identityProvider },
            retry: false,
          });
          if (from === to) await mixed.routingSignals();
          else await assert.rejects(mixed.routingSignals(), { status: 401 });
        }
      }
    });

    test('schemas of somebody else are neither used nor dropped', async () => {
      await (await playground.space()).close();
      const schemas = await findSchemas(database);
      assert(schemas.includes('space_2') && !schemas.includes('space_1'), schemas.join());
      await database.query({ name: '', text: 'select from space_1.kept', values: [] });
    });

    test(`${COUNT} at once are isolated, and nothing of them is left when they are closed`, async () => {
      const spaces = await Promise.all(Array.from({ length: COUNT }, () => playground.space()));
      assert.equal(playground.spaces().length, COUNT);
      await Promise.all(
        spaces.map(async (space, index) => {
          const carrier = as(space, 'carrier');
          if (index % 2 === 0) await carrier.presentHouseConsignment(parcel);
          await space.setClock({ time: `20${30 + (index % 60)}-01-01T00:00:00Z`, running: false });
          assert.equal((await carrier.routingSignals()).entries.length, (index + 1) % 2);
        }),
      );
      for (const [index, space] of spaces.entries()) {
        assert.equal(space.clock.now().getUTCFullYear(), 2030 + (index % 60));
        const presented = space
          .requests()
          .filter(({ method, url }) => method === 'POST' && url.includes('/presentation/'));
        assert.equal(presented.length, (index + 1) % 2);
      }
      await Promise.all(spaces.map((space) => space.close()));
      assert.deepEqual(playground.spaces(), []);
      const { baseUrl } = spaces[0] as PlaygroundSpace;
      assert.equal((await fetch(`${baseUrl}/livez`)).status, 404);
      assert((await readdir(join(folder, 'spaces'))).length <= 2, 'those that are made ahead');
    });
  });
}

/** A customs token of the carrier, as the client sends it. */
async function findToken(parts: PlaygroundParts): Promise<string> {
  let authorization = '';
  const carrier = new Landfall({
    ...parts.credentials('carrier'),
    fetch: (address, init) => {
      authorization = new Headers(init?.headers).get('authorization') ?? authorization;
      return fetch(address, init);
    },
  });
  await carrier.routingSignals();
  return authorization.replace('Bearer ', '');
}

async function findSchemas(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>({
    name: '',
    text: `select 'public' as name union all select name from playground."space schema"`,
    values: [],
  });
  return rows.map(({ name }) => name);
}

/** The schema of a space: the one in which its authority has given an organisation a name that no other has. */
async function findSchema(database: Database, space: PlaygroundSpace): Promise<string> {
  const name = randomUUID();
  await as(space, 'authority').patchOrganisation('0192:310000027', { name });
  const withTables = await database.query<{ schema: string }>({
    name: '',
    text: `select schemaname as schema from pg_tables where tablename = 'organisation' and schemaname = any ($1)`,
    values: [await findSchemas(database)],
  });
  const found: string[] = [];
  for (const { schema } of withTables) {
    const text = `select from ${schema}.organisation where name = $1`;
    const rows = await database.query({ name: '', text, values: [name] });
    if (rows.length > 0) found.push(schema);
  }
  const [schema = '', ...more] = found;
  assert(schema !== '' && more.length === 0, `of one schema: ${found.join()}`);
  return schema;
}

/** What each table has when what is written in the background is written. */
async function digestWhenIdle(
  database: Database,
  schemas: readonly string[],
): Promise<Map<string, string>> {
  let last = await digestTables(database, schemas);
  for (let attempt = 0; attempt < 60; attempt++) {
    await delay(500);
    const next = await digestTables(database, schemas);
    if (isDeepStrictEqual(next, last)) return next;
    last = next;
  }
  throw new Error('the tables change all the time');
}

/** What each table of schemas has; without checkpoints of the audit trail, which are written in the background. */
async function digestTables(
  database: Database,
  schemas: readonly string[],
): Promise<Map<string, string>> {
  const tables = await database.query<{ name: string }>({
    name: '',
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = any ($1) and tablename !~ 'checkpoint'`,
    values: [schemas],
  });
  const digests = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await database.query<{ digest: string }>({
      name: '',
      text: `select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as digest from ${name} as row`,
      values: [],
    });
    digests.set(name, row?.digest ?? '');
  }
  return digests;
}
