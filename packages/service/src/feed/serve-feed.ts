// The HTTP face of a feed: a page as JSON or NDJSON, at once or when there is something, or events as they come.
import { Readable } from 'node:stream';
import { PAGE_LIMIT } from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { CompressibleText } from '../http/compressible-text.js';
import { linkToNext } from '../http/link.js';
import { preferredMediaType } from '../http/media-type.js';
import { type Feed, feedKey, MarkerExpiredError } from './feed.js';
import type { FullPages, PageKey } from './full-pages.js';
import type { FeedFilter, Framing } from './queries.js';
import { findMarker, type Page, readPage } from './read-feed.js';
import type { SharedReads } from './shared-reads.js';
import type { FeedWatch } from './watch-feeds.js';

/** What a read asks for, after its query was checked. */
export type FeedRequest = {
  feed: Feed;
  marker?: string | undefined;
  limit?: number | undefined;
  filter?: FeedFilter | undefined;
};

/** What was given to whom: the positions of a page that holds every entry between its first and its last. */
export type FeedReading = { feed: Feed; caller: Caller; first: number; last: number };

/** What reading a feed needs. */
export type FeedContext = {
  database: Database;
  watch: FeedWatch;
  pages: FullPages<ServedPage>;
  reads: SharedReads;
  baseUrl: string;
  /** Is told what was read, where somebody keeps account of it; must not make the reader wait. */
  noteReading?: (reading: FeedReading) => void;
};

/** A page as it is answered. */
export type ServedPage = Omit<Page, 'body'> & { text: CompressibleText; bytes: number };

/** Entries that are read at once for a stream of events. */
const EVENTS_AT_ONCE = 100;

/** Entries of a page that is read as fast as a single entry is. */
const SHORT_PAGE = 100;

/** How often a silent stream of events says that it is alive, in milliseconds. */
const COMMENT_EVERY = 15_000;

/** The longest wait that may be requested, in seconds. */
const MAX_WAIT_SECONDS = 60;

const mediaTypes: Record<Framing, string> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  events: 'text/event-stream',
};

const framings = new Map(
  Object.entries(mediaTypes).map(([framing, mediaType]) => [mediaType, framing as Framing]),
);

/**
 * Answers a read of a feed.
 *
 * @throws UnknownMarkerError when the marker is not of this feed
 * @throws MarkerExpiredError when entries after the marker are not kept any longer
 */
export async function serveFeed(
  context: FeedContext,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  read: FeedRequest,
): Promise<FastifyReply> {
  const framing = askedFraming(request);
  reply.type(mediaTypes[framing]).header('Cache-Control', 'no-store');
  if (framing === 'events') {
    const after = await findStart(context, read.feed, lastEventId(request) ?? read.marker);
    return reply.send(Readable.from(followFeed(context, request, caller, read, after)));
  }
  const limit = read.limit ?? PAGE_LIMIT;
  const wait = requestedWait(request);
  const page = await readForReply(context, request, { ...read, limit }, framing, wait);
  noteRead(context, caller, read, page);
  if (wait > 0) reply.header('Preference-Applied', `wait=${wait}`);
  if (page.entries === limit && page.marker !== undefined) {
    reply.header('Link', linkToNext(context.baseUrl, request.url, page.marker));
  }
  return page.text.send(request, reply);
}

/** The position to read after: that of the marker, or the beginning. */
async function findStart({ database }: FeedContext, feed: Feed, marker?: string): Promise<number> {
  return marker === undefined ? 0 : findMarker(database.lookUps, feed, marker);
}

/** A page that was read lately, or one that is read now, after waiting when that is asked for. */
async function readForReply(
  context: FeedContext,
  request: FastifyRequest,
  { feed, marker, limit, filter }: FeedRequest & { limit: number },
  framing: Framing,
  wait: number,
): Promise<ServedPage> {
  const key: PageKey = { feed, marker, limit, framing };
  // What a feed begins with changes when entries leave it.
  const remembers =
    filter === undefined && (marker !== undefined || feed.kind.expired === undefined);
  const known = remembers ? context.pages.get(key) : undefined;
  if (known !== undefined) return known;
  const after = await findStart(context, feed, marker);
  const { database } = context;
  const reader = limit <= SHORT_PAGE && filter === undefined ? database.lookUps : database;
  const readNow = () => readPage(reader, feed, after, limit, framing, filter);
  const { body, ...page } =
    wait > 0
      ? await readWhenGrown(context, request, feed, wait, readNow, (page) => page.entries > 0)
      : await readNow();
  const text = new CompressibleText(body);
  const served = { ...page, text, bytes: text.bytes.length };
  if (remembers) context.pages.note(key, served);
  return served;
}

/**
 * Reads again whenever the feed has grown, until there is something or the time is over.
 *
 * @param wait how long at most, in seconds
 * @param isThere whether what was read is worth a response at once
 */
export async function readWhenGrown<Result>(
  { watch }: Pick<FeedContext, 'watch'>,
  request: FastifyRequest,
  feed: Feed,
  wait: number,
  readNow: () => Promise<Result>,
  isThere: (result: Result) => boolean,
): Promise<Result> {
  const watcher = watch.watch(feed);
  const stop = () => watcher.stop();
  request.raw.socket.once('close', stop);
  const deadline = performance.now() + wait * 1000;
  try {
    for (;;) {
      const result = await readNow();
      const left = deadline - performance.now();
      if (isThere(result) || left <= 0 || watch.closed || request.raw.socket.destroyed) {
        return result;
      }
      await watcher.next(left);
    }
  } finally {
    request.raw.socket.off('close', stop);
    watcher.stop();
  }
}

/**
 * The entries as they come, until the caller's token ends. Nothing is read before what was read is taken, so a slow
 * reader costs no memory.
 */
async function* followFeed(
  context: FeedContext,
  request: FastifyRequest,
  caller: Caller,
  read: FeedRequest,
  start: number,
): AsyncGenerator<string> {
  const { database, watch, reads } = context;
  const { feed, filter } = read;
  const watcher = watch.watch(feed);
  const stop = () => watcher.stop();
  request.raw.socket.once('close', stop);
  let after = start;
  const readNow = () => readPage(database, feed, after, EVENTS_AT_ONCE, 'events', filter);
  const readNext = () =>
    filter === undefined
      ? reads.read(`${feedKey(feed.kind.number, feed.owner)}:${after}`, readNow)
      : readNow();
  try {
    yield ': following\n\n';
    while (Date.now() < caller.expiresAt * 1000 && !watch.closed && !request.raw.socket.destroyed) {
      const page = await readNext();
      after = page.position;
      if (page.entries > 0) {
        noteRead(context, caller, read, page);
        yield page.body;
        continue;
      }
      const woken = performance.now() + COMMENT_EVERY;
      await watcher.next(Math.min(COMMENT_EVERY, caller.expiresAt * 1000 - Date.now()));
      if (performance.now() >= woken) yield ': waiting\n\n';
    }
  } catch (error) {
    // A reader that fell behind what is kept is told when it comes again.
    if (!(error instanceof MarkerExpiredError)) throw error;
  } finally {
    request.raw.socket.off('close', stop);
    watcher.stop();
  }
}

/** Of a filtered feed nobody can say by positions what was read. */
function noteRead(
  { noteReading }: FeedContext,
  caller: Caller,
  { feed, filter }: FeedRequest,
  { entries, position }: Pick<Page, 'entries' | 'position'>,
): void {
  if (entries === 0 || filter !== undefined) return;
  noteReading?.({ feed, caller, first: position - entries + 1, last: position });
}

/** What Accept headers ask for: there are few different ones, and to read one takes longer than to send a short page. */
const framingsAsked = new LRUCache<string, Framing>({ max: 100 });

function askedFraming({ headers: { accept } }: FastifyRequest): Framing {
  if (accept === undefined) return 'json';
  const known = framingsAsked.get(accept);
  if (known !== undefined) return known;
  const mediaType = preferredMediaType(accept, [...framings.keys()]);
  const framing = framings.get(mediaType ?? mediaTypes.json) ?? 'json';
  framingsAsked.set(accept, framing);
  return framing;
}

/** `Prefer: wait=20`, in seconds (RFC 7240, section 4.3); what is not a number is no preference. */
export function requestedWait(request: FastifyRequest): number {
  const prefer = [request.headers.prefer ?? []].flat().join(',');
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(prefer)?.[1];
  return seconds === undefined ? 0 : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}

function lastEventId(request: FastifyRequest): string | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
