// Pages are bounded in bytes as well as in entries: on databases that hold entries of any size.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GoodsItemMessage } from '@landfall/contract';
import { goodsItemStream } from '../goods-items/event-feed.js';
import { writeItemsPage } from '../goods-items/list-current-goods-items.js';
import { drawnDatabases } from '../testing/databases.js';
import { declarationId } from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';
import { readEvents } from '../testing/read-events.js';
import { storePadded } from '../testing/store-padded-messages.js';
import { MAX_PAGE_BYTES } from './queries.js';
import { readPage } from './read-feed.js';

const STREAM = '/api/declaration/feed/v1/goods-items';

/** Together many times what a page may have. */
const ENTRIES = 60;
const PADDING = 980_000;

/** What a page may have beside its entries: brackets, and commas or ids. */
const FRAMING_BYTES = 1000 * 60;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`pages of large entries on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    let ids: string[];
    before(async () => {
      const database = await open();
      await storePadded(
        database,
        Array.from({ length: ENTRIES }, () => PADDING),
      );
      const rows = await database.query<{ id: string }>({
        name: '',
        text: 'select id from goods_item_event order by position',
        values: [],
      });
      ids = rows.map(({ id }) => id);
      playground = await TestPlayground.start(database);
    });
    after(() => playground.close());

    const idsOf = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as GoodsItemMessage).metadata.eventId);

    /** Reads pages by their links until there is none, or so many. */
    const follow = async (address: string, maxPages: number, accept = 'application/x-ndjson') => {
      const read: string[] = [];
      let next: string | undefined = address;
      let pages = 0;
      for (; next !== undefined && pages < maxPages; pages++) {
        const page = await playground.get(next, 'statistics', { accept });
        assert.equal(page.status, 200, page.text.slice(0, 300));
        assert(page.text.length <= MAX_PAGE_BYTES + FRAMING_BYTES, `${page.text.length} bytes`);
        read.push(
          ...(accept === 'application/json'
            ? (page.body as GoodsItemMessage[]).map(({ metadata }) => metadata.eventId)
            : idsOf(page.text)),
        );
        next = /^<http:\/\/[^/]*([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      }
      return { read, pages, next };
    };

    for (const accept of ['application/json', 'application/x-ndjson']) {
      test(`a default page of the stream as ${accept} is short, with a Link to the next`, async () => {
        const start = await follow(STREAM, 3, accept);
        assert(start.next !== undefined, 'a page that was cut has a Link');
        assert.deepEqual(start.read, ids.slice(0, start.read.length));
        assert(start.read.length >= 6, `${start.read.length} entries on 3 pages`);

        const end = await follow(`${STREAM}?marker=${ids[ENTRIES - 11]}`, 99, accept);
        assert.equal(end.next, undefined, 'the last page has no Link');
        assert.deepEqual(end.read, ids.slice(-10));
        assert(end.pages > 1 && end.pages < 10, `${end.pages} pages`);
      });
    }

    test('the current goods items come in short pages, with a Link to the next', async () => {
      const start = await follow(`${STREAM}/current`, 3);
      assert(start.next !== undefined);
      assert.deepEqual(start.read, ids.slice(0, start.read.length));

      const after = { declaration: declarationId(0), number: ENTRIES - 10 };
      const page = writeItemsPage({ marker: ids.at(-1), after });
      const end = await follow(`${STREAM}/current?page=${page}`, 99);
      assert.equal(end.next, undefined);
      assert.deepEqual(end.read, ids.slice(-10));
      assert(end.pages > 1 && end.pages < 10, `${end.pages} pages`);
    });

    test('a stream of events is read in blocks that fit', async () => {
      const events = await readEvents(playground, STREAM, 'statistics', 12);
      assert.deepEqual(
        events.slice(0, 12).map(({ id }) => id),
        ids.slice(0, 12),
      );
    });
  });

  test(`a page on ${name} ends before the entry that does not fit, and holds at least one`, {
    skip,
  }, async () => {
    const database = await open();
    try {
      const MIB = 1024 * 1024;
      const paddings = [6 * MIB, 10, 5 * MIB, 2 * MIB, MIB, MIB, 0, 3 * MIB, 9 * MIB, 9 * MIB, 1];
      await storePadded(database, paddings);
      const pages: number[] = [];
      for (let position = 0, more = true; more; ) {
        const page = await readPage(database, goodsItemStream, position, 4, 'ndjson');
        pages.push(page.entries);
        assert.equal(page.position, position + page.entries);
        ({ position, more } = page);
      }
      // Each entry is somewhat larger than its padding, so 2, 1 and 1 MiB do not fit together.
      assert.deepEqual(pages, [1, 1, 1, 2, 2, 1, 1, 1, 1]);
    } finally {
      await database.close();
    }
  });
}
