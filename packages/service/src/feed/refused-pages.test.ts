// A page for which there is no room is refused, and is not recorded as read: neither one from the cache nor a compressed one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { goodsItemStream } from '../goods-items/event-feed.js';
import { makeServer } from '../http/server.js';
import { UnreadBytes, type UnreadResponse } from '../http/unread-bytes.js';
import { drawnDatabases } from '../testing/databases.js';
import { wideLimits } from '../testing/wide-limits.js';
import type { FeedAccess } from './feed.js';
import { FeedViews } from './feed-views.js';
import { PageCache } from './page-cache.js';
import { ReadCoalescer } from './read-coalescer.js';
import { type ServedPage, serveFeed } from './serve-feed.js';
import { FeedWatch } from './watch-feeds.js';

/** The page has about 130 kB, and compressed half of that. */
const LIMIT = 150_000;
const ORGANISATION = 1;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`pages without room on ${name}`, { skip }, () => {
    let app: FastifyInstance;
    let url: string;
    let close: () => Promise<void>;
    let held: UnreadResponse;
    const recorded: FeedAccess[] = [];
    before(async () => {
      const database = await open();
      await database.query({
        name: '',
        text: `
          with stored as (
            insert into goods_item_event (owner, position, id, declaration, number, topic, published_at, entry)
            select 0, n, gen_random_uuid(), 'x', n, 'I.87', now(), '"' || (
              select string_agg(md5(m::text || n), '') from generate_series(1, 1000) m) || '"'
            from generate_series(1, 5) n
            returning position
          )
          insert into feed_state (kind, owner, position) select 6, 0, max(position) from stored`,
        values: [],
      });
      const unread = new UnreadBytes({ total: LIMIT, organisation: LIMIT });
      held = unread.open(ORGANISATION, () => undefined);
      ({ app } = await makeServer({ logLevel: 'silent', unread }));
      const watch = new FeedWatch(database);
      const context = {
        views: new FeedViews(database),
        watch,
        pages: new PageCache<ServedPage>(),
        unread,
        turns: wideLimits().readTurns,
        expiring: new Set<never>(),
        reads: new ReadCoalescer(),
        clock: () => new Date(),
        baseUrl: '',
        recordAccess: (access: FeedAccess) => recorded.push(access),
      };
      const caller = {
        organisation: 'reader',
        organisationId: ORGANISATION,
        clientId: 'client',
        isPerson: false,
        scopes: [],
        expiresAt: Number.POSITIVE_INFINITY,
        stillAllowed: async () => true,
      };
      app.get('/', (request, reply) => {
        request.caller = caller;
        const call = { request, reply, caller, mediaType: 'application/json' };
        return serveFeed(context, call, { feed: goodsItemStream, limit: 4 });
      });
      url = await app.listen({ host: '127.0.0.1', port: 0 });
      close = async () => {
        watch.close();
        await app.close();
        await database.close();
      };
    });
    after(() => close());

    const read = async (encoding: string) => {
      recorded.length = 0;
      const response = await fetch(url, { headers: { 'accept-encoding': encoding } });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text };
    };
    const hold = (bytes: number) => assert(held.hold(Buffer.alloc(bytes)));

    test('a page that is sent is recorded, and one for which there is no room is not', async () => {
      for (const encoding of ['identity', 'gzip']) {
        const sent = await read(encoding);
        assert.equal(sent.status, 200, sent.text);
        assert.deepEqual(
          recorded.map(({ first, last }) => [first, last]),
          [[1, 4]],
        );
        // The page is in the cache, so nothing asks for room before it is there.
        hold(LIMIT - 20_000);
        const refused = await read(encoding);
        held.release();
        assert.equal(refused.status, 429, encoding);
        assert.deepEqual(recorded, [], encoding);
        for (const header of ['link', 'landfall-count', 'content-encoding']) {
          assert.equal(refused.headers.get(header), null, header);
        }
      }
    });

    test('of a compressed page, there is room for what is sent', async () => {
      hold(60_000);
      const sent = await read('gzip');
      held.release();
      assert.equal(sent.status, 200, sent.text);
      assert.equal(sent.headers.get('content-encoding'), 'gzip');
      assert.equal(recorded.length, 1);
    });
  });
}
