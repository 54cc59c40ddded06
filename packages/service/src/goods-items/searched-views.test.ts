// Views that show little of much: what was searched is remembered for exactly what it holds for, and a search that has no time
// left says so, and is no page that looks like the end.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { GoodsItemMessage, GoodsItemView } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { makeMessage, toLines } from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';
import { SCANNED } from './view-queries.js';

const PATH = '/api/declaration/feed/v1/goods-items';
const NATIONAL = '/api/declaration/declaration-item-feed/v1/';

/** More than three searches of the stream, and of the current items, read. */
const MANY = 3 * SCANNED + 1000;

/** Declarations in their order. */
const declarationOf = (begin: number) => `${begin}0000000000-20260117-1-00`;
const FIRST = declarationOf(1);
const MIDDLE = declarationOf(5);
const SECOND_LAST = declarationOf(8);
const LAST = declarationOf(9);

/** Two such searches take longer than a request searches. */
const SLOW_MS = 2700;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`searches of views on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    let slowMs = 0;
    before(async () => {
      const opened = await open();
      const database: Database = {
        ...opened,
        query: async (statement) => {
          if (/^shown-goods-item/.test(statement.name)) await delay(slowMs);
          return opened.query(statement);
        },
      };
      playground = await TestPlayground.start(database);
      await publish(LAST, '40');
      // Items that the view does not show, between those that are published here.
      await opened.query({
        name: '',
        text: `
          with made as (
            insert into goods_item_event (owner, position, id, declaration, number, topic, requested_procedure, accepted_on, published_at, entry)
            select 0, (select position from feed_state where kind = 6) + n, gen_random_uuid(), '${MIDDLE}', n, 'I.87', '40', '2026-01-17', now(), '{}'
            from generate_series(1, ${MANY}) n
            returning declaration, number, position, topic, requested_procedure, accepted_on
          ),
          state as (update feed_state set position = (select max(position) from made) where kind = 6)
          insert into goods_item (declaration, number, position, topic, requested_procedure, accepted_on) select * from made`,
        values: [],
      });
    });
    after(() => playground.close());

    /** Publishes an item of a declaration, with a procedure. */
    const publish = async (declaration: string, procedure: string) => {
      const message = makeMessage({ declaration });
      if (message.data) message.data.GoodsItem.Procedure.RequestedProcedure = procedure;
      const response = await playground.call(PATH, {
        as: 'authority',
        method: 'POST',
        raw: toLines([message]),
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(response.status, 202, response.text);
      return message.metadata.eventId;
    };
    const set = async (view: GoodsItemView) => {
      const organisation = encodeURIComponent(playground.credentials('statistics').organisation);
      const address = `/api/authority/v1/goods-item-views/${organisation}`;
      await playground.call(address, { as: 'authority', method: 'DELETE' });
      const call = { as: 'authority', method: 'PUT', body: view };
      assert.equal((await playground.call(address, call)).status, 200);
    };
    const read = (address: string) => playground.get(address, 'statistics');
    const idsOf = (body: unknown) =>
      // The cast is true because the response has messages.
      (body as GoodsItemMessage[]).map(({ metadata }) => metadata.eventId);

    test('an item that is published where was searched before is shown, with the marker that follows it', async () => {
      await set({ procedures: ['99'] });
      const empty = await read(`${PATH}/current`);
      assert.deepEqual(empty.body, []);
      const id = await publish(FIRST, '99');
      const found = await read(`${PATH}/current`);
      assert.equal(found.headers.get('landfall-marker'), id);
      assert.deepEqual(idsOf(found.body), [id]);
    });

    const searches = {
      'the stream': PATH,
      'the current items': `${PATH}/current`,
      'the stream at the national address, some messages later': `${NATIONAL}?skip=1`,
    };
    let procedure = 90;
    for (const [what, address] of Object.entries(searches)) {
      test(`a search of ${what} that has no time left gets 503, and the same request goes on`, async () => {
        const wanted = String(procedure++);
        await set({ procedures: [wanted] });
        const [first, second] = [await publish(SECOND_LAST, wanted), await publish(LAST, wanted)];
        slowMs = SLOW_MS;
        const unfinished = await read(address);
        slowMs = 0;
        assert.equal(unfinished.status, 503, unfinished.text);
        assert.match(unfinished.text, /Send the same request again/);
        assert.match(unfinished.headers.get('retry-after') ?? '', /^[0-9]+$/);
        for (const header of ['link', 'landfall-marker', 'landfall-count']) {
          assert.equal(unfinished.headers.get(header), null, header);
        }
        const found = await read(address);
        assert.deepEqual(idsOf(found.body), address.includes('skip') ? [second] : [first, second]);
      });
    }
  });
}
