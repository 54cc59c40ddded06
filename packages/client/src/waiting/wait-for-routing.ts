// Waits until each of many documents has its routing, with one reader of the feed for all of them.
import type { Connection } from '../connection/connection.js';
import type {
  CheckedConsignment,
  IssuedRouting,
  RoutingControlLocation,
  RoutingSignal,
} from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { MarkerExpiredError } from '../errors/marker-expired-error.js';
import { RoutingPendingError } from '../errors/routing-pending-error.js';
import { routingFeed } from '../following/feed.js';
import { type FollowOptions, receivingOptions } from '../following/follow-options.js';
import { type MarkerStore, MemoryMarkerStore, openStore } from '../following/marker-store.js';
import { FeedReader } from '../following/read-entries.js';
import { receiveEntries } from '../following/receive-entries.js';
import { onAbort } from '../http/on-abort.js';
import {
  type AwaitedDocument,
  AwaitedDocuments,
  type HouseReference,
} from './awaited-documents.js';
import { lookUpRoutings } from './look-up-routings.js';

/** The longest delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 0x7fffffff;

/** Options of waiting for routings: those of following, and these. */
export type WaitForRoutingOptions = FollowOptions & {
  /** How long to wait for all of them, in milliseconds, 2,147,483,647 at most; default: until the signal aborts. */
  withinMs?: number | undefined;
  /**
   * Whether documents without a signal after the marker are looked up, one request each: they may have been decided
   * before it. Default: true. Without a marker, the whole feed is read and nothing is looked up.
   */
  lookUp?: boolean | undefined;
};

/** A document that has its routing. One whose entry is pending has none yet. */
export type RoutedDocument<Item> = AwaitedDocument<Item> & {
  routing: Exclude<IssuedRouting, 'ENTRY_PENDING'>;
  routingControlLocation: RoutingControlLocation | undefined;
  /** The signal; `undefined` if it is from before the marker, and the routing was looked up. */
  signal: RoutingSignal | undefined;
};

/**
 * Waits for the routing of house consignments, such as all those of a master consignment that was presented. However many
 * they are, the feed is read once, after the marker of the store; without a marker, from the beginning.
 *
 * Each document is handed out once, as soon as its routing is known, with the routing that applies then. The loop ends when
 * all have one. If the routing of a document changes afterwards, only `followRouting` says so.
 *
 * @param items in any order; each identifies one house consignment. They are kept in memory
 * @throws RoutingPendingError when `withinMs` is over: it has the items that are left
 * @throws the reason of `signal` when it aborts; what `followRouting` and `checkRelease` throw
 * @throws ConfigurationError for an item without a document
 * @example
 * for await (const { item, routing } of waitForRouting(landfall, parcels, { store, withinMs: 3_600_000 })) {
 *   if (routing === 'TO_ENTRY') release(item);
 * }
 */
export function waitForRouting<Item extends HouseReference>(
  connection: Connection,
  items: Iterable<Item>,
  options: WaitForRoutingOptions = {},
): RoutingWait<Item> {
  return new RoutingWait(connection, items, options);
}

/** A wait for routings. Iterate once, or call `toArray`. Ending the loop early ends the wait. */
export class RoutingWait<Item extends HouseReference>
  implements AsyncIterable<RoutedDocument<Item>>
{
  readonly #connection: Connection;
  readonly #documents: AwaitedDocuments<Item>;
  readonly #options: WaitForRoutingOptions;
  readonly #store: MarkerStore;
  #marker: string | undefined;
  /** Documents of which it is not known yet whether they had a routing before. */
  #notLookedUp = 0;

  constructor(connection: Connection, items: Iterable<Item>, options: WaitForRoutingOptions) {
    const { withinMs } = options;
    if (withinMs !== undefined && !(withinMs >= 0 && withinMs <= MAX_TIMER_MS)) {
      throw new ConfigurationError(`withinMs must be from 0 to ${MAX_TIMER_MS}`);
    }
    this.#connection = connection;
    this.#documents = new AwaitedDocuments(items);
    this.#options = options;
    this.#store = options.store ?? new MemoryMarkerStore();
  }

  /** The items that were not handed out yet, in the order in which they were given. */
  get pending(): Item[] {
    return this.#documents.list().map(({ item }) => item);
  }

  /** All documents with their routings, in the order in which they were given. Throws what the loop throws. */
  async toArray(): Promise<RoutedDocument<Item>[]> {
    const routed: RoutedDocument<Item>[] = [];
    for await (const document of this) routed.push(document);
    return routed.sort((a, b) => a.index - b.index);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<RoutedDocument<Item>, void, undefined> {
    const stop = new AbortController();
    let isEnded = false;
    const results = this.#run(stop);
    const iterator: AsyncIterableIterator<RoutedDocument<Item>, void, undefined> = {
      next: async () => {
        try {
          return await results.next();
        } catch (error) {
          if (isEnded) return { done: true, value: undefined };
          throw error;
        }
      },
      return: async () => {
        isEnded = true;
        // A generator that waits does not end before what it waits for.
        stop.abort();
        return results.return();
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** Waits until all are handed out, the caller aborts, or the time is over. */
  async *#run(stop: AbortController): AsyncGenerator<RoutedDocument<Item>, void, undefined> {
    const { signal, withinMs } = this.#options;
    signal?.throwIfAborted();
    const forget = onAbort(signal, () => stop.abort(signal?.reason));
    const over = new Error('the time is over');
    const timer = withinMs === undefined ? undefined : setTimeout(() => stop.abort(over), withinMs);
    try {
      if (this.#documents.count > 0) yield* this.#wait(stop.signal);
      if (this.#documents.count > 0) stop.signal.throwIfAborted();
    } catch (error) {
      if (error !== over) throw error;
      // What was received before may have been handed out since the time was over.
      const { pending } = this;
      if (pending.length === 0) return;
      const notLookedUp = Math.min(this.#notLookedUp, pending.length);
      throw new RoutingPendingError(pending, withinMs ?? 0, this.#marker, notLookedUp);
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  async *#wait(signal: AbortSignal): AsyncGenerator<RoutedDocument<Item>, void, undefined> {
    // A position of its own: signals before it were passed over, except those that were waited for.
    const opened = await openStore(this.#store, this.#connection, 'waitForRouting');
    try {
      yield* this.#waitAfter(opened.saved ?? this.#options.marker, signal);
    } finally {
      await opened.close();
    }
  }

  async *#waitAfter(
    start: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<RoutedDocument<Item>, void, undefined> {
    const receiving = receivingOptions({ ...this.#options, signal });
    this.#marker = start;
    this.#notLookedUp = this.#documents.count;
    const past = await this.#readPast(start, receiving);
    yield* this.#handOut(past.found);
    await this.#advance(past.last);
    if (start !== undefined && this.#options.lookUp !== false) yield* this.#lookUp(signal);
    this.#notLookedUp = 0;
    if (this.#documents.count === 0) return;
    for await (const signals of receiveEntries(
      this.#connection,
      routingFeed,
      { marker: this.#marker },
      receiving,
    )) {
      yield* this.#handOut(this.#findLast(signals));
      await this.#advance(signals.at(-1));
      if (this.#documents.count === 0) return;
    }
  }

  /** The last signals of what the feed has: all of it is read first, because a later signal replaces an earlier one. */
  async #readPast(start: string | undefined, receiving: ReturnType<typeof receivingOptions>) {
    const reader = new FeedReader(this.#connection, routingFeed, receiving);
    const found = new Map<AwaitedDocument<Item>, RoutingSignal>();
    let last: RoutingSignal | undefined;
    try {
      for await (const signals of reader.pages({ marker: start }, {})) {
        this.#findLast(signals, found);
        last = signals.at(-1) ?? last;
      }
    } catch (error) {
      if (!(error instanceof ApiError && error.has('MARKER_EXPIRED'))) throw error;
      throw new MarkerExpiredError(start, undefined, error);
    }
    return { found, last };
  }

  async *#lookUp(signal: AbortSignal): AsyncGenerator<RoutedDocument<Item>, void, undefined> {
    const documents = this.#documents.list();
    this.#notLookedUp = documents.length;
    const looked = lookUpRoutings(this.#connection, documents, signal);
    for await (const { awaited, found } of looked) {
      this.#notLookedUp -= 1;
      if (found === undefined || !isRouting(found.state)) continue;
      const { routingControlLocation } = found;
      const routing = found.state;
      this.#documents.remove(awaited);
      yield { ...awaited, routing, routingControlLocation, signal: undefined };
    }
  }

  /** The last signal of each document. */
  #findLast(
    signals: readonly RoutingSignal[],
    found = new Map<AwaitedDocument<Item>, RoutingSignal>(),
  ): Map<AwaitedDocument<Item>, RoutingSignal> {
    for (const signal of signals) {
      for (const awaited of this.#documents.find(signal)) found.set(awaited, signal);
    }
    return found;
  }

  *#handOut(found: Map<AwaitedDocument<Item>, RoutingSignal>) {
    for (const [awaited, signal] of found) {
      const { routing, routingControlLocation } = signal.routingResult;
      if (!isRouting(routing)) continue;
      this.#documents.remove(awaited);
      yield { ...awaited, routing, routingControlLocation, signal };
    }
  }

  /** Saves the position when everything of it was handed out, and its turn of the loop has ended. */
  async #advance(last: RoutingSignal | undefined): Promise<void> {
    if (last === undefined) return;
    this.#marker = routingFeed.markerOf(last);
    await this.#store.write(this.#marker);
  }
}

function isRouting(state: CheckedConsignment['state']): state is RoutedDocument<never>['routing'] {
  return state === 'TO_ENTRY' || state === 'TO_CONTROL' || state === 'ENTRY_DENIED';
}
