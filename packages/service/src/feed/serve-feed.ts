// The HTTP face of a feed: a page as JSON or NDJSON, at once or when there is something, or events as they come.
import { Readable } from 'node:stream';
import { PAGE_LIMIT } from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { preferredMediaType } from '../http/media-type.js';
import type { Feed } from './feed.js';
import type { FeedFilter, Framing } from './queries.js';
import { findMarker, type Page, readPage } from './read-feed.js';
import type { FeedWatch } from './watch-feeds.js';

/** What a read asks for, after its query was checked. */
export type FeedRequest = {
  feed: Feed;
  marker?: string | undefined;
  limit?: number | undefined;
  filter?: FeedFilter | undefined;
};

/** What reading a feed needs. */
export type FeedContext = { database: Database; watch: FeedWatch; baseUrl: string };

/** Entries that are read at once for a stream of events. */
const EVENTS_AT_ONCE = 100;

/** How often a silent stream of events says that it is alive, in milliseconds. */
const COMMENT_EVERY = 15_000;

/** The longest wait that may be asked for, in seconds. */
const LONGEST_WAIT = 60;

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
 */
export async function serveFeed(
  context: FeedContext,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  read: FeedRequest,
): Promise<FastifyReply> {
  const framing = askedFraming(request);
  const marker = framing === 'events' ? (lastEventId(request) ?? read.marker) : read.marker;
  const after = marker === undefined ? 0 : await findMarker(context.database, read.feed, marker);
  reply.type(mediaTypes[framing]).header('Cache-Control', 'no-store');
  if (framing === 'events') {
    return reply.send(Readable.from(followFeed(context, request, caller, read, after)));
  }
  const limit = read.limit ?? PAGE_LIMIT;
  const wait = askedWait(request);
  const readNow = () => readPage(context.database, read.feed, after, limit, framing, read.filter);
  const page =
    wait > 0 ? await readWhenGrown(context, request, read.feed, wait, readNow) : await readNow();
  if (wait > 0) reply.header('Preference-Applied', `wait=${wait}`);
  if (page.entries === limit && page.marker !== undefined) {
    reply.header('Link', `<${nextAddress(context.baseUrl, request.url, page.marker)}>; rel="next"`);
  }
  return reply.send(page.body);
}

/** Reads again whenever the feed has grown, until there is something or the time is over. */
async function readWhenGrown(
  { watch }: FeedContext,
  request: FastifyRequest,
  feed: Feed,
  wait: number,
  readNow: () => Promise<Page>,
): Promise<Page> {
  const watcher = watch.watch(feed);
  const stop = () => watcher.stop();
  request.raw.socket.once('close', stop);
  const deadline = performance.now() + wait * 1000;
  try {
    for (;;) {
      const page = await readNow();
      const left = deadline - performance.now();
      if (page.entries > 0 || left <= 0 || watch.closed || request.raw.socket.destroyed)
        return page;
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
  { database, watch }: FeedContext,
  request: FastifyRequest,
  caller: Caller,
  { feed, filter }: FeedRequest,
  start: number,
): AsyncGenerator<string> {
  const watcher = watch.watch(feed);
  const stop = () => watcher.stop();
  request.raw.socket.once('close', stop);
  let after = start;
  try {
    yield ': following\n\n';
    while (Date.now() < caller.expiresAt * 1000 && !watch.closed && !request.raw.socket.destroyed) {
      const page = await readPage(database, feed, after, EVENTS_AT_ONCE, 'events', filter);
      after = page.position;
      if (page.entries > 0) {
        yield page.body;
        continue;
      }
      const woken = performance.now() + COMMENT_EVERY;
      await watcher.next(Math.min(COMMENT_EVERY, caller.expiresAt * 1000 - Date.now()));
      if (performance.now() >= woken) yield ': waiting\n\n';
    }
  } finally {
    request.raw.socket.off('close', stop);
    watcher.stop();
  }
}

function askedFraming(request: FastifyRequest): Framing {
  const mediaType = preferredMediaType(request.headers.accept, [...framings.keys()]);
  return framings.get(mediaType ?? mediaTypes.json) ?? 'json';
}

/** `Prefer: wait=20`, in seconds (RFC 7240, section 4.3); what is not a number is no preference. */
function askedWait(request: FastifyRequest): number {
  const prefer = [request.headers.prefer ?? []].flat().join(',');
  const asked = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(prefer)?.[1];
  return asked === undefined ? 0 : Math.min(Number(asked), LONGEST_WAIT);
}

function lastEventId(request: FastifyRequest): string | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The same address with the marker moved on. */
function nextAddress(baseUrl: string, url: string, marker: string): string {
  const next = new URL(url, baseUrl);
  next.searchParams.set('marker', marker);
  return `${baseUrl}${next.pathname}${next.search}`;
}
