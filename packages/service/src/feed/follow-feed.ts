// The entries of a feed as server-sent events, as they come.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../database/errors.js';
import { AccessCheck, type AccessHolder } from '../http/access-check.js';
import {
  type Feed,
  type FeedAccess,
  type FeedStart,
  feedKey,
  MarkerExpiredError,
  UnknownMarkerError,
} from './feed.js';
import type { FeedViews } from './feed-views.js';
import type { FeedFilter } from './queries.js';
import type { ReadCoalescer } from './read-coalescer.js';
import type { Page, Restrict } from './read-feed.js';
import type { StreamRoom } from './stream-room.js';
import type { FeedWatch } from './watch-feeds.js';

/** Maximum number of entries that are read at once for a stream of events. */
const EVENTS_PER_READ = 100;

/** How often a silent stream of events sends a comment, so that the connection is known to be alive, in milliseconds. */
const COMMENT_INTERVAL_MS = 15_000;

/** How soon a read is repeated that failed because the database was unavailable, in milliseconds. */
const READ_AGAIN_AFTER_MS = 1000;

/** How long a client may take to receive what was sent before its access ended, in milliseconds. */
const FLUSH_TIMEOUT_MS = 2000;

/** What reading a feed needs. */
export type FollowContext = {
  views: FeedViews;
  watch: FeedWatch;
  reads: ReadCoalescer;
  /** The time by which tokens end. */
  clock: () => Date;
  /** Records what was given to whom, where that is recorded; does not make the reader wait. */
  recordAccess?: (access: FeedAccess) => void;
};

/** What is followed, after which position, by whom. */
export type Following = {
  feed: Feed;
  filter?: FeedFilter | undefined;
  restrict?: Restrict | undefined;
  /** `undefined` while nothing was added at the time to begin with. */
  after: number | undefined;
  /** Where that is, and `views.generation` before it was found. */
  begin: FeedStart;
  /** In which the stream was opened. */
  timeline: string;
  generation: number;
  caller: AccessHolder & FeedAccess['reader'];
};

/** Reads a page of a feed, or of the entries that a filter or restriction admits, when it is the turn of whoever reads. */
export type ReadInTurn = <Result>(
  limit: number,
  filter: object | undefined,
  read: () => Promise<Result>,
) => Promise<Result>;

const FOLLOWING = Buffer.from(': following\n\n');
const WAITING = Buffer.from(': waiting\n\n');

/**
 * The events until the caller's access ends, the client leaves or the server closes. Nothing is read before the last
 * page was written, and before there is room for the next one. While the database is unavailable, the client stays
 * connected.
 */
export async function* followFeed(
  context: FollowContext,
  response: ServerResponse,
  following: Following,
  room: StreamRoom,
  readInTurn: ReadInTurn,
): AsyncGenerator<Buffer> {
  const { views, watch, reads } = context;
  const { feed, filter, restrict, after: start, timeline, caller } = following;
  const { socket } = response.req;
  const watcher = watch.watch(feed);
  const stop = () => watcher.stop();
  socket.once('close', stop);
  const access = new AccessCheck(caller, context.clock, () => {
    stop();
    closeUnlessFlushed(response);
  });
  const goesOn = () => access.ended === undefined && !watch.closed && !socket.destroyed;
  let after = start;
  let { generation, begin } = following;
  /**
   * The position to read after. It is found again when positions may be those of other entries, and while nothing was added
   * at the time to begin with.
   */
  const findPosition = async () => {
    if (after !== undefined && generation === views.generation) return after;
    const current = views.generation;
    const view = await views.take(feed);
    after = await view.findStart(begin);
    generation = current;
    return after;
  };
  const readNext = async (position: number) => {
    const restriction = await restrict?.();
    if (restriction !== undefined) {
      return readInTurn(EVENTS_PER_READ, restriction, async () => {
        const { body, ...page } = await restriction.readPage(position, EVENTS_PER_READ, 'events');
        return { ...page, bytes: Buffer.from(body) };
      });
    }
    const readNow = async () => {
      const view = await views.take(feed);
      const { body, ...page } = await view.readPage(position, EVENTS_PER_READ, 'events', filter);
      return { ...page, bytes: Buffer.from(body) };
    };
    return filter === undefined
      ? reads.read(`${feedKey(feed.kind.number, feed.owner)}:${position}`, readNow)
      : readInTurn(EVENTS_PER_READ, filter, readNow);
  };
  /** The next page that the caller may have; `undefined` if it may have none now. */
  const readDeliverable = async () => {
    try {
      const position = await findPosition();
      if (position === undefined) return 'nothing yet';
      const page = await room.take(() => readNext(position), COMMENT_INTERVAL_MS);
      if (generation !== views.generation) {
        room.release();
        return undefined;
      }
      if (page === undefined || page.entries === 0) return page;
      return (await access.mayContinue()) ? page : undefined;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      await delay(READ_AGAIN_AFTER_MS, undefined, { ref: false });
      return undefined;
    }
  };
  let sentAt = performance.now();
  try {
    yield FOLLOWING;
    while (goesOn()) {
      const page = await readDeliverable();
      if (page === 'nothing yet') {
        await watcher.next(sentAt + COMMENT_INTERVAL_MS - performance.now());
      } else if (page !== undefined) {
        after = page.position;
        if (page.marker !== undefined) begin = { marker: page.marker, timeline };
        if (page.entries > 0) {
          recordRead(context, caller, { feed, filter }, page);
          yield page.bytes;
          room.release();
          sentAt = performance.now();
        } else if (goesOn() && !page.more) {
          await watcher.next(sentAt + COMMENT_INTERVAL_MS - performance.now());
        }
      }
      if (goesOn() && performance.now() >= sentAt + COMMENT_INTERVAL_MS) {
        yield WAITING;
        sentAt = performance.now();
      }
    }
  } catch (error) {
    // A reader that fell behind what is kept, or that has what a failover has lost, gets the error when it comes again.
    if (!(error instanceof MarkerExpiredError || error instanceof UnknownMarkerError)) throw error;
  } finally {
    room.release();
    access.close();
    socket.off('close', stop);
    stop();
  }
}

/** Records what a page gave to whom. With a filter positions do not say what was read. */
export function recordRead(
  { recordAccess }: FollowContext,
  reader: FeedAccess['reader'],
  { feed, filter }: Pick<Following, 'feed' | 'filter'>,
  { entries, position }: Pick<Page, 'entries' | 'position'>,
): void {
  if (entries === 0 || filter !== undefined) return;
  recordAccess?.({ feed, reader, first: position - entries + 1, last: position });
}

/** A client that does not read keeps a response unfinished: its connection is closed. */
function closeUnlessFlushed(response: ServerResponse): void {
  setTimeout(() => {
    if (!response.writableFinished) response.req.socket.destroy();
  }, FLUSH_TIMEOUT_MS).unref();
}
