// Publications that arrive over HTTP at the same time are judged in the order of the stream.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GoodsItemMessage } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { declarationId, makeMessage } from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';

const PATH = '/api/declaration/feed/v1/goods-items';
const PAIRS = 60;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`publications at the same time over HTTP on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    test('a removal that contradicts an addition is accepted only when it comes before it', async () => {
      const publish = async (message: GoodsItemMessage) => {
        const response = await playground.post(PATH, 'authority', message);
        return response.status;
      };
      const pairs = await Promise.all(
        Array.from({ length: PAIRS }, async (_, number) => {
          const added = makeMessage({ declaration: declarationId(number) });
          const removal = makeMessage({
            declaration: declarationId(900),
            eventType: 'ITEM_REMOVED',
            relatedEventId: added.metadata.eventId,
          });
          const statuses = await Promise.all([publish(added), publish(removal)]);
          return { added, removal, statuses };
        }),
      );
      const stream = (await playground.get(PATH, 'statistics')).body as GoodsItemMessage[];
      const positions = new Map(stream.map(({ metadata }, index) => [metadata.eventId, index]));
      const positionOf = ({ metadata }: GoodsItemMessage) => positions.get(metadata.eventId);
      for (const { added, removal, statuses } of pairs) {
        const [addedAt, removedAt] = [positionOf(added), positionOf(removal)];
        assert(statuses[0] === 202 && addedAt !== undefined);
        if (removedAt === undefined) assert.equal(statuses[1], 400);
        else {
          assert.equal(statuses[1], 202);
          assert(removedAt < addedAt, `the addition is ${addedAt}, its removal ${removedAt}`);
        }
      }
    });
  });
}
