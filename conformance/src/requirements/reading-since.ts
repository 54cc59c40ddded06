// Requirements on reading every feed from a time on, generated.
import { keysOf } from '@landfall/contract';
import { readAll, readEntries } from '../data/read-feed.js';
import { type FeedOfCases, feedsOfCases } from '../data/read-feeds.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectProblem } from '../suite/expect.js';
import { type Area, api, type Requirement } from '../suite/requirement.js';

/** Times in `Date` are whole seconds, so entries of an earlier second are before such a time. */
const MORE_THAN_A_SECOND_MS = 1200;

/** The id of the requirement on a feed. */
export function idOfReadingSince(feed: keyof typeof feedsOfCases): string {
  return `SINC-${String(keysOf(feedsOfCases).indexOf(feed) + 1).padStart(3, '0')}`;
}

async function readSince(context: CaseContext, feed: FeedOfCases): Promise<void> {
  const { operationId, reader, keyOf, add } = feed;
  const caller = context.as(reader);
  const before = await add(context, 1);
  await new Promise((resolve) => setTimeout(resolve, MORE_THAN_A_SECOND_MS));
  // By the clock of the service.
  const response = await caller.call(operationId, { query: { limit: 1 } });
  const [last] = readEntries(response);
  expect(last !== undefined, 'the feed has no entry, although one was added');
  const since = new Date(response.headers.get('date') ?? Date.now()).toISOString();
  const added = await add(context, 2);

  const own = new Set([...before, ...added]);
  const first = readEntries(await caller.call(operationId, { query: { since, limit: 1000 } }));
  const found = first.map(keyOf).filter((key) => own.has(key));
  expectEqual(found.sort(), added.sort(), 'the entries since the time between them');
  // Others may add to it meanwhile, so the end of the feed is not compared.
  const marker = await context.start(reader, operationId);
  const all = await readAll(caller, operationId, marker);
  const keys = all.map(keyOf);
  const begin = keys.indexOf(keyOf(first[0] ?? {}));
  expectEqual(first.map(keyOf), keys.slice(begin, begin + first.length), 'their order');

  const both = { since, marker: '00000000-0000-4000-8000-000000000000' };
  const refused = await caller.call(operationId, { query: both });
  expectProblem(refused, 400, { code: 'INCOMPATIBLE', field: 'since' });
}

export const readingSince: Area = {
  name: 'Reading from a time on',
  requirements: keysOf(feedsOfCases).map((feedName): Requirement => {
    const feed = feedsOfCases[feedName];
    return {
      id: idOfReadingSince(feedName),
      sentence: `Whoever reads ${feed.name} since a time gets those that were added at that time or later, and a marker beside it is refused.`,
      sources: [api(feed.operationId)],
      needs: feed.needs,
      cases: {
        'entries before and after the time': (context) => readSince(context, feed),
      },
    };
  }),
};
