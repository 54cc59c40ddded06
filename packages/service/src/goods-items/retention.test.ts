// Expired events leave the stream; current items, duplicates and markers are still recognised.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GoodsItemMessage, Problem } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { findMarker, readPage } from '../feed/read-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { declarationId, makeBareRemoval, makeMessage } from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';
import { goodsItemStream } from './event-feed.js';
import { expireGoodsItems, expireStep } from './expire-events.js';

const PATH = '/api/declaration/feed/v1/goods-items';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`retention on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    const messages = Array.from({ length: 12 }, (_, number) =>
      makeMessage({ declaration: declarationId(number) }),
    );
    const idOf = (index: number) => messages.at(index)?.metadata.eventId ?? '';
    const publish = (body: unknown) => playground.post(PATH, 'authority', body);
    const read = async (marker?: string) => {
      const query = marker === undefined ? '' : `?marker=${marker}`;
      const response = await playground.get(`${PATH}${query}`, 'statistics');
      return response.status === 200
        ? (response.body as GoodsItemMessage[]).map(({ metadata }) => metadata.eventId)
        : (response.body as Problem).validationErrors?.[0]?.code;
    };
    const current = async () => {
      const response = await playground.get(`${PATH}/current`, 'statistics');
      return (response.body as GoodsItemMessage[]).map(({ metadata }) => metadata.eventId).sort();
    };
    const ids = (from: number, to?: number) =>
      messages.slice(from, to).map(({ metadata }) => metadata.eventId);

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      await publish(messages);
    });
    after(() => playground.close());

    test('what was published since a time stays, and what the relay has not passed on', async () => {
      await expireStep(database, new Date(Date.now() - 60_000));
      assert.deepEqual(await read(), ids(0));
      await expireStep(database, new Date(Date.now() + 1000), 4);
      assert.deepEqual(await read(), ids(4));
    });

    test('a marker is good as long as nothing after it is gone, and then says that it is too old', async () => {
      assert.deepEqual(await read(idOf(3)), ids(4));
      assert.equal(await read(idOf(2)), 'MARKER_EXPIRED');
      assert.equal(await read(crypto.randomUUID()), 'UNKNOWN_MARKER');
      const events = await playground.get(PATH, 'statistics', {
        accept: 'text/event-stream',
        'last-event-id': idOf(0),
      });
      assert.equal(events.status, 400);
      assert.match(events.text, /current/);
    });

    test('a reader that falls behind gets an error, and never reads over a gap', async () => {
      const position = await findMarker(database, goodsItemStream, idOf(4));
      const full = `${PATH}?marker=${idOf(4)}&limit=3`;
      const before = await playground.get(full, 'statistics');
      assert.equal((before.body as GoodsItemMessage[]).length, 3);
      await expireStep(database, new Date(Date.now() + 1000), 8);
      await assert.rejects(readPage(database, goodsItemStream, position, 3, 'json'), {
        code: 'MARKER_EXPIRED',
      });
      // A full page that was read before may still be at hand, and is right; no other one is.
      assert.equal((await playground.get(full, 'statistics')).text, before.text);
      assert.equal(await read(idOf(4)), 'MARKER_EXPIRED');
    });

    test('the newest message is kept, and the stream continues after it', async () => {
      await expireStep(database, new Date(Date.now() + 1000));
      assert.deepEqual(await read(), ids(11));
      const next = makeMessage({ declaration: declarationId(50) });
      messages.push(next);
      await publish(next);
      assert.deepEqual(await read(idOf(11)), [idOf(12)]);
    });

    test('the current items are the same', async () => {
      assert.deepEqual(await current(), ids(0).sort());
    });

    test('an expired message is still recognised as a duplicate, and its eventId as reused', async () => {
      const [first] = messages;
      assert(first);
      const text = JSON.stringify({ data: first.data, metadata: first.metadata });
      const again = await playground.call(PATH, {
        as: 'authority',
        method: 'POST',
        raw: text.replace('1250.5', '1.2505e3'),
      });
      assert.deepEqual(again.body, { accepted: 0, duplicates: 1 });
      const other = await publish(makeMessage({ eventId: idOf(0), value: 9 }));
      assert.equal((other.body as Problem).validationErrors?.[0]?.code, 'EVENT_ID_REUSED');
    });

    test('a removal finds what an expired event added, and gets its topic', async () => {
      await publish(makeBareRemoval(idOf(1)));
      assert.deepEqual(await current(), [idOf(0), ...ids(2)].sort());
      const contradicting = makeMessage({
        declaration: declarationId(3),
        eventType: 'ITEM_REMOVED',
        relatedEventId: idOf(2),
      });
      assert.match((await publish(contradicting)).text, /relatedEventId/);
      const [row] = await database.query<{ topic: string }>({
        name: '',
        text: 'select topic from goods_item_event order by position desc limit 1',
        values: [],
      });
      assert.equal(row?.topic, 'I.87');
    });

    test('it continues until nothing is due', async () => {
      const many = Array.from({ length: 1200 }, (_, index) => makeMessage({ number: index + 1 }));
      await publish(many);
      const all = async () => Number.MAX_SAFE_INTEGER;
      let removed = 0;
      for await (const step of expireGoodsItems(database, new Date(Date.now() + 5000), all)) {
        removed += step;
      }
      assert(removed >= 1199);
      const more = Array.from({ length: 3 }, () => makeMessage());
      await publish(more);
      let waiting = 0;
      const report = (feeds: number) => {
        waiting += feeds;
      };
      const soon = new Date(Date.now() + 5000);
      for await (const step of expireGoodsItems(database, soon, async () => 0, report)) {
        assert.equal(step, 0);
      }
      assert.equal(waiting, 1);
      // What has waited as long again is removed, whatever a view has, and what has not is kept.
      const early = { before: new Date(0), findUpTo: all };
      for await (const step of expireGoodsItems(database, soon, async () => 0, report, early)) {
        assert.equal(step, 0);
      }
      assert.equal(waiting, 2);
      const late = { before: soon, findUpTo: all };
      let removedLate = 0;
      for await (const step of expireGoodsItems(database, soon, async () => 0, report, late)) {
        removedLate += step;
      }
      assert.equal(removedLate, 3);
      assert.equal(waiting, 2);
      many.push(...more);
      assert.deepEqual(await read(), [many.at(-1)?.metadata.eventId]);
    });
  });
}
