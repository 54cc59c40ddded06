// What reading feeds needs on one server: what is kept in memory of them, and the watch that wakes waiting readers.
import type { ServerContext } from '../service-context.js';
import type { FeedKind } from './feed.js';
import { FeedViews } from './feed-views.js';
import { PageCache } from './page-cache.js';
import { ReadCoalescer } from './read-coalescer.js';
import type { FeedContext, FindLateStatuses, ServedPage } from './serve-feed.js';
import { FeedWatch } from './watch-feeds.js';

/** @param expiring the kinds whose entries are removed some time after they were added */
export function openFeeds(
  { database, http, jobs }: ServerContext,
  expiring: ReadonlySet<FeedKind>,
  findLateStatuses?: FindLateStatuses,
): FeedContext {
  const pages = new PageCache<ServedPage>();
  database.replacements.onOutdated(() => pages.clear());
  const watch = new FeedWatch(database, {
    reportFailure: jobs.failures.reporter(
      'feed-watch',
      'feeds could not be polled or announced; the next poll finds the new entries',
    ),
  });
  return {
    views: new FeedViews(database),
    watch,
    pages,
    unread: http.unread,
    turns: http.readTurns,
    reads: new ReadCoalescer(),
    expiring,
    findLateStatuses,
    baseUrl: http.baseUrl,
    clock: http.clock,
  };
}
