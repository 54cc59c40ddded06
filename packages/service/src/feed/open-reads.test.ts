// Reads that stay open end with their caller's token: when it expires, when its organisation is blocked, when its scope
// or its key is withdrawn, and when the reader does not read.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify from 'fastify';
import { rotateKeys } from '../access/signing-keys/rotate-keys.js';
import type { Database } from '../database/database.js';
import { goodsItemStream } from '../goods-items/event-feed.js';
import { testDatabases } from '../testing/databases.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';
import { storePadded } from '../testing/store-padded-messages.js';
import { wideLimits } from '../testing/wide-limits.js';
import { FeedViews } from './feed-views.js';
import { PageCache } from './page-cache.js';
import { ReadCoalescer } from './read-coalescer.js';
import { type ServedPage, serveFeed } from './serve-feed.js';
import { FeedWatch } from './watch-feeds.js';

const STREAM = '/api/declaration/feed/v1/goods-items';
const ROUTING = '/api/movement/routing/v1/house-consignment';

/** Far above the 5 s within which a read is re-checked, and far below the life of a token. */
const MAX_END_MS = 30_000;

/** What something comes to, unless it takes too long. */
async function soon<Result>(result: Promise<Result>, what: string): Promise<Result> {
  const timer = new AbortController();
  const late = delay(MAX_END_MS, undefined, { signal: timer.signal }).then(() =>
    assert.fail(`${what} is still open`),
  );
  late.catch(() => undefined);
  try {
    return await Promise.race([result, late]);
  } finally {
    timer.abort();
  }
}

const databases = await testDatabases();

// All of them wait for seconds, so they wait at the same time: after everything has started, because that needs the
// processor, and a token must not end before it is used.
describe('open reads', { concurrency: true }, () => {
  const preparations: (() => Promise<void>)[] = [];
  const ends: (() => Promise<unknown>)[] = [];
  before(async () => {
    for (const prepare of preparations) await prepare();
  });
  after(async () => {
    for (const end of ends) await end();
  });

  for (const { name, skip, open } of databases) {
    let database: Database;
    let dataFolder: string;
    let playground: TestPlayground;
    let shortLived: TestPlayground;
    let padded: Database;
    const prepare = async () => {
      database = await open();
      dataFolder = await mkdtemp(join(tmpdir(), 'landfall-open-reads-'));
      playground = await TestPlayground.start(database, { dataFolder });
      ends.push(() => playground.close());
      ends.push(() => rm(dataFolder, { recursive: true, force: true }));
      shortLived = await TestPlayground.start(await open(), { tokenLifetime: 4 });
      ends.push(() => shortLived.close());
      padded = await open();
      ends.push(() => padded.close());
      // More than all buffers of a connection hold.
      await storePadded(
        padded,
        Array.from({ length: 60 }, () => 980_000),
      );
    };
    if (skip === false) preparations.push(prepare);

    describe(`on ${name}`, { skip, concurrency: true }, () => {
      // One after the other: a rotated key ends the reads of all.
      describe('of one service', { concurrency: false }, () => {
        /** Blocks an organisation as another server on this database does. */
        const block = (as: string) =>
          database.query({
            name: 'test-block',
            text: 'update organisation set blocked = true where identifier = $1',
            values: [playground.credentials(as).organisation],
          });

        /** A stream of events and a long poll of the same feed, both waiting. */
        const openReads = async (as: string, address: string) => {
          const response = await fetch(`${playground.playground.baseUrl}${address}`, {
            headers: {
              accept: 'text/event-stream',
              authorization: `Bearer ${await playground.token(as)}`,
            },
          });
          assert.equal(response.status, 200);
          const poll = playground.get(address, as, { prefer: 'wait=60' });
          // So that both wait.
          await delay(500);
          return { stream: response.text(), poll };
        };

        test('a block ends a stream of events and a long poll, and nothing is delivered after it', async () => {
          const { stream, poll } = await openReads('statistics', STREAM);
          await block('statistics');
          // A check may be a second old.
          await delay(1500);
          await playground.post(STREAM, 'authority', makeMessage());
          assert.doesNotMatch(await soon(stream, 'the stream'), /^data:/m);
          assert.equal((await soon(poll, 'the long poll')).status, 401);
        });

        test('a block ends them also while there is nothing to deliver', async () => {
          const { stream, poll } = await openReads('carrier', ROUTING);
          await block('carrier');
          await soon(stream, 'the stream');
          assert.equal((await soon(poll, 'the long poll')).status, 401);
        });

        test('a withdrawn scope ends a stream of events, and nothing is delivered after it', async () => {
          // It has a message already, so the poll of this test does not wait.
          const { stream } = await openReads('authority', STREAM);
          // As another server on this database does.
          const change = (text: string) =>
            database.query({
              name: '',
              text,
              values: [playground.credentials('authority').organisation],
            });
          await change(`
        delete from organisation_scope where scope = 'declaration.feed'
          and organisation_id = (select id from organisation where identifier = $1)`);
          // A check may be a second old.
          await delay(1500);
          const message = makeMessage();
          assert.equal((await playground.post(STREAM, 'authority', message)).status, 202);
          const { eventId } = message.metadata;
          assert.ok(!(await soon(stream, 'the stream')).includes(eventId));
          await change(`
        insert into organisation_scope (organisation_id, scope)
          select id, 'declaration.feed' from organisation where identifier = $1`);
        });

        test('a key that is rotated at once ends them', async () => {
          const { stream, poll } = await openReads('forwarder', ROUTING);
          await rotateKeys({
            folder: join(dataFolder, 'keys'),
            purpose: 'customs-token',
            now: new Date(),
            keep: 0,
            lead: 0,
          });
          await soon(stream, 'the stream');
          assert.equal((await soon(poll, 'the long poll')).status, 401);
        });
      });

      test('the end of the token ends them', async () => {
        await shortLived.post(STREAM, 'authority', makeMessage());
        const headers = { authorization: `Bearer ${await shortLived.token('statistics')}` };
        const stream = await fetch(`${shortLived.playground.baseUrl}${STREAM}`, {
          headers: { ...headers, accept: 'text/event-stream' },
        });
        const poll = shortLived.get(ROUTING, 'carrier', {
          prefer: 'wait=60',
        });
        assert.match(await soon(stream.text(), 'the stream'), /^data:/m);
        assert.equal((await soon(poll, 'the long poll')).status, 401);
      });

      test('a stalled reader of events is ended with its token', async () => {
        const watch = new FeedWatch(padded);
        const app = Fastify();
        const caller = {
          organisationId: 1,
          organisation: '0192:1',
          clientId: 'stalled',
          isPerson: false,
          scopes: [],
          expiresAt: Math.floor(Date.now() / 1000) + 4,
          stillAllowed: async () => Date.now() < caller.expiresAt * 1000,
        };
        let delivered = 0;
        const context = {
          views: new FeedViews(padded),
          watch,
          pages: new PageCache<ServedPage>(),
          unread: wideLimits().unread,
          turns: wideLimits().readTurns,
          expiring: new Set<never>(),
          reads: new ReadCoalescer(),
          clock: () => new Date(),
          baseUrl: '',
          recordAccess: ({ last }: { last: number }) => {
            delivered = last;
          },
        };
        app.get('/', (request, reply) =>
          serveFeed(
            context,
            { request, reply, caller, mediaType: 'text/event-stream' },
            { feed: goodsItemStream },
          ),
        );
        const url = await app.listen({ host: '127.0.0.1', port: 0 });
        const closed = new Promise((resolve) => {
          app.server.once('connection', (socket) => socket.once('close', resolve));
        });
        const reader = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
        try {
          reader.pause();
          reader.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
          await soon(closed, 'the connection');
          assert(
            delivered > 0 && delivered < 60,
            `${delivered} messages were taken: it never stalled`,
          );
        } finally {
          reader.destroy();
          watch.close();
          await app.close();
        }
      });
    });
  }
});
