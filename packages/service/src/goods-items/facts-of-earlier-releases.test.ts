// The facts by which views decide, of what was published before there were views, and of what servers of the previous release
// publish while both run.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { GoodsItemMessage } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { readMigrations } from '../database/migration-files.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { drawnDatabases } from '../testing/databases.js';
import { declarationId, makeBareRemoval, makeMessage } from '../testing/goods-item-messages.js';
import { expireStep } from './expire-events.js';
import { readEvent } from './goods-item-event.js';
import { makePublishBlock } from './publish-block.js';

const TABLES = ['goods_item_event', 'goods_item', 'goods_item_expired'];

/** The stream of a test: additions, a replacement, and removals with and without data; the first two expire. */
async function publishHistory(database: Database): Promise<GoodsItemMessage[]> {
  const at = (number: number, more: Parameters<typeof makeMessage>[0] = {}) => {
    const message = makeMessage({ declaration: declarationId(1), number, ...more });
    if (message.data) {
      message.data.GoodsItem.Procedure.RequestedProcedure = `4${number}`;
      message.data.GoodsItem.Declaration.DateOfAcceptance = `2026-02-0${number}`;
    }
    return message;
  };
  const [one, two, three] = [at(1), at(2), at(3)];
  const messages = [
    one,
    two,
    three,
    at(4),
    at(3, { subheading: '220421' }),
    makeBareRemoval(three.metadata.eventId),
    at(4, { eventType: 'ITEM_REMOVED' }),
    makeBareRemoval(randomUUID()),
  ];
  const watch = new FeedWatch(database);
  const publishBlock = makePublishBlock(database, watch, () => new Date());
  const events = messages.map((message, index) => {
    const read = readEvent(JSON.stringify(message), index);
    assert(read.valid);
    return read.event;
  });
  assert((await publishBlock(events)).published);
  watch.close();
  assert.equal((await expireStep(database, new Date(Date.now() + 60_000), 2)).expired, 2);
  return messages;
}

async function readFacts(database: Database): Promise<unknown[]> {
  const rows = await Promise.all(
    TABLES.map((table) =>
      database.query({
        name: '',
        text: `select '${table}' as table, position, requested_procedure, accepted_on from ${table} order by position`,
        values: [],
      }),
    ),
  );
  return rows.flat();
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`facts of earlier releases on ${name}`, { skip }, () => {
    test('what was published before is filled in batches, whatever their size', async () => {
      const database = await open();
      try {
        await publishHistory(database);
        const before = await readFacts(database);
        assert.equal(before.length, 6 + 3 + 2);
        for (const table of TABLES) {
          await database.query({
            name: '',
            text: `update ${table} set requested_procedure = null, accepted_on = null`,
            values: [],
          });
        }
        for (const migration of await readMigrations()) {
          if (!/^005[23]-goods-items-/.test(migration.name)) continue;
          const text = migration.backfill?.statement ?? assert.fail(migration.name);
          let position: string | null = null;
          let rows = 0;
          do {
            const [batch]: { position: string | null; rows: number }[] = await database.query({
              name: '',
              text,
              values: [position, 2],
            });
            position = batch?.position ?? null;
            rows += Number(batch?.rows);
          } while (position !== null);
          assert(rows >= 3, migration.name);
        }
        assert.deepEqual(await readFacts(database), before);
      } finally {
        await database.close();
      }
    });

    test('what a server of the previous release writes has the facts too', async () => {
      const database = await open();
      try {
        const messages = await publishHistory(database);
        const before = await readFacts(database);
        for (const table of TABLES) {
          await database.query({ name: '', text: `delete from ${table}`, values: [] });
        }
        // As that server writes them: one row after the other, without the facts.
        for (const [index, message] of messages.entries()) {
          const { metadata, data } = message;
          const item = data?.GoodsItem;
          const key = [item?.DeclarationIdentification, item?.GoodsItemNumber];
          const adds = metadata.eventType !== 'ITEM_REMOVED';
          await database.query({
            name: '',
            text: `insert into goods_item_event (owner, position, id, declaration, number, topic, published_at, entry)
              values (0, $1, $2, $3, $4, 'I.87', now(), $5)`,
            values: [
              index + 1,
              metadata.eventId,
              ...(adds ? key : [null, null]),
              JSON.stringify(message),
            ],
          });
          if (adds) {
            await database.query({
              name: '',
              text: `insert into goods_item (declaration, number, position, topic) values ($1, $2, $3, 'I.87')
                on conflict (declaration, number) do update set position = excluded.position, entry = null`,
              values: [...key, index + 1],
            });
          } else if (item !== undefined) {
            await database.query({
              name: '',
              text: 'delete from goods_item where declaration = $1 and number = $2',
              values: key,
            });
          }
        }
        await database.query({
          name: '',
          text: `with gone as (delete from goods_item_event where position <= 2 returning *)
            insert into goods_item_expired (owner, position, id, declaration, number, topic, digest)
            select owner, position, id, declaration, number, topic, '' from gone`,
          values: [],
        });
        assert.deepEqual(await readFacts(database), before);
      } finally {
        await database.close();
      }
    });
  });
}
