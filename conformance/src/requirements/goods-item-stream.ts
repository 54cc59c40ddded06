// Requirements on reading the goods-item stream.

import { randomUUID } from 'node:crypto';
import { GoodsItemMessage } from '@landfall/contract';
import {
  eventIdOf,
  makeBareRemoval,
  makeMessage,
  publishNew,
  readMessages,
} from '../data/goods-items.js';
import { endOfFeed, readAll, readEntries } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectStatus,
  expectValid,
  readLines,
} from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, architecture, decision, rfc } from '../suite/requirement.js';

const LIST = 'listGoodsItems';

/** How long a message may take to reach a reader that waits for it, in milliseconds. */
const DELIVERY_MS = 10_000;

const endOf = (context: CaseContext) => endOfFeed(context, 'reader', LIST);

const idsIn = (messages: readonly unknown[], own: readonly string[]) =>
  messages.map(eventIdOf).filter((id) => own.includes(id));

export const goodsItemStream: Area = {
  name: 'Reading goods items',
  requirements: [
    {
      id: 'GOOD-020',
      sentence:
        'Reading with markers returns every message exactly once, in the order in which they apply, with any page size.',
      sources: [api(LIST), architecture('The feed')],
      needs: ['publisher', 'reader'],
      cases: {
        'seven messages in pages of 1, 3 and 1000': async (context) => {
          const end = await endOf(context);
          const messages = Array.from({ length: 7 }, (_, index) =>
            makeMessage({ number: index + 1 }),
          );
          await publishNew(context, messages);
          const own = messages.map(eventIdOf);
          for (const limit of [1, 3, 1000]) {
            const upTo = own.at(-1);
            const read = await readAll(context.as('reader'), LIST, end, { limit, upTo });
            expectEqual(idsIn(read, own), own, `the messages in pages of ${limit}`);
          }
        },
        'while two publishers publish': async (context) => {
          const end = await endOf(context);
          const messages = Array.from({ length: 20 }, () => makeMessage());
          const own = messages.map(eventIdOf);
          let done = false;
          const publishing = Promise.all(
            messages.map((message) => publishNew(context, [message])),
          ).finally(() => {
            done = true;
          });
          const follow = async () => {
            const ids: string[] = [];
            let marker = end;
            for (let last = false; !last; ) {
              last = done;
              const entries = await readAll(context.as('reader'), LIST, marker, { limit: 4 });
              ids.push(...idsIn(entries, own));
              marker = entries.length > 0 ? eventIdOf(entries.at(-1)) : marker;
            }
            return ids;
          };
          const [first, second] = await Promise.all([follow(), follow(), publishing]);
          expectEqual(
            [first.length, new Set(first).size],
            [20, 20],
            'the number of messages, and of different ones',
          );
          expectEqual(second, first, 'the order of the second reader');
        },
      },
    },
    {
      id: 'GOOD-021',
      sentence: 'A message is returned as it was published, and has the schema.',
      sources: [api(LIST), decision(39)],
      needs: ['publisher', 'reader'],
      cases: {
        'an addition and a removal': async (context) => {
          const added = makeMessage();
          const removed = makeBareRemoval(eventIdOf(added));
          await publishNew(context, [added, removed]);
          const read = await readMessages(context, [eventIdOf(added), eventIdOf(removed)]);
          expectEqual(read, [added, removed], 'the messages');
          for (const one of read) expectValid(GoodsItemMessage, one, 'a message');
        },
      },
    },
    {
      id: 'GOOD-022',
      sentence:
        'A marker that is not of the stream is UNKNOWN_MARKER, and one that is no UUID is FORMAT.',
      sources: [api(LIST), architecture('The feed')],
      needs: ['reader'],
      cases: {
        'a random eventId': async (context) => {
          const response = await context
            .as('reader')
            .call(LIST, { query: { marker: randomUUID() } });
          expectProblem(response, 400, { code: 'UNKNOWN_MARKER', field: 'marker' });
        },
        'no UUID': async (context) => {
          const response = await context.as('reader').call(LIST, { query: { marker: 'x' } });
          expectProblem(response, 400, { code: 'FORMAT', field: 'marker' });
        },
      },
    },
    {
      id: 'GOOD-023',
      sentence:
        'A marker after which messages are no longer retained is MARKER_EXPIRED, and the reader starts again from the current items.',
      sources: [api(LIST), architecture('The feed')],
      needs: ['reader'],
      cases: {
        'as marker': async (context) => {
          const query = { marker: expiredMarker(context) };
          const response = await context.as('reader').call(LIST, { query });
          expectProblem(response, 400, { code: 'MARKER_EXPIRED', field: 'marker' });
        },
        'as Last-Event-ID': async (context) => {
          const headers = { 'last-event-id': expiredMarker(context) };
          const stream = await context.as('reader').openEvents(LIST, { headers });
          stream.close();
          expectStatus(stream, 400);
        },
      },
    },
    {
      id: 'GOOD-027',
      sentence: 'Lines, events and waiting work as they do for routing signals.',
      sources: [api(LIST), rfc(7240, '4.3')],
      needs: ['publisher', 'reader'],
      cases: {
        lines: async (context) => {
          const end = await endOf(context);
          const messages = [makeMessage(), makeMessage()];
          await publishNew(context, messages);
          const response = await context.as('reader').call(LIST, {
            query: { marker: end },
            headers: { accept: 'application/x-ndjson' },
          });
          const own = messages.map(eventIdOf);
          expectEqual(idsIn(readLines(response), own), own, 'the messages');
        },
        'events, before and while the stream is open': async (context) => {
          const end = await endOf(context);
          const messages = Array.from({ length: 4 }, () => makeMessage());
          await publishNew(context, messages.slice(0, 2));
          const stream = await context.as('reader').openEvents(LIST, { query: { marker: end } });
          expectStatus(stream, 200);
          await publishNew(context, messages.slice(2));
          const own = messages.map(eventIdOf);
          const ids = () =>
            stream.events.map(({ id }) => id ?? '').filter((id) => own.includes(id));
          await stream.until(() => ids().length >= 4, DELIVERY_MS);
          expectEqual(ids(), own, `the ids of the events within ${DELIVERY_MS / 1000} s`);
          stream.close();
        },
        'a waiting read gets a message as soon as it is published': async (context) => {
          let marker = await endOf(context);
          const message = makeMessage();
          const published = new Promise<void>((resolve, reject) => {
            setTimeout(() => void publishNew(context, [message]).then(resolve, reject), 300);
          });
          const deadline = Date.now() + DELIVERY_MS;
          let found: string[] = [];
          while (found.length === 0 && Date.now() < deadline) {
            const headers = { prefer: 'wait=10' };
            const entries = readEntries(
              await context.as('reader').call(LIST, { query: { marker }, headers }),
            );
            found = idsIn(entries, [eventIdOf(message)]);
            marker = entries.length > 0 ? eventIdOf(entries.at(-1)) : marker;
          }
          await published;
          expectEqual(found.length, 1, `the number of messages within ${DELIVERY_MS / 1000} s`);
        },
      },
    },
  ],
};

function expiredMarker({ settings }: CaseContext): string {
  if (settings.expiredMarker !== undefined) return settings.expiredMarker;
  throw new NotTestedError(
    'no "expiredMarker" in the settings: an eventId after which messages are no longer retained',
  );
}
