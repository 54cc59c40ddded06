// A reader that starts from the current items and resumes by marker ends with the same items as one that read everything.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GoodsItemMessage } from '@landfall/contract';
import fc from 'fast-check';
import type { Database } from '../database/database.js';
import { findMarker, readPage } from '../feed/read-feed.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { drawnDatabases } from '../testing/databases.js';
import { emptyFeeds } from '../testing/empty-tables.js';
import {
  declarationId,
  makeBareRemoval,
  makeMessage,
  ReadItems,
} from '../testing/goods-item-messages.js';
import { goodsItemStream } from './event-feed.js';
import { expireStep } from './expire-events.js';
import { readEvent } from './goods-item-event.js';
import {
  type ItemsPage,
  listCurrentGoodsItems,
  readItemsPage,
  writeItemsPage,
} from './list-current-goods-items.js';
import { makePublishBlock, type PublishBlock } from './publish-block.js';

/** One event of a history: of a few items, so that they are corrected and removed again and again. */
const happening = fc.record({
  kind: fc.constantFrom('add', 'add', 'no-history', 'remove', 'remove-related', 'remove-bare'),
  declaration: fc.nat(2),
  number: fc.integer({ min: 1, max: 3 }),
  /** Which event of the whole history a removal refers to, earlier or later. */
  related: fc.nat(40),
  chapter: fc.integer({ min: 10, max: 12 }),
});
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

/** A history as messages. A removal with data never says another item than its related event. */
function toMessages(history: readonly Happening[]): GoodsItemMessage[] {
  const ids = history.map(() => crypto.randomUUID());
  return history.map(({ kind, declaration, number, related, chapter }, index) => {
    const place2 = related % history.length;
    const eventId = ids[index] ?? '';
    const relatedEventId = ids[place2];
    const chosen = {
      eventId,
      declaration: declarationId(declaration),
      number,
      subheading: `${chapter}0110`,
    };
    const removal = { ...chosen, eventType: 'ITEM_REMOVED' as const };
    switch (kind) {
      case 'add':
        return makeMessage({
          ...chosen,
          relatedEventId: chapter === 10 ? relatedEventId : undefined,
        });
      case 'no-history':
        return makeMessage({ ...chosen, eventType: 'ITEM_ADDED_NO_HISTORY' });
      case 'remove':
        return makeMessage(removal);
      case 'remove-related': {
        const other = history[place2];
        const adds = other?.kind === 'add' || other?.kind === 'no-history';
        const item = adds ? other : { declaration, number };
        return makeMessage({
          ...removal,
          declaration: declarationId(item.declaration),
          number: item.number,
          relatedEventId,
        });
      }
      default:
        return makeBareRemoval(relatedEventId ?? '', eventId);
    }
  });
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`current goods items on ${name}`, { skip }, () => {
    let database: Database;
    let servers: { watch: FeedWatch; publish: PublishBlock }[];
    before(async () => {
      database = await open();
      servers = [0, 1].map(() => {
        const watch = new FeedWatch(database);
        return { watch, publish: makePublishBlock(database, watch, () => new Date()) };
      });
    });
    after(async () => {
      for (const { watch } of servers) watch.close();
      await database.close();
    });

    const clear = () => database.transact(({ run }) => run(`${emptyFeeds} delete from goods_item`));
    const publish = async (messages: readonly GoodsItemMessage[], server: number) => {
      const events = messages.map((message, index) => {
        const read = readEvent(JSON.stringify(message), index);
        assert(read.valid);
        return read.event;
      });
      const outcome = await servers[server % 2]?.publish(events);
      assert(outcome?.published, JSON.stringify(outcome));
    };
    const readFrom = async (marker: string | undefined, limit: number) => {
      const read: GoodsItemMessage[] = [];
      let after = marker === undefined ? 0 : await findMarker(database, goodsItemStream, marker);
      for (;;) {
        const page = await readPage(database, goodsItemStream, after, limit, 'json');
        read.push(...(JSON.parse(page.body) as GoodsItemMessage[]));
        if (page.entries === 0) return read;
        after = page.position;
      }
    };
    /** Reads all pages of the current items; `between` is done after each. */
    const readCurrent = async (
      limit: number,
      between: () => Promise<void> = async () => undefined,
    ) => {
      const items: GoodsItemMessage[] = [];
      let page: ItemsPage | undefined;
      for (;;) {
        const response = await listCurrentGoodsItems(database, {
          declaration: undefined,
          page,
          limit,
          framing: 'json',
        });
        items.push(...(JSON.parse(response.body) as GoodsItemMessage[]));
        await between();
        if (response.next === undefined) return { items, marker: response.marker };
        page = readItemsPage(writeItemsPage(response.next));
        assert.deepEqual(page, response.next);
      }
    };
    const stateOf = (messages: readonly GoodsItemMessage[], onto = new ReadItems()) => {
      for (const message of messages) onto.apply(message);
      return onto;
    };

    test('over any history, in any blocks, with publishing between the pages', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(happening, { minLength: 1, maxLength: 40 }),
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 40, maxLength: 40 }),
          fc.nat(40),
          fc.integer({ min: 1, max: 4 }),
          fc.boolean(),
          async (history, sizes, before, limit, expire) => {
            await clear();
            const left = toMessages(history);
            const all = [...left];
            const publishNext = async () => {
              const some = left.splice(0, sizes[left.length % sizes.length]);
              if (some.length > 0) await publish(some, left.length);
            };
            while (all.length - left.length < before && left.length > 0) await publishNext();
            if (expire) await expireStep(database, new Date(Date.now() + 1000));
            const { items, marker } = await readCurrent(limit, publishNext);
            while (left.length > 0) await publishNext();

            const everything = stateOf(all);
            const current = (await readCurrent(1000)).items;
            assert.deepEqual(stateOf(current).state, everything.state, 'the current items');
            const reader = stateOf(items);
            stateOf(await readFrom(marker, limit), reader);
            assert.deepEqual(
              reader.state,
              everything.state,
              'the reader that began with the current items',
            );
            if (!expire)
              assert.deepEqual(await readFrom(undefined, limit), all, 'who read everything');
          },
        ),
        { numRuns: 150, includeErrorInReport: true },
      );
    });

    test('a removal has the topic of what it removes', async () => {
      await clear();
      const [a, b] = ['010121', '020110'];
      const added = makeMessage({ number: 1, subheading: a });
      const outgoing = makeMessage({ number: 2, subheading: b, direction: 'O' });
      await publish([added, outgoing], 0);
      const { eventId } = added.metadata;
      await publish([makeMessage({ number: 2, subheading: a, eventType: 'ITEM_REMOVED' })], 0);
      await publish([makeBareRemoval(eventId), makeBareRemoval(crypto.randomUUID())], 1);
      const again = makeMessage({ number: 1, subheading: b });
      await publish([again, makeBareRemoval(again.metadata.eventId)], 1);
      await publish(
        [again, makeMessage({ number: 1, subheading: a, eventType: 'ITEM_REMOVED' })],
        1,
      );
      const rows = await database.query<{ topic: string }>({
        name: '',
        text: 'select topic from goods_item_event order by position',
        values: [],
      });
      assert.deepEqual(
        rows.map(({ topic }) => topic),
        ['I.01', 'O.02', 'O.02', 'I.01', 'unknown.00', 'I.02', 'I.02', 'I.01'],
      );
    });
  });
}
