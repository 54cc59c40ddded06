// Requirements on every way of reading every feed, generated: all of them give the same entries.
import { keysOf } from '@landfall/contract';
import { type Entry, endOfFeed, readAll } from '../data/read-feed.js';
import { type FeedOfCases, feedsOfCases } from '../data/read-feeds.js';
import { type ReadWay, readWays } from '../data/read-ways.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual } from '../suite/expect.js';
import { type Area, api, architecture, type Requirement } from '../suite/requirement.js';

/** Entries before the reader begins, and those that come while it reads. */
const [BEFORE, LATER] = [6, 2];

/** The id of the requirement on a way of reading a feed. */
export function idOfReading(feed: keyof typeof feedsOfCases, way: keyof typeof readWays): string {
  const number = 10 * (keysOf(feedsOfCases).indexOf(feed) + 1) + keysOf(readWays).indexOf(way) + 1;
  return `READ-${String(number).padStart(3, '0')}`;
}

async function readByWay(context: CaseContext, feed: FeedOfCases, way: ReadWay): Promise<void> {
  const { operationId, reader, keyOf, add, addForeign } = feed;
  const caller = context.as(reader);
  for (const limit of way.limits(BEFORE)) {
    const foreign = new Set(await addForeign?.(context));
    const marker = await endOfFeed(context, reader, operationId);
    const before = await add(context, BEFORE);
    for (const key of (await addForeign?.(context)) ?? []) foreign.add(key);
    const own = new Set(before);
    const keysOfOwn = (entries: readonly Entry[]) =>
      entries.map(keyOf).filter((key) => own.has(key));
    const later: string[] = [];
    const all = await way.read(
      { operationId, caller, baseUrl: context.settings.baseUrl, marker },
      {
        limit,
        isBefore: (entries) => keysOfOwn(entries).length >= BEFORE,
        addMore: async () => {
          later.push(...(await add(context, LATER)));
          for (const key of later) own.add(key);
          for (const key of (await addForeign?.(context)) ?? []) foreign.add(key);
        },
        isComplete: (entries) => later.length > 0 && keysOfOwn(entries).length >= BEFORE + LATER,
      },
    );
    const what = `with limit=${limit}`;
    expectEqual(keysOfOwn(all).sort(), [...before, ...later].sort(), `the entries ${what}`);
    const after = await readAll(caller, operationId, marker);
    const keysAfter = new Set(after.map(keyOf));
    const keysRead = new Set(all.map(keyOf));
    expect(
      all.every((entry) => keysAfter.has(keyOf(entry))),
      `entries that are not after the marker were read ${what}`,
    );
    const inOrder = after.map(keyOf).filter((key) => keysRead.has(key));
    expectEqual(all.map(keyOf), inOrder, `the order of the entries ${what}`);
    const leaked = all.find((entry) => foreign.has(keyOf(entry)));
    const shown = JSON.stringify(leaked);
    expect(leaked === undefined, `an entry of others was read ${what}: ${shown}`);
  }
}

export const waysOfReading: Area = {
  name: 'Ways of reading',
  requirements: keysOf(feedsOfCases).flatMap((feedName) =>
    keysOf(readWays).map((wayName): Requirement => {
      const [feed, way] = [feedsOfCases[feedName], readWays[wayName]];
      return {
        id: idOfReading(feedName, wayName),
        sentence: `Whoever reads ${feed.name} ${way.name} gets each of their own entries once, in one order, as soon as it is there, and nothing of others.`,
        sources: [api(feed.operationId), architecture('Waiting for entries')],
        needs: feed.needs,
        cases: {
          'entries before and while it reads, beside those of others': (context) =>
            readByWay(context, feed, way),
        },
      };
    }),
  ),
};
