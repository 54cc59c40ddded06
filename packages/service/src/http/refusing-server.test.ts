// What is open at a server whose clock is found wrong ends, so that clients go to another server.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Operation, operations, type ScopeName, scopes } from '@landfall/contract';
import { findPort } from '../../../playground/dist/find-port.js';
import { customsIssuer } from '../access/addresses.js';
import { openKeyRing } from '../access/signing-keys/key-ring.js';
import { type App, makeApp } from '../app.js';
import { readConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { makeClockCheck } from '../production/check-clock.js';
import { testDatabases } from '../testing/databases.js';
import {
  type LastingRequest,
  openedKindsOf,
  openRequest,
  registerGoods,
} from '../testing/lasting-requests.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { until } from '../testing/until.js';
import { RECHECK_INTERVAL_MS } from './access-check.js';

/** How often the clock is compared, and what a busy machine may take in addition, in milliseconds. */
const [COMPARED_MS, SLACK_MS] = [5000, 40_000];

const ORGANISATION = '0192:310000019';
const allScopes = Object.keys(scopes) as ScopeName[];
const [, { skip } = { skip: false }] = await testDatabases();

const requests = Object.values<Operation>(operations).flatMap((operation) =>
  openedKindsOf(operation)
    .filter((kind) => kind !== 'request')
    .map((kind): LastingRequest => ({ operation, kind, holder: 'token' })),
);

describe('a server whose clock is found wrong', { skip }, () => {
  let drop: () => Promise<void>;
  let database: Database;
  let folder: string;
  let server: App;
  let baseUrl: string;
  let headers: Record<string, string>;
  /** How far the clock of the server is off, in milliseconds. */
  let shift = 0;

  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    folder = await mkdtemp(join(tmpdir(), 'landfall-refusing-'));
    database = openPostgresql(created.url);
    const port = await findPort('localhost', 0);
    baseUrl = `http://localhost:${port}`;
    server = await makeApp({
      config: readConfig({
        LANDFALL_LOG_LEVEL: 'silent',
        LANDFALL_RATE_LIMIT: '0',
        LANDFALL_DOCUMENT_SCANNER: 'none',
      }),
      database,
      baseUrl,
      keysFolder: join(folder, 'keys'),
      identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
      conditions: [makeClockCheck(database, () => Date.now() + shift).condition],
      metrics: {},
    });
    await server.app.listen({ port, host: 'localhost' });
    await database.query({
      name: '',
      text: `
        with made as (insert into organisation (identifier, name, kind) values ($1, $1, 'domestic') returning id)
        insert into organisation_scope (organisation_id, scope) select id, unnest($2::text[]) from made`,
      values: [ORGANISATION, allScopes],
    });
    headers = { authorization: `Bearer ${await signToken()}` };
    await registerGoods(database, ORGANISATION);
  });
  after(async () => {
    await server?.app.close();
    await database?.close();
    await drop?.();
    await rm(folder, { recursive: true, force: true });
  });

  async function signToken(): Promise<string> {
    const keys = { folder: join(folder, 'keys') };
    const ring = await openKeyRing(keys, 'customs-token', () => new Date());
    const now = Math.floor(Date.now() / 1000);
    try {
      return await ring.sign({
        iss: customsIssuer(baseUrl),
        aud: baseUrl,
        sub: ORGANISATION,
        client_id: 'any',
        scope: allScopes.map((scope) => `customs:${scope}`).join(' '),
        iat: now,
        exp: now + 600,
      });
    } finally {
      ring.close();
    }
  }

  /** Opens it, and returns what is wrong with how it ends. */
  async function tryRequest(
    request: LastingRequest,
    foundWrong: Promise<void>,
    whenOpen: () => void,
  ): Promise<string[]> {
    const { operation, kind } = request;
    const name = `${operation.operationId}, ${kind}`;
    const { opened, goOn } = openRequest(baseUrl, request, headers);
    await opened.begun;
    if (!opened.isOpen()) {
      const { status, text } = await opened.ended;
      return [`${name}: was not open (${status} ${text.slice(0, 300)})`];
    }
    whenOpen();
    await foundWrong;
    if (kind === 'body' || kind === 'download') {
      await delay(RECHECK_INTERVAL_MS + 1000);
      goOn();
    }
    const result = await Promise.race([
      opened.ended,
      delay(RECHECK_INTERVAL_MS + SLACK_MS, undefined, { ref: false }),
    ]);
    opened.close();
    if (result === undefined) return [`${name}: is still open`];
    const { status, text, complete } = result;
    const isRefused = status === 503 && /The clock of this server is .* ahead/.test(text);
    const isExpected = {
      request: false,
      events: status === 200 && complete && text.endsWith('\n\n'),
      wait: isRefused,
      'idle-upload': isRefused || !complete,
      'busy-upload': isRefused || !complete,
      download: !complete,
      body: isRefused,
    }[kind];
    return isExpected ? [] : [`${name}: ${status} ${complete} ${text.slice(-300)}`];
  }

  test('ends everything that is open, refuses requests with their connections, and serves when it is right', async () => {
    assert(requests.length > 20, `${requests.length} requests`);
    let open = 0;
    let done = 0;
    let begin: () => void = () => undefined;
    const foundWrong = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const results = requests.map((request) =>
      tryRequest(request, foundWrong, () => open++)
        .catch((error) => [String(error)])
        .finally(() => done++),
    );
    await until(() => open + done >= requests.length);
    const read = () => fetch(`${baseUrl}/api/movement/routing/v1/house-consignment`, { headers });
    shift = 7_200_000;
    await delay(COMPARED_MS);
    await until(async () => {
      const response = await read();
      await response.body?.cancel();
      return response.status === 503 && response.headers.get('connection') === 'close';
    });
    begin();
    assert.deepEqual((await Promise.all(results)).flat(), []);
    shift = 0;
    await until(async () => {
      const response = await read();
      await response.body?.cancel();
      return response.ok;
    });
  });
});
