// Clients that request much and read nothing: the memory that they take is bounded, and others are served.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openPostgresql } from '../database/postgresql.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { whyNoPostgresql } from '../testing/postgresql.js';
import { storePadded } from '../testing/store-padded-messages.js';
import { until } from '../testing/until.js';

const STREAM = '/api/declaration/feed/v1/goods-items';

const MIB = 1024 * 1024;
const LIMITS = { openReads: 120, unreadMemory: 32, organisationUnreadMemory: 16 };

/** Messages of the stream, each of 240 kB. */
const MESSAGES = 150;

/**
 * Far above what a server with these limits takes, for its caches and for what is being produced, and far below what it
 * took without limits: 20 MiB for each stream.
 */
const MAX_GROWTH = 300 * MIB;

describe('unread responses', { skip: await whyNoPostgresql() }, () => {
  let process: PlaygroundProcess;
  let sockets: Socket[] = [];
  /** The messages from which a stream or a page continues. */
  let markers: string[];
  let drop: () => Promise<void>;
  before(async () => {
    const { url, drop: dropDatabase } = await createMigratedPostgresql();
    drop = dropDatabase;
    const database = openPostgresql(url);
    await storePadded(
      database,
      Array.from({ length: MESSAGES }, () => 238_000),
    );
    const rows = await database.query<{ id: string }>({
      name: 'test-markers',
      text: 'select id from goods_item_event order by position',
      values: [],
    });
    markers = rows.map(({ id }) => id);
    await database.close();
    process = await PlaygroundProcess.start(url, LIMITS);
  });
  after(async () => {
    await process.close();
    await drop();
  });

  const read = (path: string, as: string, headers: Record<string, string> = {}) =>
    fetch(`${process.ready.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${process.ready.tokens[as]}`, ...headers },
    });

  /** The value of a metric. */
  const measure = async (name: string): Promise<number> => {
    const text = await (await fetch(`${process.ready.baseUrl}/metrics`)).text();
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    assert(value !== undefined, `there is no ${name}`);
    return Number(value);
  };

  /** Sends a request on a connection, so many times, and reads the first head and no more; returns its status. */
  const requestUnread = async (path: string, accept: string, times = 1): Promise<string> => {
    const { hostname, port } = new URL(process.ready.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    sockets.push(socket);
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nAccept-Encoding: identity\r\nAuthorization: Bearer ${process.ready.tokens.statistics}\r\n\r\n`;
    socket.write(request.repeat(times));
    const [head] = await once(socket, 'data');
    socket.pause();
    return String(head).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
  };

  const leave = async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await until(async () => (await measure('landfall_open_reads')) === 0);
    assert.equal(await measure('landfall_unread_bytes'), 0);
  };

  /** Another organisation reads all messages, as pages and as events. */
  const assertOthersAreServed = async () => {
    let path: string | null = `${STREAM}?limit=1000`;
    let messages = 0;
    while (path !== null) {
      const page: Response = await read(path, 'authority');
      assert.equal(page.status, 200);
      messages += JSON.parse(await page.text()).length;
      const next: URL | null = URL.parse(/<(.*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '');
      path = next && `${next.pathname}${next.search}`;
    }
    assert.equal(messages, MESSAGES);
    const stream = await read(STREAM, 'authority', { accept: 'text/event-stream' });
    assert.equal(stream.status, 200);
    assert(stream.body);
    let events = 0;
    for await (const part of stream.body.pipeThrough(new TextDecoderStream())) {
      events += part.split('\ndata: ').length - 1;
      if (events >= MESSAGES) break;
    }
  };

  test('streams of events that nobody reads take the memory of the limit, and others are served', async () => {
    const before = await process.readMemory();
    const statuses = await Promise.all(
      Array.from({ length: LIMITS.openReads }, (_, number) =>
        // From different places, so that they share no pages.
        requestUnread(`${STREAM}?marker=${markers[number]}`, 'text/event-stream'),
      ),
    );
    assert.deepEqual([...new Set(statuses)], ['200']);
    await until(async () => (await measure('landfall_unread_bytes')) > 8 * MIB);
    const held: number[] = [];
    for (let number = 0; number < 20; number++) {
      held.push(await measure('landfall_unread_bytes'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert(Math.max(...held) <= LIMITS.organisationUnreadMemory * MIB, `${held} bytes`);
    const grown = (await process.readMemory()) - before;
    assert(grown < MAX_GROWTH, `${grown / MIB} MiB`);
    await assertOthersAreServed();

    const refused = await read(STREAM, 'statistics', { accept: 'text/event-stream' });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(refused.headers.get('content-type'), 'application/problem+json');
    assert.match(await refused.text(), /may have 120 reads open/);
    assert.equal(await measure('landfall_open_reads_refused_total'), 1);
    await leave();
    assert.equal((await read(`${STREAM}?limit=1`, 'statistics')).status, 200);
  });

  test('pages that nobody reads are refused beyond the limit, and others are served', async () => {
    const before = await process.readMemory();
    let number = 0;
    const requestNext = () => {
      const accept = number % 2 === 0 ? 'application/json' : 'application/x-ndjson';
      const marker = markers[number % markers.length];
      const path = number % 3 === 0 ? `${STREAM}/current?` : `${STREAM}?marker=${marker}&`;
      // The buffers of a connection may take a whole page, and no two.
      return requestUnread(`${path}limit=${900 + number++}`, accept, 2);
    };
    const statuses = new Set<string>();
    // Few at once: a database that is busy refuses with 503.
    while (number < 100) {
      for (const status of await Promise.all(Array.from({ length: 4 }, requestNext))) {
        statuses.add(status);
      }
    }
    statuses.delete('503');
    assert.deepEqual([...statuses].sort(), ['200', '429']);
    assert((await measure('landfall_unread_bytes')) <= LIMITS.organisationUnreadMemory * MIB);
    assert((await measure('landfall_unread_refused_total')) > 0);
    const grown = (await process.readMemory()) - before;
    assert(grown < MAX_GROWTH, `${grown / MIB} MiB`);
    await assertOthersAreServed();
    await leave();
    assert.equal((await read(`${STREAM}?limit=1`, 'statistics')).status, 200);
  });
});
