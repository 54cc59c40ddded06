// Everything that lasts ends within the seconds of the table of access-ends.ts, whatever ends the access. Two servers
// share a database: access ends through one, and what lasts is open at the other. A run of all tests draws some of the pairs.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Operation, operations, type ScopeName, scopes } from '@landfall/contract';
import { drawCases, isDrawn } from '../../contract/dist/testing/drawn-cases.js';
import { findPort } from '../../playground/dist/find-port.js';
import { customsIssuer } from './access/addresses.js';
import { openKeyRing } from './access/signing-keys/key-ring.js';
import { rotateKeys } from './access/signing-keys/rotate-keys.js';
import { type AccessEnd, type AccessEndName, accessEnds, lastingKindsOf } from './access-ends.js';
import { type App, makeApp } from './app.js';
import { readConfig } from './config.js';
import { databaseLimits } from './console/database-sessions.js';
import { readRoles } from './console/openid/roles.js';
import type { Database } from './database/database.js';
import { FEED_LOCK } from './database/locks.js';
import { openPostgresql } from './database/postgresql.js';
import { BODY_TIMEOUT_MS } from './http/limit-body-time.js';
import { testDatabases } from './testing/databases.js';
import {
  LARGE_MRN,
  type LastingRequest,
  openedKindsOf,
  openRequest,
  registerGoods,
} from './testing/lasting-requests.js';
import { createMigratedPostgresql } from './testing/migrated-postgresql.js';
import { type Accounts, startProvider, type TestProvider } from './testing/openid-provider.js';
import { organisationOf } from './testing/organisation-of.js';
import { PersonAgent } from './testing/person-agent.js';
import { TestReceiver } from './testing/receiver.js';
import { samplePath } from './testing/request-samples.js';
import { appendSignals } from './testing/signal-writer.js';
import { until } from './testing/until.js';

/** A busy machine may take this much longer, in milliseconds. It is below every limit that would end something anyway. */
const SLACK_MS = 45_000;

/** The same for the fastest of those that end in the same way: something that is checked seldom makes all of them late. */
const FASTEST_SLACK_MS = 30_000;

/** How many pairs are tried at the same time. */
const AT_ONCE = 40;

/** How long tokens of `expiry` live, in seconds. */
const SHORT_LIFE = 20;

const allScopes = Object.keys(scopes) as ScopeName[];
const [, { skip } = { skip: false }] = await testDatabases();

type Pair = LastingRequest & { end: AccessEndName };

const ends = Object.entries(accessEnds) as [AccessEndName, AccessEnd][];

/**
 * Each thing that lasts with each end. Plain requests all pass through one check: where an operation has no stream, its
 * requests are tried with one end, and those of the next operation with the next.
 */
function pairsOf(isTried: (end: AccessEndName) => boolean): Pair[] {
  return Object.values<Operation>(operations).flatMap((operation, index) => {
    const kinds = openedKindsOf(operation);
    // What any token may do needs no scope that could be withdrawn.
    const ending = ends.filter(([end]) => end !== 'grant' || operation.access !== 'any-token');
    const isOfRequest = (number: number) =>
      kinds.includes('events') || number === index % ending.length;
    return ending.flatMap(([end, { ends: holders }], number) =>
      kinds
        .filter((kind) => isTried(end) && (kind !== 'request' || isOfRequest(number)))
        .flatMap((kind) => holders.map((holder): Pair => ({ operation, kind, holder, end }))),
    );
  });
}

/** The identifier of an organisation with its check digit. */
function makeIdentifier(number: number): string | undefined {
  const digits = String(31_100_000 + number);
  const sum = [...digits].reduce(
    (total, digit, index) =>
      total + Number(digit) * (([3, 2, 7, 6, 5, 4, 3, 2] as const)[index] ?? 0),
    0,
  );
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? undefined : `0192:${digits}${check}`;
}

const identifiers = (function* () {
  for (let number = 0; ; number++) {
    const identifier = makeIdentifier(number);
    if (identifier !== undefined) yield identifier;
  }
})();

function toText(error: unknown): string[] {
  return [inspect(error)];
}

function isAllowed({ status }: Response): boolean {
  assert.ok(status < 500, `${status}`);
  return status !== 401 && status !== 403;
}

describe('access that ends, on two servers', { skip }, () => {
  const databases: Database[] = [];
  const apps: App[] = [];
  const accounts: Accounts = {};
  const streamed = new Set<string>();
  /** How much later than in the table the fastest of each kind ended, in milliseconds. */
  const lateness = new Map<string, number>();
  /** Such as that of listeners that are added and never removed. */
  const warnings: string[] = [];
  const keepWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
  let drop: () => Promise<void>;
  let provider: TestProvider;
  let folder: string;
  /** The server through which access ends, and the one at which things are open. */
  let baseUrl: string;
  let otherUrl: string;
  let administrator: string;

  before(async () => {
    process.on('warning', keepWarning);
    const created = await createMigratedPostgresql();
    drop = created.drop;
    folder = await mkdtemp(join(tmpdir(), 'landfall-access-ends-'));
    const ports = [await findPort('localhost', 0), await findPort('localhost', 0)];
    baseUrl = `http://localhost:${ports[0]}`;
    otherUrl = `http://localhost:${ports[1]}`;
    provider = await startProvider(baseUrl, accounts);
    for (const port of ports) {
      const database = openPostgresql(created.url);
      databases.push(database);
      const server = await makeApp({
        config: readConfig({
          LANDFALL_LOG_LEVEL: 'silent',
          LANDFALL_RATE_LIMIT: '0',
          LANDFALL_DOCUMENT_SCANNER: 'none',
          LANDFALL_PUSH_RECEIVERS: 'any',
        }),
        database,
        baseUrl,
        keysFolder: join(folder, 'keys'),
        identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
        console: {
          openIdConnect: {
            ...provider,
            scope: 'openid profile',
            rolesClaim: 'roles',
            organisationClaim: 'organisation',
            roles: readRoles(`all=${allScopes.join(',')}`),
            subjectKey: 'a key of the pseudonyms, 32 characters or more',
            timeZone: 'Europe/Oslo',
          },
        },
        metrics: {},
      });
      server.app.addHook('onSend', async ({ method, routeOptions }, _reply, payload) => {
        const isStream = typeof payload === 'object' && payload !== null && 'pipe' in payload;
        if (isStream) streamed.add(`${method} ${routeOptions.url}`);
      });
      apps.push(server);
      await server.app.listen({ port, host: 'localhost' });
    }
    const [first] = databases;
    assert(first);
    const organisation = await addOrganisation('administrator');
    administrator = await signToken(organisation, 'administrator', 3600);
    await registerGoods(first, organisation);
  });
  after(async () => {
    process.off('warning', keepWarning);
    for (const { app } of apps) await app.close();
    for (const database of databases) await database.close();
    await provider?.close();
    await drop?.();
    await rm(folder, { recursive: true, force: true });
  });

  /** An organisation with every scope. */
  async function addOrganisation(name: string): Promise<string> {
    const identifier = identifiers.next().value ?? '';
    const [database] = databases;
    await database?.query({
      name: '',
      text: `
        with made as (insert into organisation (identifier, name, kind) values ($1, $2, 'domestic') returning id)
        insert into organisation_scope (organisation_id, scope) select id, unnest($3::text[]) from made`,
      values: [identifier, name, allScopes],
    });
    return identifier;
  }

  async function signToken(organisation: string, client: string, life: number): Promise<string> {
    const ring = await openKeyRing(
      { folder: join(folder, 'keys') },
      'customs-token',
      () => new Date(),
    );
    const now = Math.floor(Date.now() / 1000);
    try {
      return await ring.sign({
        iss: customsIssuer(baseUrl),
        aud: baseUrl,
        sub: organisation,
        client_id: client,
        scope: allScopes.map((scope) => `customs:${scope}`).join(' '),
        iat: now,
        exp: now + life,
      });
    } finally {
      ring.close();
    }
  }

  /** Does through the first server what ends access. */
  async function end(
    { end: how }: Pair,
    organisation: string,
    agent: PersonAgent,
    account: string,
  ) {
    const entry = { name: account, kind: 'domestic', grantedScopes: allScopes };
    const put = async (changes: object) => {
      const address = `${baseUrl}/api/authority/v1/organisations/${organisation}`;
      const response = await fetch(address, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${administrator}`,
          'content-type': 'application/json',
          'if-match': '*',
        },
        body: JSON.stringify({ ...entry, ...changes }),
      });
      assert.ok(response.ok, await response.text());
    };
    const acts: Record<AccessEndName, () => Promise<unknown>> = {
      expiry: async () => undefined,
      key: async () => undefined,
      providerKey: async () => assert.fail('nothing that is open depends on it'),
      organisation: () => put({ blocked: true }),
      client: () => put({ clients: [{ client_id: account, blocked: true }] }),
      narrowedClient: () =>
        put({ clients: [{ client_id: account, scopes: ['goodsdeclaration/document.write'] }] }),
      grant: () => put({ grantedScopes: [] }),
      removedClient: async () => {
        await put({ clients: [{ client_id: account }] });
        await put({ clients: [] });
      },
      signOutElsewhere: () => agent.signOutAtProvider(provider.issuer),
      signOut: async () => {
        const response = await agent.act('/console/session', 'DELETE');
        assert.ok(response.ok, `${response.status}`);
      },
      role: async () => {
        accounts[account] = { name: account, organisation, roles: [] };
        // As if the rights had been confirmed long ago.
        const changed = await databases[0]?.query({
          name: '',
          text: `
            update console_session set confirm_after = now() - interval '1 s'
            where organisation = $1 and confirm_after is not null returning 1`,
          values: [organisation],
        });
        assert.equal(changed?.length, 1);
      },
    };
    await acts[how]();
  }

  /** Repeats requests until one is refused. */
  async function untilRefused(
    { operation, holder }: Pair,
    headers: Record<string, string>,
  ): Promise<number> {
    for (;;) {
      const url = `${otherUrl}${holder === 'session' ? '/console/api' : ''}${samplePath(operation)}`;
      const response = await fetch(url, { headers, method: operation.method });
      await response.body?.cancel();
      if (!isAllowed(response)) return response.status;
      await delay(250);
    }
  }

  /** Tries one pair; returns what is wrong, if anything. */
  async function tryPair(
    pair: Pair,
    endAll?: Promise<void>,
    whenOpen?: () => unknown,
  ): Promise<string[]> {
    const { operation, kind, holder, end: how } = pair;
    const name = `${operation.operationId}, ${kind}, of a ${holder}, after: ${accessEnds[how].what}`;
    const account = `person-${Math.random().toString(36).slice(2)}`;
    const organisation = await addOrganisation(account);
    const agent = new PersonAgent(baseUrl);
    let headers: Record<string, string>;
    if (holder === 'token') {
      const life = how === 'expiry' ? SHORT_LIFE : 600;
      headers = { authorization: `Bearer ${await signToken(organisation, account, life)}` };
    } else {
      accounts[account] = { name: account, organisation, roles: ['all'] };
      await agent.signIn(account);
      const session = await agent.session();
      assert.ok(session, name);
      headers = {
        cookie: `landfall-console=${agent.cookie('landfall-console')}`,
        origin: baseUrl,
        'landfall-csrf-token': session.csrfToken,
      };
    }
    const signedAt = performance.now();
    const { request, open: bound } = accessEnds[how];
    const isRequest = kind === 'request';
    // Rights are confirmed at once: the test makes them look old.
    const skipped = how === 'role' ? databaseLimits.confirmMs : 0;
    const allowed = ((isRequest ? request : bound) ?? 0) * 1000 - skipped + SLACK_MS;
    // The row of the organisation is cached from here on.
    if (isRequest) {
      const url = `${otherUrl}${holder === 'session' ? '/console/api' : ''}${samplePath(operation)}`;
      const response = await fetch(url, { headers, method: operation.method });
      assert.ok(isAllowed(response), `${name}: ${response.status}`);
    }
    const { opened: thing, goOn } = isRequest
      ? { opened: undefined, goOn: () => undefined }
      : openRequest(otherUrl, pair, headers);
    const openedAt = performance.now();
    await thing?.begun;
    if (thing !== undefined && !thing.isOpen()) {
      const { status, text } = await thing.ended;
      return [`${name}: was not open (${status} ${text.slice(0, 300)})`];
    }
    whenOpen?.();
    await endAll;
    await end(pair, organisation, agent, account);
    const left =
      how === 'expiry'
        ? Math.max(0, Math.ceil(SHORT_LIFE * 1000 - (performance.now() - signedAt)))
        : 0;
    const endedAt = performance.now() + left;
    const measure = () => {
      const label = `${kind} of a ${holder}, after: ${accessEnds[how].what}`;
      const took = performance.now() - endedAt - (allowed - SLACK_MS);
      lateness.set(label, Math.min(took, lateness.get(label) ?? took));
    };
    if (thing === undefined) {
      const late = AbortSignal.timeout(left + allowed);
      const refused = await Promise.race([
        untilRefused(pair, headers),
        new Promise<undefined>((resolve) =>
          late.addEventListener('abort', () => resolve(undefined)),
        ),
      ]);
      if (refused === undefined) return [`${name}: requests go on`];
      measure();
      return [];
    }
    // A body that is complete only then is refused, and a download that is read on then is not whole.
    if (kind === 'body' || kind === 'download') {
      await delay(left + allowed - SLACK_MS);
      goOn();
    }
    const result = await Promise.race([
      thing.ended,
      delay(left + allowed, undefined, { ref: false }).then(() => undefined),
    ]);
    thing.close();
    if (result === undefined) return [`${name}: is still open after ${allowed / 1000} s`];
    measure();
    const { status, text } = result;
    // On a busy machine access may end so late that the body has come too slowly: once more.
    const isTooSlow = performance.now() - openedAt > BODY_TIMEOUT_MS / 2;
    if (kind === 'body' && status === 0 && isTooSlow && endAll === undefined) return tryPair(pair);
    if (kind === 'body' && status !== 401 && status !== 403)
      return [`${name}: got ${status} ${text}`];
    if (kind === 'download' && text.endsWith(']}')) return [`${name}: was delivered as a whole`];
    if (kind.endsWith('upload') && status !== 401 && !/"ACCESS_ENDED"[^\n]*\n$/.test(text)) {
      return [`${name}: ended without saying why: ${status} ${text.slice(-300)}`];
    }
    return [];
  }

  /** Tries pairs, some at a time. */
  async function tryPairs(pairs: readonly Pair[]): Promise<string[]> {
    const left = pairs.values();
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const pair of left) wrong.push(...(await tryPair(pair).catch(toText)));
      }),
    );
    return wrong;
  }

  test('routing runs are paused within the seconds of the table', async () => {
    const [database] = databases;
    assert(database);
    const declarant = await addOrganisation('declarant of a run');
    const tries = ends.flatMap(([end, { runs }]) => (runs === undefined ? [] : [{ end, runs }]));
    assert.equal(tries.length, 5);
    let number = 0;
    const create = async (end: AccessEndName) => {
      const account = `runs-${end}`;
      const organisation = await addOrganisation(account);
      const authorization = `Bearer ${await signToken(organisation, account, 600)}`;
      const send = async (path: string, method: string, body: object) => {
        const response = await fetch(`${otherUrl}/api/authority/v1/${path}`, {
          method,
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        assert.ok(response.ok, await response.clone().text());
        return response.json();
      };
      const mrn = `26NO0000000000${1000 + ++number}`;
      await send(`entry-summary-declarations/${mrn}`, 'PUT', {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant,
        houseConsignments: [{ transportDocumentHouseLevel: { documentNumber: 'R', type: 'N740' } }],
      });
      const run = { select: { mrn }, routing: 'TO_ENTRY', reason: 'because' };
      return { account, organisation, run: () => send('routing-runs', 'POST', run) };
    };
    const creators = await Promise.all(tries.map(({ end }) => create(end)));
    const states = async (ids: string[]) =>
      database.query<{ state: string; problem: string | null }>({
        name: '',
        text: 'select state, problem from routing_run where id = any ($1::uuid[]) order by id',
        values: [ids],
      });
    // Who holds the declarant keeps the runs from their end, as a large number of goods does.
    await database.transact(async (transaction) => {
      await transaction.query({
        name: '',
        text: `select pg_advisory_xact_lock(${FEED_LOCK}, id) from organisation where identifier = $1`,
        values: [declarant],
      });
      const busy = setInterval(() => {
        void transaction.query({ name: '', text: 'select 1', values: [] });
      }, 1000);
      const runs = (await Promise.all(creators.map(({ run }) => run()))) as { id: string }[];
      const ids = runs.map(({ id }) => id);
      await delay(2000);
      assert.deepEqual(
        new Set((await states(ids)).map(({ state }) => state)),
        new Set(['RUNNING']),
      );
      const agent = new PersonAgent(baseUrl);
      for (const [index, { end: how }] of tries.entries()) {
        const { organisation = '', account = '' } = creators[index] ?? {};
        const [operation] = Object.values<Operation>(operations);
        assert(operation);
        await end(
          { operation, kind: 'request', holder: 'token', end: how },
          organisation,
          agent,
          account,
        );
      }
      const began = performance.now();
      const bound = Math.max(...tries.map(({ runs }) => runs)) * 1000;
      await until(async () => (await states(ids)).every(({ state }) => state === 'PAUSED'));
      assert(performance.now() - began < bound + SLACK_MS, `${performance.now() - began} ms`);
      assert.deepEqual(
        (await states(ids)).map(({ problem }) => problem),
        ids.map(() => 'ACCESS_ENDED'),
      );
      clearInterval(busy);
    }, 'maintenance');
  });

  test('nothing is pushed after the seconds of the table', async () => {
    const [database] = databases;
    assert(database);
    const receiver = await TestReceiver.start();
    const tries = ends.flatMap(([end, { push }]) => (push === undefined ? [] : [{ end, push }]));
    assert.equal(tries.length, 5);
    let busy: NodeJS.Timeout | undefined;
    try {
      const subscribed = await Promise.all(
        tries.map(async ({ end: how, push }) => {
          const account = `push-${how}`;
          const organisation = await addOrganisation(account);
          const response = await fetch(`${otherUrl}${operations.createSubscription.path}`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${await signToken(organisation, account, 600)}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ feed: 'routing', url: receiver.url(`/${how}`) }),
          });
          assert.equal(response.status, 201, await response.clone().text());
          return {
            how,
            push,
            account,
            organisation,
            ...((await response.json()) as { id: string }),
          };
        }),
      );
      const owners = await Promise.all(
        subscribed.map(({ organisation }) => organisationOf(database, organisation)),
      );
      busy = setInterval(() => {
        for (const owner of owners) void appendSignals(database, owner, 1);
      }, 300);
      await until(() => subscribed.every(({ how }) => receiver.deliveriesTo(`/${how}`).length > 1));
      const agent = new PersonAgent(baseUrl);
      const [operation] = Object.values<Operation>(operations);
      assert(operation);
      await Promise.all(
        subscribed.map(({ how, organisation, account }) =>
          end(
            { operation, kind: 'request', holder: 'token', end: how },
            organisation,
            agent,
            account,
          ),
        ),
      );
      await delay(Math.max(...subscribed.map(({ push }) => push)) * 1000);
      const sent = receiver.received.length;
      await delay(2000);
      assert.equal(receiver.received.length, sent);
      const states = await database.query<{ state: string; reason: string | null }>({
        name: '',
        text: 'select state, reason from push_progress where subscription_id = any ($1::uuid[])',
        values: [subscribed.map(({ id }) => id)],
      });
      assert.deepEqual(
        states,
        subscribed.map(() => ({ state: 'SUSPENDED', reason: 'ACCESS_ENDED' })),
      );
    } finally {
      clearInterval(busy);
      await receiver.close();
    }
  });

  test('everything that lasts ends within the seconds of the table', async () => {
    const isTried = (end: AccessEndName) =>
      accessEnds[end].open !== undefined && end !== 'key' && end !== 'role';
    const pairs = pairsOf(isTried);
    assert(pairs.length > 100, `${pairs.length} pairs`);
    assert.deepEqual(await tryPairs(drawCases('access that ends', pairs, 80)), []);
  });

  test('a withdrawn role ends what is open as soon as it is confirmed again', async () => {
    const pairs = pairsOf((end) => end === 'role');
    assert.deepEqual(await tryPairs(drawCases('withdrawn roles', pairs, 20)), []);
  });

  test('a key that is rotated at once ends everything that it signed', async () => {
    const pairs = drawCases(
      'rotated keys',
      pairsOf((end) => end === 'key'),
      20,
    );
    let [open, done] = [0, 0];
    let rotate: () => void = () => undefined;
    const rotated = new Promise<void>((resolve) => {
      rotate = resolve;
    });
    const results = pairs.map((pair) =>
      tryPair(pair, rotated, () => open++)
        .catch(toText)
        .finally(() => done++),
    );
    const all = Promise.all(results);
    await until(() => open + done >= pairs.length);
    const keys = { folder: join(folder, 'keys'), purpose: 'customs-token' } as const;
    await rotateKeys({ ...keys, now: new Date(), keep: 0, lead: 0 });
    rotate();
    assert.deepEqual((await all).flat(), []);
  });

  test('the fastest of each kind ends within the seconds of the table', () => {
    assert(lateness.size > (isDrawn ? 20 : 40), `${lateness.size} kinds`);
    assert.deepEqual(
      [...lateness].filter(([, late]) => late > FASTEST_SLACK_MS),
      [],
    );
  });

  test('no warning was given meanwhile', () => {
    assert.deepEqual(warnings, []);
  });

  test('every response that is streamed is in the table', async () => {
    const byRoute = new Map(
      Object.values<Operation>(operations).map((operation) => [
        `${operation.method} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        lastingKindsOf(operation),
      ]),
    );
    const token = await signToken(await addOrganisation('reader'), 'reader', 600);
    for (const operation of Object.values<Operation>(operations)) {
      if (operation.method !== 'GET' || operation.access === 'public') continue;
      const url = `${baseUrl}${samplePath(operation, { mrn: LARGE_MRN })}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      await response.body?.cancel();
    }
    const known = ['events', 'upload', 'download'];
    for (const route of streamed) {
      const kinds = byRoute.get(route);
      if (kinds === undefined) continue;
      assert.ok(
        kinds.some((kind) => known.includes(kind)),
        `${route} is streamed: add it to access-ends.ts`,
      );
    }
    assert.ok(streamed.has('GET /api/authority/v1/entry-summary-declarations/:mrn'));
  });
});
