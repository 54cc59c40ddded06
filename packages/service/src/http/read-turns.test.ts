// Reads of one organisation leave sessions of the database to others, whatever is read.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Operation, operations } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { TestPlayground } from '../testing/playground-client.js';
import { whyNoPostgresql } from '../testing/postgresql.js';
import { identityFor, samplePath } from '../testing/request-samples.js';
import { ReadTurns } from './read-turns.js';

const SESSIONS = 4;

/** So many that without turns another organisation would wait for longer than any request may. */
const READS = 80;

/** How long each statement of the sessions for reading takes, in milliseconds. */
const SLOW_MS = 400;

/** Far above what a read of the other organisation takes, and far below what it took without turns. */
const MAX_MS = 4000;

const STREAM = '/api/declaration/feed/v1/goods-items';

describe('many reads of one organisation', { skip: await whyNoPostgresql() }, () => {
  let playground: TestPlayground;
  let isSlow = false;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    const database = openPostgresql(created.url, { connections: SESSIONS });
    const sleep = { name: '', text: `select pg_sleep(${SLOW_MS / 1000})`, values: [] };
    const slow: Database = {
      ...database,
      query: async (statement) => {
        if (isSlow) await database.query(sleep);
        return database.query(statement);
      },
    };
    playground = await TestPlayground.start(slow, {
      databaseConnections: SESSIONS,
      rateLimit: 0,
    });
  });
  after(async () => {
    await playground?.close();
    await drop?.();
  });

  const reads = Object.values<Operation>(operations).filter(
    (operation) => operation.method === 'GET' && operation.access !== 'public',
  );
  for (const operation of reads) {
    test(`of ${operation.operationId} do not hold up those of another`, async () => {
      const { baseUrl } = playground.playground;
      const isFeed = operation.headers?.Prefer !== undefined;
      // A long page, or a filter, needs a session.
      const parameters: Record<string, string> = isFeed ? { reference: '26NO00000000000099' } : {};
      const path = `${samplePath(operation, parameters)}${isFeed ? '?limit=1000' : ''}`;
      const readAs = async (as: string, address: string, signal: AbortSignal) => {
        const headers = { authorization: `Bearer ${await playground.token(as)}` };
        const response = await fetch(`${baseUrl}${address}`, { headers, signal });
        await response.text();
        return response.status;
      };
      const leave = new AbortController();
      // The tokens are there, and the organisations are known, before anything is slow.
      await readAs('statistics', STREAM, leave.signal);
      await readAs(identityFor(operation) ?? '', path, leave.signal);
      isSlow = true;
      const many = Array.from({ length: READS }, () =>
        readAs(identityFor(operation) ?? '', path, leave.signal).catch(() => undefined),
      );
      await delay(300);
      const start = performance.now();
      try {
        const status = await readAs('statistics', `${STREAM}?limit=1000`, leave.signal);
        const took = performance.now() - start;
        assert.equal(status, 200);
        assert(took < MAX_MS, `${took} ms`);
      } finally {
        isSlow = false;
        leave.abort();
        await Promise.all(many);
      }
    });
  }
});

test('as many reads of a declaration as there are sessions all get it', {
  skip: await whyNoPostgresql(),
}, async () => {
  const created = await createMigratedPostgresql();
  const playground = await TestPlayground.start(openPostgresql(created.url, { connections: 2 }), {
    databaseConnections: 2,
  });
  try {
    const mrn = '23NO00000000000003';
    const path = `/api/authority/v1/entry-summary-declarations/${mrn}`;
    const reads = Array.from({ length: 8 }, () => playground.get(path, 'authority'));
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)], [200]);
  } finally {
    await playground.close();
    await created.drop();
  }
});

/** A response whose client leaves when the test says so. */
function makeResponse(): ServerResponse {
  // The cast is true of what turns read of a response.
  return Object.assign(new EventEmitter(), { closed: false, destroyed: false }) as ServerResponse;
}

describe('turns of reads', () => {
  const never = () => new Promise<never>(() => undefined);

  test('are taken in their order, as many at the same time as the limit says, by each organisation', async () => {
    const turns = new ReadTurns(2);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const take = (organisation: number, name: string) =>
      turns.take(organisation, makeResponse(), () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = ['a', 'b', 'c', 'd'].map((name) => take(1, name));
    all.push(take(2, 'of another'));
    await delay(0);
    assert.deepEqual(begun, ['a', 'b', 'of another']);
    ends.shift()?.();
    await delay(0);
    assert.deepEqual(begun.slice(3), ['c']);
    while (ends.length > 0) {
      ends.shift()?.();
      await delay(0);
    }
    await Promise.all(all);
    assert.deepEqual(begun.slice(4), ['d']);
  });

  test('are not waited for by a part of a read that has its turn', async () => {
    const turns = new ReadTurns(1);
    const response = makeResponse();
    const end = await turns.begin(1, response);
    assert.equal(await turns.take(1, response, async () => 'a part'), 'a part');
    const next = turns.take(1, makeResponse(), async () => 'the next one');
    end();
    assert.equal(await next, 'the next one');
    // Its further parts wait, as everybody else.
    const other = await turns.begin(1, makeResponse());
    let isRead = false;
    const part = turns.take(1, response, async () => {
      isRead = true;
    });
    await delay(0);
    assert.equal(isRead, false);
    other();
    await part;
  });

  test('are given on by a read that fails', async () => {
    const turns = new ReadTurns(1);
    const fails = turns.take(1, makeResponse(), () => Promise.reject(new Error('fails')));
    const next = turns.take(1, makeResponse(), async () => 'read');
    await assert.rejects(fails, /fails/);
    assert.equal(await next, 'read');
  });

  test('are not taken by a client that has left, or one that has waited too long', async () => {
    const turns = new ReadTurns(1, 50);
    void turns.take(1, makeResponse(), never);
    const response = makeResponse();
    const left = turns.take(1, response, never);
    response.emit('close');
    await assert.rejects(left, { status: 429 });
    const gone = Object.assign(makeResponse(), { destroyed: true });
    await assert.rejects(turns.take(1, gone, never), { status: 429 });
    await assert.rejects(turns.take(1, makeResponse(), never), {
      status: 429,
      headers: { 'Retry-After': '1' },
    });
  });
});
