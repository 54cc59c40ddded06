// Sessions with the database are ended, and statements cancelled, at random moments under every kind of operation, while
// feeds are held. A promise that fails before somebody awaits it ends the process: it must live, and serve afterwards.
// `LOST_SESSIONS_SECONDS` sets for how long.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request as sendRequest } from 'node:http';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Operation, operations } from '@landfall/contract';
import pg from 'pg';
import { isDrawn } from '../../../contract/dist/testing/drawn-cases.js';
import { FEED_LOCK } from '../database/locks.js';
import { FRESH_ID, freshIds } from '../testing/changed-json.js';
import { testDatabases } from '../testing/databases.js';
import { openedKindsOf, openRequest } from '../testing/lasting-requests.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { MULTIPART_TYPE, makeUpload } from '../testing/multipart.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { identityFor, sampleBody, sampleLine, samplePath } from '../testing/request-samples.js';
import { sampleValue } from '../testing/sample-value.js';
import { until } from '../testing/until.js';
import { MULTIPART } from './media-type.js';
import { NDJSON } from './ndjson.js';

/** A run of all tests loses fewer of them. */
const SECONDS = Number(process.env.LOST_SESSIONS_SECONDS ?? (isDrawn ? 5 : 15));

/** For how long clients leave their requests, in milliseconds. */
const LEAVING_MS = (SECONDS * 1000) / 3;

/** Texts of ten lines are sent so often: blocks of uploads have 2,000 or 4,000 lines. */
const BLOCKS = [1, 200, 400];

/** Clients that send one request after the other. */
const CLIENTS = 12;

/** How long what lasts is open, and how long a response may take, in milliseconds. */
const [OPEN_MS, MAX_RESPONSE_MS] = [1500, 30_000];

/** The numbers of organisations whose feeds are held now and then: those of the playground. */
const ORGANISATIONS = Array.from({ length: 12 }, (_, index) => index + 1);

/** An organisation that the playground does not have, so that what is changed of it stops no other request. */
const OTHER = '0192:311000004';

const [, { skip } = { skip: false }] = await testDatabases();

const kinds = Object.values<Operation>(operations).flatMap((operation) =>
  [...new Set([...openedKindsOf(operation), 'request' as const])].map((kind) => ({
    operation,
    kind,
  })),
);

/** One of the bodies that an operation takes, as text. */
function anyBodyOf(
  operation: Operation,
  document: string,
): [mediaType: string, body: string | undefined] {
  const [mediaType, schema] = anyOf(Object.entries(operation.body ?? {})) ?? [];
  if (mediaType === undefined || schema === undefined) return ['', undefined];
  if (mediaType === 'application/json')
    return [mediaType, vary(sampleBody(operation, schema), document)];
  if (mediaType === MULTIPART) return [MULTIPART_TYPE, makeUpload(randomUUID()).toString()];
  return [mediaType, linesOf(operation, schema, document)];
}

/** Some lines of an upload. */
function linesOf(operation: Operation, schema: object, document: string): string {
  const line = Object('contentSchema' in schema ? schema.contentSchema : {});
  const parts = [line.anyOf ?? line].flat();
  return Array.from(
    { length: 10 },
    () => `${vary(sampleLine(operation) ?? sampleValue(anyOf(parts)), document)}\n`,
  ).join('');
}

/** The sample as text, about goods of one declaration and with another routing each time, so that something changes. */
function vary(sample: unknown, document: string): string {
  return JSON.stringify(freshIds(sample))
    .replaceAll(FRESH_ID, randomUUID())
    .replaceAll('23NO00000000000001', '26NO00000000000099')
    .replaceAll('"C624"', '"N740"')
    .replaceAll(/HC001|SAMPLE/g, document)
    .replaceAll(
      '"routing":"TO_CONTROL","routingControlLocation":"ON_ENTRY"',
      Math.random() < 0.5
        ? '"routing":"TO_ENTRY"'
        : '"routing":"TO_CONTROL","routingControlLocation":"ON_ENTRY"',
    )
    .replace(',"expected":0', '');
}

/** One of some documents. */
function anyDocument(): string {
  return `SAMPLE-${Math.floor(30 * Math.random())}`;
}

function anyOf<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

/** What changes something takes the locks. */
const changing = kinds.filter(({ operation, kind }) => kind === 'request' && operation.body);

describe('sessions with the database that are lost', { skip }, () => {
  let server: PlaygroundProcess;
  let drop: () => Promise<void>;
  let url: string;
  // A server for each test: what one has presented cannot be changed any more.
  beforeEach(async () => {
    const created = await createMigratedPostgresql();
    ({ url, drop } = created);
    server = await PlaygroundProcess.start(url);
  });
  afterEach(async () => {
    await server?.close();
    await drop?.();
  });

  const tokenOf = (operation: Operation): Record<string, string> => {
    const identity = identityFor(operation);
    return identity === undefined
      ? {}
      : { authorization: `Bearer ${server.ready.tokens[identity] ?? ''}` };
  };

  /** Sends a request, and returns its status; 0 without a response, which a process that has ended gives too. */
  async function send(operation: Operation, document = anyDocument()): Promise<number> {
    const given: Record<string, string> = operation.method === 'GET' ? {} : { id: OTHER };
    const [mediaType, body] = anyBodyOf(operation, document);
    try {
      const response = await fetch(server.ready.baseUrl + samplePath(operation, given), {
        method: operation.method,
        headers: {
          ...tokenOf(operation),
          ...(body !== undefined && { 'content-type': mediaType }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(MAX_RESPONSE_MS),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  /** Opens what lasts for a while. */
  async function open({ operation, kind }: (typeof kinds)[number]): Promise<void> {
    const request = { operation, kind, holder: 'token' } as const;
    const { opened, goOn } = openRequest(server.ready.baseUrl, request, tokenOf(operation));
    await Promise.race([opened.ended, delay(OPEN_MS * Math.random())]);
    if (Math.random() < 0.5) goOn();
    await Promise.race([opened.ended, delay(OPEN_MS)]);
    opened.close();
  }

  test('end no process, whatever it does', async () => {
    const own = 'test of lost sessions';
    const made = new URL(url);
    made.searchParams.set('application_name', own);
    const [ending, holding] = [1, 2].map(() => new pg.Client({ connectionString: made.href }));
    assert(ending && holding);
    await Promise.all([ending.connect(), holding.connect()]);
    const endsAt = performance.now() + SECONDS * 1000;
    const goesOn = () => performance.now() < endsAt && server.isAlive;
    const lost = { ended: 0, cancelled: 0 };
    const statuses = new Map<number, number>();

    const endSome = async (limit: number) => {
      const cancels = Math.random() < 0.3;
      const { rowCount } = await ending.query(
        `select ${cancels ? 'pg_cancel_backend' : 'pg_terminate_backend'}(pid) from pg_stat_activity
         where datname = current_database() and application_name <> $1
           and ($2 or state = 'active') order by random() limit $3`,
        [own, Math.random() < 0.5, limit],
      );
      lost[cancels ? 'cancelled' : 'ended'] += rowCount ?? 0;
    };
    const endSessions = async () => {
      while (goesOn()) {
        // One after the other, and all at once after a while in which requests get to where they wait.
        for (let count = 0; count < 20 && goesOn(); count++) {
          await endSome(1);
          await delay(20 * Math.random());
        }
        await delay(4000 * Math.random());
        for (let count = 0; count < 5; count++) await endSome(100);
      }
    };
    const holdFeeds = async () => {
      while (goesOn()) {
        await holding.query('begin');
        await holding.query(
          `select pg_advisory_xact_lock(${FEED_LOCK}, organisation) from unnest($1::integer[]) as organisation`,
          [ORGANISATIONS.filter(() => Math.random() < 0.5)],
        );
        // Sometimes so long that requests that wait give up.
        await delay(Math.random() < 0.5 ? 4000 : 300 * Math.random());
        await holding.query('rollback');
        await delay(100 * Math.random());
      }
    };
    const sendRequests = async () => {
      while (goesOn()) {
        const chosen = anyOf(Math.random() < 0.5 ? kinds : changing);
        if (chosen === undefined) continue;
        if (chosen.kind === 'request') {
          const status = await send(chosen.operation);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        } else await open(chosen);
      }
    };
    const senders = Array.from({ length: CLIENTS }, sendRequests);
    try {
      await Promise.all([endSessions(), holdFeeds(), ...senders]);
    } finally {
      await Promise.all([ending.end(), holding.end()]);
    }

    assert(server.isAlive, server.lastWords);
    assert(lost.ended > 0 && lost.cancelled > 0, JSON.stringify(lost));
    assert(Number(statuses.get(200)) > 0, JSON.stringify([...statuses]));
    assert.deepEqual(server.internalErrors, []);
    // It serves afterwards: each operation without an error of the server.
    await until(async () => (await fetch(`${server.ready.baseUrl}/readyz`)).ok);
    for (const operation of Object.values<Operation>(operations)) {
      const status = await send(operation);
      assert(status >= 200 && status < 500, `${operation.operationId}: ${status}`);
    }
    assert(server.isAlive, server.lastWords);
  });

  test('clients that leave at any moment end no process either', async () => {
    const bodies = kinds.filter(({ operation }) => operation.body !== undefined);
    const endsAt = performance.now() + LEAVING_MS;
    let left = 0;
    const leaveRequests = async () => {
      while (performance.now() < endsAt && server.isAlive) {
        const { operation } = anyOf(bodies) ?? assert.fail();
        const [mediaType, body] = anyBodyOf(operation, anyDocument());
        const request = sendRequest(server.ready.baseUrl + samplePath(operation, { id: OTHER }), {
          method: operation.method,
          headers: { ...tokenOf(operation), 'content-type': mediaType },
        });
        request.on('error', () => undefined);
        request.on('response', (response) => response.resume());
        const ended = new Promise((resolve) => request.once('close', resolve));
        // A whole block of an upload is processed while its client leaves; anything else is cut at any place.
        const pieces = mediaType === NDJSON ? 1 : 3;
        for (let piece = 0; piece < pieces && !request.destroyed; piece++) {
          if (mediaType === NDJSON) request.write(body?.repeat(anyOf(BLOCKS) ?? 1));
          else request.write(body?.slice(0, body.length * Math.random()));
          await delay(50 * Math.random());
        }
        // Some have sent everything, and do not wait for the response.
        if (Math.random() < 0.5) {
          request.end();
          await delay(10);
        }
        request.destroy();
        await ended;
        left++;
      }
    };
    // What is locked is what most clients wait for when they leave.
    const holding = new pg.Client({ connectionString: url });
    await holding.connect();
    const holdGoods = async () => {
      while (performance.now() < endsAt && server.isAlive) {
        await holding.query('begin; lock table house_consignment in access exclusive mode');
        await delay(100 * Math.random());
        await holding.query('rollback');
        await delay(20 * Math.random());
      }
    };
    try {
      await Promise.all([holdGoods(), ...Array.from({ length: CLIENTS }, leaveRequests)]);
    } finally {
      await holding.end();
    }
    assert(server.isAlive, server.lastWords);
    assert(left > 0);
    assert.deepEqual(server.internalErrors, []);
    assert((await fetch(`${server.ready.baseUrl}/readyz`)).ok);
  });

  test('an upload counts as open as long as the work on it goes on, although its client has left', async () => {
    // Goods whose decisions change something, and a transport that arrives.
    await until(async () => (await send(operations.putEntrySummaryDeclaration, 'HELD')) < 300);
    await until(async () => (await send(operations.lodgeTransport, 'HELD')) < 300);
    const countOpen = async () => {
      const metrics = await (await fetch(`${server.ready.baseUrl}/metrics`)).text();
      return Number(/^landfall_open_uploads (\S+)$/m.exec(metrics)?.[1]);
    };
    const holding = new pg.Client({ connectionString: url });
    await holding.connect();
    const isHeld = async () => {
      const { rowCount } = await holding.query(
        `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return Number(rowCount) > 0;
    };
    const { rows: tables } = await holding.query(
      `select string_agg(quote_ident(relname), ', ') as names from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
    );
    let uploads = 0;
    try {
      for (const operation of Object.values<Operation>(operations)) {
        const schema = operation.body?.[NDJSON];
        if (schema === undefined) continue;
        uploads++;
        // Reading goes on, and changing waits.
        await holding.query(`begin; lock table ${tables[0].names} in exclusive mode`);
        const request = sendRequest(server.ready.baseUrl + samplePath(operation), {
          method: operation.method,
          headers: { ...tokenOf(operation), 'content-type': NDJSON },
        });
        request.on('error', () => undefined);
        request.end(linesOf(operation, schema, 'HELD'));
        await until(isHeld);
        request.destroy();
        // Longer than the server needs to notice.
        await delay(200);
        assert.equal(await countOpen(), 1, operation.operationId);
        await holding.query('rollback');
        await until(async () => (await countOpen()) === 0);
      }
    } finally {
      await holding.end();
    }
    assert(uploads > 2);
  });

  test('end no process when uploads have just given up what is held, and nobody waits for it any more', async () => {
    const own = 'test of lost sessions';
    const made = new URL(url);
    made.searchParams.set('application_name', own);
    const [holding, ending] = [1, 2].map(() => new pg.Client({ connectionString: made.href }));
    assert(ending && holding);
    await Promise.all([ending.connect(), holding.connect()]);
    try {
      // Goods that are presented: their decisions need the locks of whom they are about.
      for (const prepared of [
        operations.putEntrySummaryDeclaration,
        operations.presentEntrySummaryDeclaration,
      ]) {
        await until(async () => (await send(prepared, 'HELD')) < 300);
      }
      await holding.query('begin');
      await holding.query(
        `select pg_advisory_xact_lock(${FEED_LOCK}, organisation) from unnest($1::integer[]) as organisation`,
        [ORGANISATIONS],
      );
      const results: string[] = [];
      let waiting = 0;
      for (const operation of Object.values<Operation>(operations)) {
        const schema = operation.body?.[NDJSON];
        if (schema === undefined) continue;
        waiting++;
        const sent = fetch(server.ready.baseUrl + samplePath(operation), {
          method: operation.method,
          headers: { ...tokenOf(operation), 'content-type': NDJSON },
          body: linesOf(operation, schema, 'HELD'),
        });
        const given = sent.then((response) => response.text()).catch(String);
        void given.then((text) => results.push(text)).finally(() => waiting--);
      }
      await until(() => waiting === 0);
      assert(results.join('').includes('"code":"HELD"'), results.join('\n').slice(0, 2000));
      // Each wait that was given up asks for another 2 s whether it is over. A session is idle most of the time in between.
      const endsAt = performance.now() + 2500;
      while (performance.now() < endsAt && server.isAlive) {
        await ending.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name <> $1`,
          [own],
        );
      }
    } finally {
      await Promise.all([ending.end(), holding.end()]);
    }
    await until(async () => (await fetch(`${server.ready.baseUrl}/readyz`)).ok);
    assert(server.isAlive, server.lastWords);
  });
});
