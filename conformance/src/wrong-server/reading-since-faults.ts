// Faults of reading from a time on, generated: of every feed.
import { keysOf, operations } from '@landfall/contract';
import { feedsOfCases } from '../data/read-feeds.js';
import { idOfReadingSince } from '../requirements/reading-since.js';
import type { Fault, ProxiedRequest } from './fault.js';

/** What becomes of the query of a read from a time on. */
const changes: Record<string, (query: URLSearchParams, since: Date) => void> = {
  'begins at the start of the feed': (query) => query.delete('since'),
  'begins after the next entry': (query, since) => {
    query.set('since', new Date(since.getTime() + 3_600_000).toISOString());
  },
  'begins after the marker beside a time': (query) => {
    if (query.has('marker')) query.delete('since');
  },
};

export const generatedSinceFaults: readonly Fault[] = keysOf(feedsOfCases).flatMap((feed) => {
  const { name, operationId } = feedsOfCases[feed];
  const isOfFeed = ({ method, url }: ProxiedRequest) =>
    method === 'GET' && url.pathname === operations[operationId].path;
  return Object.entries(changes).map(
    ([change, apply]): Fault => ({
      name: `${change}, for ${name}`,
      caughtBy: [idOfReadingSince(feed)],
      make: () => ({
        onRequest: (request) => {
          const since = request.url.searchParams.get('since');
          if (since !== null && isOfFeed(request)) apply(request.url.searchParams, new Date(since));
          return undefined;
        },
      }),
    }),
  );
});
