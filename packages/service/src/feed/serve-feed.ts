// The HTTP interface of a feed: a page as JSON or NDJSON, at once or when there is something, or events as they come.
import { setTimeout } from 'node:timers/promises';
import { PAGE_LIMIT } from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessCheck } from '../http/access-check.js';
import type { Caller } from '../http/caller.js';
import { CompressibleText } from '../http/compressible-text.js';
import { checkRoom, holdUnread, openUnread } from '../http/limit-unread.js';
import { refuse } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { PartsResponse } from '../http/parts-response.js';
import { requestedWait } from '../http/preferences.js';
import type { ReadTurns } from '../http/read-turns.js';
import type { UnreadBytes } from '../http/unread-bytes.js';
import { type Feed, type FeedKind, SearchUnfinishedError } from './feed.js';
import { type FeedView, type FoundStatus, isShortPage } from './feed-views.js';
import { type FollowContext, followFeed, type ReadInTurn, recordRead } from './follow-feed.js';
import type { PageCache, PageKey } from './page-cache.js';
import { type Framing, MAX_PAGE_BYTES } from './queries.js';
import { emptyPage, type FeedRequest, type Page } from './read-feed.js';

/** What serving a feed needs. */
export type FeedContext = FollowContext & {
  pages: PageCache<ServedPage>;
  /** What readers have not read yet. */
  unread: UnreadBytes;
  /** Limits what is read for each organisation at the same time. */
  turns: ReadTurns;
  /** The kinds whose entries are removed some time after they were added. */
  expiring: ReadonlySet<FeedKind>;
  /** Which statuses are not to be found yet; default: each is found at once. */
  findLateStatuses?: FindLateStatuses | undefined;
  baseUrl: string;
};

/**
 * Whether the status of a request that was recorded at a time is not to be found yet, of the read that is handled;
 * `undefined` if each is found at once.
 */
export type FindLateStatuses = () => ((recordedAt: Date) => boolean) | undefined;

/** How long a page is searched of which nothing is found yet, in milliseconds. */
const MAX_SEARCH_MS = 5000;

/** A page, and whether it has every entry of the feed: others may read it from the cache. */
type FoundPage = Page & { isWhole: boolean };

/** A page as it is sent. */
export type ServedPage = Omit<Page, 'body'> & { text: CompressibleText; bytes: number };

/** A request for entries of a feed; its media type is one of those of a feed. */
export type FeedCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  mediaType: string;
};

type ServedFraming = Exclude<Framing, 'delivery'>;

const mediaTypes: Record<ServedFraming, string> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  events: 'text/event-stream',
};

const framings = new Map(
  Object.entries(mediaTypes).map(([framing, mediaType]) => [mediaType, framing as ServedFraming]),
);

/** The parameters of an operation that say where a read begins. */
export type FeedNames = { marker: string; since: string };

const usualNames: FeedNames = { marker: 'marker', since: 'since' };

/**
 * Serves a read of a feed.
 *
 * @throws ValidationFailedError when it has a marker and a time
 * @throws UnknownMarkerError when the marker is not of this feed
 * @throws MarkerExpiredError when entries after the marker are not kept any longer
 * @throws SearchUnfinishedError when nothing that is shown was found in time, and not everything was searched
 * @throws AccessEndedError when the caller's access ends while the read waits
 * @throws HttpError 429 when the organisation has not read what it requested before
 */
export async function serveFeed(
  context: FeedContext,
  { request, reply, caller, mediaType }: FeedCall,
  read: FeedRequest,
  names = usualNames,
): Promise<FastifyReply> {
  const framing = framings.get(mediaType) ?? 'json';
  if (read.marker !== undefined && read.since !== undefined) {
    refuse({
      field: names.since,
      error: `must not be given together with ${names.marker}`,
      code: 'INCOMPATIBLE',
    });
  }
  reply.type(mediaTypes[framing]);
  const { views } = context;
  const timeline = await views.timeline.id();
  reply.header('Landfall-Timeline', timeline);
  const { feed, filter, skip = 0, restrict } = read;
  const readInTurn: ReadInTurn = (limit, filter, readPage) =>
    isShortPage(limit, filter)
      ? readPage()
      : context.turns.take(caller.organisationId, reply.raw, readPage);
  if (framing === 'events') {
    const last = lastEventId(request);
    const begin = {
      ...(last === undefined ? { marker: read.marker, since: read.since } : { marker: last }),
      timeline: read.timeline,
    };
    const { generation } = views;
    const view = await views.take(feed);
    const after = await view.findStart(begin);
    const room = openUnread(context.unread, request, reply);
    return reply.send(
      new PartsResponse(
        followFeed(
          context,
          reply.raw,
          { feed, filter, restrict, after, begin, timeline, generation, caller },
          room,
          readInTurn,
        ),
      ),
    );
  }
  const limit = read.limit ?? PAGE_LIMIT;
  const wait = requestedWait(request);
  const page = await readForReply(context, { ...read, limit }, timeline, framing, () => {
    let after: number | undefined;
    let generation = views.generation;
    let restrictedBy: string | undefined;
    const readNow = async (): Promise<FoundPage> => {
      const restriction = await restrict?.();
      const isWhole = restriction === undefined;
      if (generation !== views.generation || restriction?.id !== restrictedBy) {
        // The position may be that of another entry now, or follow entries that the reader may see now.
        generation = views.generation;
        restrictedBy = restriction?.id;
        after = undefined;
      }
      const view = await views.take(feed);
      const readAfter = (start: number, limit: number) =>
        readInTurn(limit, filter ?? restriction, async () => {
          // Before it is produced, with all that was produced while it waited for its turn.
          checkRoomForPage(context, caller);
          return restriction === undefined
            ? view.readPage(start, limit, framing, filter)
            : restriction.readPage(start, limit, framing);
        });
      if (after === undefined) {
        after = await view.findStart(read);
        // Nothing was added at the time yet, so it is found again when the feed has grown.
        if (after === undefined) return { ...emptyPage(0, framing), isWhole };
        const until = performance.now() + MAX_SEARCH_MS;
        for (let left = skip; left > 0; ) {
          const { entries, position, more } = await readAfter(after, left);
          left = more ? left - entries : 0;
          if (left > 0 && performance.now() >= until) throw new SearchUnfinishedError();
          after = position;
        }
      }
      const found = await readAfter(after, limit);
      // With a filter, what was scanned is not scanned again when the feed has grown.
      after = found.position;
      return { ...found, isWhole };
    };
    const readNext = async () => {
      const until = performance.now() + MAX_SEARCH_MS;
      for (;;) {
        const found = await readNow();
        const goesOn = found.entries === 0 && found.more && !request.raw.socket.destroyed;
        if (!goesOn) return found;
        if (performance.now() >= until) throw new SearchUnfinishedError();
      }
    };
    const isThere = ({ entries }: Page) => entries > 0;
    return readWhenGrown(context, request, caller, { feed, wait, readNow: readNext, isThere });
  });
  return page.text.send(request, reply, (sent) => {
    // What is refused because there is no room for it was not read.
    holdUnread(context.unread, request, reply, sent);
    recordRead(context, caller, read, page);
    if (wait > 0) reply.header('Preference-Applied', `wait=${wait}`);
    const next = page.more ? page.marker : undefined;
    setPageHeaders(
      context.baseUrl,
      request,
      reply,
      { count: page.entries, next, timeline },
      names.marker,
    );
  });
}

/**
 * Refuses a page before it is produced.
 *
 * @throws HttpError 429 when the organisation has not read what it requested before
 */
export function checkRoomForPage(
  { unread }: Pick<FeedContext, 'unread'>,
  { organisationId }: Pick<Caller, 'organisationId'>,
): void {
  checkRoom(unread, organisationId, MAX_PAGE_BYTES);
}

/** A page that was read lately, or one that is read now. */
async function readForReply(
  context: FeedContext,
  {
    feed,
    marker,
    since,
    skip = 0,
    limit,
    filter,
    restrict,
    ...given
  }: FeedRequest & {
    limit: number;
  },
  timeline: string,
  framing: Framing,
  readPage: () => Promise<FoundPage>,
): Promise<ServedPage> {
  const key: PageKey = { feed, marker, limit, framing };
  // What a feed begins with changes when entries are removed.
  const isCached =
    filter === undefined &&
    since === undefined &&
    // The marker of another timeline may be that of another entry.
    (given.timeline ?? timeline) === timeline &&
    skip === 0 &&
    (await restrict?.()) === undefined &&
    (marker !== undefined || !context.expiring.has(feed.kind));
  const cached = isCached ? context.pages.get(key) : undefined;
  if (cached !== undefined) return cached;
  const { generation } = context.pages;
  const { body, isWhole, ...page } = await readPage();
  const text = new CompressibleText(body);
  const served = { ...page, text, bytes: text.bytes.length };
  if (isCached && isWhole) context.pages.set(key, served, generation);
  return served;
}

/** A read that waits for a feed, or one of several, to grow. */
type WaitingRead<Result> = {
  feed: Feed | readonly Feed[];
  /** Maximum wait in seconds; 0 does not wait. */
  wait: number;
  readNow: () => Promise<Result>;
  /** Whether what was read is worth a response at once. */
  isThere: (result: Result) => boolean;
  /**
   * How soon it is read again although no feed has grown, in milliseconds, for every result or by the last one; default:
   * never. With it, a read that takes long is repeated less often, whatever grows.
   */
  rereadMs?: number | ((result: Result) => number);
};

/** A read may take one part in so many of the time for which it waits, if a feed has grown, or if nothing has. */
const PARTS = { grown: 5, unchanged: 20 };

/**
 * Reads again whenever the feed has grown, until there is something or the time is over.
 *
 * @throws AccessEndedError when the caller's access ends meanwhile
 */
export async function readWhenGrown<Result>(
  { watch, clock }: Pick<FeedContext, 'watch' | 'clock'>,
  { raw: { socket } }: FastifyRequest,
  caller: Caller,
  { feed, wait, readNow, isThere, rereadMs }: WaitingRead<Result>,
): Promise<Result> {
  if (wait === 0) return readNow();
  const watcher = watch.watch(...[feed].flat());
  const stop = () => watcher.stop();
  socket.once('close', stop);
  const access = new AccessCheck(caller, clock, stop);
  const deadline = performance.now() + wait * 1000;
  try {
    for (;;) {
      const start = performance.now();
      const result = await readNow();
      const tookMs = performance.now() - start;
      await access.require();
      const left = () => deadline - performance.now();
      if (isThere(result) || left() <= 0 || watch.closed || socket.destroyed) return result;
      if (rereadMs === undefined) await watcher.next(left());
      else {
        const soon = typeof rereadMs === 'number' ? rereadMs : rereadMs(result);
        await watcher.next(Math.min(left(), Math.max(soon, tookMs * PARTS.unchanged)));
        const pause = start + tookMs * PARTS.grown - performance.now();
        if (pause > 0) await setTimeout(Math.max(0, Math.min(left(), pause)));
      }
    }
  } finally {
    access.close();
    socket.off('close', stop);
    stop();
  }
}

/** How often a status that is not to be found yet is looked for, in milliseconds: no feed grows when it is. */
const LATE_REREAD_MS = 200;

/** The status of a request of the caller, as soon as there is one, or when the wait that the request prefers is over. */
export async function readStatus(
  context: FeedContext,
  { caller, request, reply }: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
  kind: FeedKind,
  find: (view: FeedView) => Promise<FoundStatus | undefined>,
): Promise<string | undefined> {
  const isLate = context.findLateStatuses?.();
  const wait = requestedWait(request);
  const feed = { kind, owner: caller.organisationId };
  const found = await readWhenGrown(context, request, caller, {
    feed,
    wait,
    readNow: async () => {
      const recorded = await find(await context.views.take(feed));
      if (recorded?.status === undefined || isLate === undefined) return recorded;
      return isLate(timeOf(recorded.status)) ? undefined : recorded;
    },
    isThere: (recorded) => recorded !== undefined,
    ...(isLate && { rereadMs: LATE_REREAD_MS }),
  });
  if (found?.status !== undefined && wait > 0) reply.header('Preference-Applied', `wait=${wait}`);
  return found?.status;
}

function timeOf(status: string): Date {
  const { notificationDate }: { notificationDate: string } = JSON.parse(status);
  return new Date(notificationDate);
}

function lastEventId(request: FastifyRequest): string | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
