// The ways to read entries after a marker, or from a time on. Each yields entries as they arrive, and `[]` for a sign of life.
import type { Connection } from '../connection/connection.js';
import type { RequestOptions } from '../connection/options.js';
import type { Page } from '../connection/page.js';
import { noticeRepetition } from '../connection/repetition.js';
import { ApiError } from '../errors/api-error.js';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import { textOf } from '../errors/read-api-error.js';
import { pause } from '../http/retry.js';
import { EventParser } from './event-parser.js';
import type { Feed, FeedQuery, FeedStart } from './feed.js';
import { type FollowMode, ModeUnsupportedError } from './follow-mode.js';
import type { ReceivingOptions } from './follow-options.js';

/** The largest page that the service gives. */
const PAGE_LIMIT = 1000;

/** An empty response that arrives earlier was not held back, in milliseconds. */
const MIN_WAIT_MS = 500;

type Entries<Entry> = AsyncGenerator<Entry[], void, undefined>;

/** Reads a feed over a connection. */
export class FeedReader<Entry> {
  readonly #connection: Connection;
  readonly #feed: Feed<Entry>;
  readonly #options: ReceivingOptions;
  readonly #notice: (place: string) => void;
  /** In which the last entries were read; `undefined` if the service does not say it. */
  timeline: string | undefined;

  constructor(connection: Connection, feed: Feed<Entry>, options: ReceivingOptions) {
    this.#connection = connection;
    this.#feed = feed;
    this.#options = options;
    this.#notice = noticeRepetition(feed.operation);
  }

  /** What the feed has from there, page by page. */
  async *pages(start: FeedStart, options: RequestOptions): Entries<Entry> {
    const { signal, silenceMs } = this.#options;
    let query: FeedQuery | undefined = { ...start, limit: PAGE_LIMIT };
    let request = { signal, timeoutMs: silenceMs, ...options };
    while (query !== undefined) {
      const page: Page<Entry, FeedQuery> = await this.#connection.call(
        this.#feed.operation,
        { query },
        request,
      );
      this.timeline = page.timeline;
      yield this.#check(page.entries);
      // A page that was cut at a line end, or at the end of its list, looks whole where nothing says its count: its link
      // would pass over what is missing.
      const last = page.entries.at(-1);
      if (last === undefined && page.next) this.#notice(page.next.marker ?? '');
      query =
        last === undefined
          ? page.next
          : page.next && {
              ...page.next,
              marker: this.#feed.markerOf(last),
              timeline: page.timeline,
            };
      request = { ...request, waitSeconds: undefined };
    }
  }

  /** New entries from there: for a while or for good, as the mode has it. */
  live(mode: FollowMode, start: FeedStart): Entries<Entry> {
    if (mode === 'events') return this.#events(start);
    return mode === 'wait' ? this.#wait(start) : this.#poll(start);
  }

  async *#events(start: FeedStart): Entries<Entry> {
    const { signal, silenceMs } = this.#options;
    const { operation } = this.#feed;
    const open = await this.#connection
      .open(
        operation,
        { query: start },
        {
          signal,
          timeoutMs: silenceMs,
          retry: false,
          headers: { accept: 'text/event-stream' },
        },
      )
      .catch((error: unknown) => {
        const isRefused = error instanceof ApiError && error.status === 406;
        throw isRefused ? new ModeUnsupportedError('events are refused', { cause: error }) : error;
      });
    if (!/^text\/event-stream\b/i.test(open.response.headers.get('content-type') ?? '')) {
      open.close();
      throw new ModeUnsupportedError('the response is not a stream of events');
    }
    this.timeline = open.response.headers.get('landfall-timeline') ?? undefined;
    const decoder = new TextDecoder();
    const parser = new EventParser();
    for await (const chunk of open.chunks()) {
      const data = parser.push(decoder.decode(chunk, { stream: true }));
      yield this.#check(data.map((text) => this.#parse(text)));
    }
  }

  async *#wait(start: FeedStart): Entries<Entry> {
    const { waitSeconds } = this.#options;
    const begun = performance.now();
    for await (const entries of this.pages(start, { retry: false, waitSeconds })) {
      yield entries;
      if (entries.length === 0 && performance.now() - begun < MIN_WAIT_MS) {
        throw new ModeUnsupportedError('the response was not held back');
      }
    }
  }

  async *#poll(start: FeedStart): Entries<Entry> {
    await pause(this.#options.pollIntervalMs, this.#options.signal);
    yield* this.pages(start, { retry: false });
  }

  /** Entries of which each has a marker: what has none is no entry. */
  #check(entries: Entry[]): Entry[] {
    const markers = entries.map((entry) => textOf(this.#feed.markerOf(entry)));
    // Not handed out, so its reader counts a failure: a feed that goes round in circles is asked ever more slowly.
    if (markers.length > 0) this.#notice(markers.at(-1) ?? '');
    if (markers.every(Boolean)) {
      // Each once, also where one comes several times at once.
      const seen = new Set<string | undefined>();
      return entries.filter((_, index) => {
        const isFirst = !seen.has(markers[index]);
        seen.add(markers[index]);
        return isFirst;
      });
    }
    throw new UnexpectedResponseError(`${this.#feed.operation.operationId} gives what is no entry`);
  }

  #parse(data: string): Entry {
    try {
      // The cast is true because the contract says what the data of an event is.
      return this.#feed.parse?.(data) ?? (JSON.parse(data) as Entry);
    } catch (cause) {
      const { operationId } = this.#feed.operation;
      throw new UnexpectedResponseError(`an event of ${operationId} is not JSON`, { cause });
    }
  }
}
