// Requirements on the goods-item stream at the national address.
import { randomUUID } from 'node:crypto';
import { eventIdOf, makeMessage, publishNew } from '../data/goods-items.js';
import { endOfFeed, nextPage, readEntries } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectProblem } from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const NATIONAL = 'listDeclarationItems';

/** Publishes so many messages, and returns the marker before them and their eventIds. */
async function publishSome(context: CaseContext, count: number) {
  const end = await endOfFeed(context, 'reader', 'listGoodsItems');
  const messages = Array.from({ length: count }, () => makeMessage());
  await publishNew(context, messages);
  return { end, own: messages.map(eventIdOf) };
}

async function readNational(
  context: CaseContext,
  query: { last?: string | undefined; timestamp?: string; skip?: number; max?: number },
) {
  const response = await context.as('reader').call(NATIONAL, { query });
  return { response, ids: readEntries(response).map(eventIdOf) };
}

export const declarationItemFeed: Area = {
  name: 'Reading goods items at the national address',
  requirements: [
    {
      id: 'DECL-001',
      sentence:
        'The feed has the messages of the stream in the same order: the page after `last` has at most `max` of them.',
      sources: [api(NATIONAL)],
      needs: ['publisher', 'reader'],
      cases: {
        'five messages in pages of two': async (context) => {
          const { end, own } = await publishSome(context, 5);
          const read: string[] = [];
          for (let last = end; read.length < 1000; ) {
            const { ids } = await readNational(context, { last, max: 2 });
            expect(ids.length <= 2, 'a page has more messages than max');
            read.push(...ids);
            const next = ids.at(-1);
            if (next === undefined) break;
            last = next;
          }
          const found = read.filter((id) => own.includes(id));
          expectEqual(found, own, 'the messages in pages of two');
        },
        'the next page is in Link': async (context) => {
          const { end } = await publishSome(context, 3);
          const { response, ids } = await readNational(context, { last: end, skip: 1, max: 1 });
          const query = nextPage(response, context.settings.baseUrl)?.searchParams;
          expectEqual(query?.get('last'), ids[0], 'last in the Link of a page');
          expect(query?.has('skip') === false, 'the Link of a page passes over messages again');
        },
      },
    },
    {
      id: 'DECL-002',
      sentence: '`skip` passes over so many messages, counted from where the page would begin.',
      sources: [api(NATIONAL)],
      needs: ['publisher', 'reader'],
      cases: {
        'after last': async (context) => {
          const { end } = await publishSome(context, 4);
          const all = await readNational(context, { last: end });
          const some = await readNational(context, { last: end, skip: 2, max: 2 });
          expectEqual(some.ids, all.ids.slice(2, 4), 'the third and the fourth message');
        },
      },
    },
    {
      id: 'DECL-003',
      sentence:
        '`timestamp` begins with the first message that was published at that time or later, and is refused beside `last`.',
      sources: [api(NATIONAL)],
      needs: ['publisher', 'reader'],
      cases: {
        'before and after': async (context) => {
          const { own } = await publishSome(context, 1);
          const future = new Date(Date.now() + 3_600_000).toISOString();
          const { ids } = await readNational(context, { timestamp: future });
          expectEqual(ids, [], 'the messages from an hour on');
          const past = new Date(Date.now() - 3_600_000).toISOString();
          const first = await readNational(context, { timestamp: past, max: 1 });
          const since = await context
            .as('reader')
            .call('listGoodsItems', { query: { since: past, limit: 1 } });
          expectEqual(first.ids, readEntries(since).map(eventIdOf), 'the first message since then');
          const both = await context
            .as('reader')
            .call(NATIONAL, { query: { last: own[0], timestamp: past } });
          expectProblem(both, 400, { code: 'INCOMPATIBLE', field: 'timestamp' });
        },
      },
    },
    {
      id: 'DECL-004',
      sentence: 'A `last` that was never published is 404.',
      sources: [api(NATIONAL)],
      needs: ['reader'],
      cases: {
        'an unknown eventId': async (context) => {
          const query = { last: randomUUID() };
          expectProblem(await context.as('reader').call(NATIONAL, { query }), 404);
        },
      },
    },
  ],
};
