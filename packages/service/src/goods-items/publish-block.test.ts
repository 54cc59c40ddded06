// What publications say of each other comes to the same, whether they share a commit or follow one another.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GoodsItemMessage } from '@landfall/contract';
import type { Database, Statement } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { drawnDatabases } from '../testing/databases.js';
import { declarationId, makeBareRemoval, makeMessage } from '../testing/goods-item-messages.js';
import { type GoodsItemEvent, readEvent } from './goods-item-event.js';
import { makePublishBlock, type PublishBlock } from './publish-block.js';

function toEvents(messages: readonly GoodsItemMessage[]): GoodsItemEvent[] {
  return messages.map((message, index) => {
    const read = readEvent(JSON.stringify(message), index);
    assert(read.valid);
    return read.event;
  });
}

/** A database that counts the characters of values it is given within one turn of the event loop. */
function countSentPerTurn(database: Database): { database: Database; max: () => number } {
  let sent = 0;
  let max = 0;
  const count = ({ values }: Statement) => {
    if (sent === 0) {
      setImmediate(() => {
        sent = 0;
      });
    }
    for (const value of values) sent += String(value).length;
    max = Math.max(max, sent);
  };
  const counting: Database = {
    ...database,
    commit: (statements, lane) => {
      statements.forEach(count);
      return database.commit(statements, lane);
    },
    transact: (work, lane) =>
      database.transact(
        (transaction) =>
          work({
            ...transaction,
            query: (statement) => {
              count(statement);
              return transaction.query(statement);
            },
          }),
        lane,
      ),
  };
  return { database: counting, max: () => max };
}

/** Removes an item by its key, and names an event that added another one. */
function contradictingRemoval(added: GoodsItemMessage): GoodsItemMessage {
  return makeMessage({
    declaration: declarationId(900),
    number: 7,
    eventType: 'ITEM_REMOVED',
    relatedEventId: added.metadata.eventId,
  });
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`publications at the same time on ${name}`, { skip }, () => {
    let database: Database;
    let publish: PublishBlock;
    before(async () => {
      database = await open();
      publish = makePublishBlock(database, new FeedWatch(database), () => new Date());
    });
    after(() => database.close());

    /** The outcomes of publications, as short texts. */
    const publishEach = async (publications: GoodsItemMessage[][], together: boolean) => {
      const outcomes: string[] = [];
      const submitted: ReturnType<PublishBlock>[] = [];
      for (const messages of publications) {
        const outcome = publish(toEvents(messages));
        if (together) submitted.push(outcome);
        else submitted.push(Promise.resolve(await outcome));
      }
      for (const outcome of await Promise.all(submitted)) {
        outcomes.push(
          outcome.published
            ? `${outcome.accepted} accepted, ${outcome.duplicates} duplicates`
            : outcome.errors.map(({ field, code }) => `${field} ${code}`).join(', '),
        );
      }
      return outcomes;
    };

    for (const together of [false, true]) {
      const how = together ? 'in one commit' : 'one after the other';
      test(`a removal that contradicts an addition before it is refused, ${how}`, async () => {
        for (let round = 0; round < 20; round++) {
          const added = makeMessage({ declaration: declarationId(round) });
          assert.deepEqual(await publishEach([[added], [contradictingRemoval(added)]], together), [
            '1 accepted, 0 duplicates',
            'metadata.relatedEventId FORMAT',
          ]);
        }
      });

      test(`a removal that names an event which comes later is taken, ${how}`, async () => {
        const later = makeMessage();
        assert.deepEqual(await publishEach([[contradictingRemoval(later)], [later]], together), [
          '1 accepted, 0 duplicates',
          '1 accepted, 0 duplicates',
        ]);
      });

      test(`publications are judged in their order along a chain of references, ${how}`, async () => {
        const [one, two, three] = [makeMessage(), makeMessage(), makeMessage()];
        assert.deepEqual(
          await publishEach(
            [
              [one],
              [one, two],
              [contradictingRemoval(two), three],
              [contradictingRemoval(three)],
              [makeBareRemoval(two.metadata.eventId)],
            ],
            together,
          ),
          [
            '1 accepted, 0 duplicates',
            '1 accepted, 1 duplicates',
            'metadata.relatedEventId FORMAT',
            '1 accepted, 0 duplicates',
            '1 accepted, 0 duplicates',
          ],
        );
      });
    }

    test('a large publication is sent to the database step by step, and stored all or none', async () => {
      const counted = countSentPerTurn(database);
      const publishCounted = makePublishBlock(
        counted.database,
        new FeedWatch(database),
        () => new Date(),
      );
      const messages = Array.from({ length: 10_000 }, (_, number) =>
        makeMessage({ declaration: declarationId(700), number: number + 1 }),
      );
      const events = toEvents(messages);
      const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
      assert.deepEqual(await publishCounted(events), {
        published: true,
        accepted: 10_000,
        duplicates: 0,
      });
      assert(counted.max() < bytes / 4, `${counted.max()} of ${bytes} bytes in one turn`);

      const added = messages.at(-1);
      assert(added);
      const fresh = messages.slice(1).map(() => makeMessage({ declaration: declarationId(701) }));
      const refused = await publishCounted(toEvents([...fresh, contradictingRemoval(added)]));
      assert(!refused.published);
      assert.deepEqual(
        refused.errors.map(({ field, code, index }) => ({ field, code, index })),
        [{ field: 'metadata.relatedEventId', code: 'FORMAT', index: 9999 }],
      );
      assert.deepEqual(
        await publishCounted(toEvents([...messages.slice(1), ...fresh.slice(0, 1)])),
        {
          published: true,
          accepted: 1,
          duplicates: 9999,
        },
      );
    });

    test('within one publication a removal is judged by what comes before it, as across publications', async () => {
      const added = makeMessage({ declaration: declarationId(50) });
      const removal = contradictingRemoval(added);
      assert.deepEqual(await publishEach([[added, removal]], false), [
        'metadata.relatedEventId FORMAT',
      ]);
      assert.deepEqual(await publishEach([[removal, added]], false), ['2 accepted, 0 duplicates']);
    });
  });
}
