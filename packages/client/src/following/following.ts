// A loop over the entries of a feed that waits for new ones, and saves the position after each.
import type { Connection } from '../connection/connection.js';
import { endable } from '../http/endable.js';
import type { Feed } from './feed.js';
import { type FollowOptions, receivingOptions, startOf } from './follow-options.js';
import { type MarkerStore, MemoryMarkerStore, openStore } from './marker-store.js';
import { receiveEntries } from './receive-entries.js';

/**
 * The entries of a feed, each once, in order. The loop waits for new entries and ends when the signal aborts.
 *
 * The marker of an entry is saved when the loop requests the next one: when its body has ended. After `break`, an error
 * or the death of the program, the entry in hand is not saved, and is the first one of the next loop. To stop after an
 * entry, abort the signal and let the body end.
 *
 * Iterate once at a time.
 */
export class Following<Entry> implements AsyncIterable<Entry> {
  readonly #connection: Connection;
  readonly #feed: Feed<Entry>;
  readonly #options: FollowOptions;
  readonly #store: MarkerStore;

  constructor(connection: Connection, feed: Feed<Entry>, options: FollowOptions) {
    this.#connection = connection;
    this.#feed = feed;
    this.#options = options;
    this.#store = options.store ?? new MemoryMarkerStore();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    return endable((end) => this.#entries(end));
  }

  async *#entries(end: AbortSignal): AsyncGenerator<Entry, void, undefined> {
    for await (const entries of this.#receive(end)) {
      for (const entry of entries) {
        yield entry;
        // Awaiting what is no promise would cost more than saving in memory.
        const saved = this.#store.write(this.#feed.markerOf(entry));
        if (saved !== undefined) await saved;
        if (this.#options.signal?.aborted) return;
      }
    }
  }

  /**
   * The entries in batches, none of them empty, as they arrive: 1000 at most from the past, usually one of the present.
   * The position is saved after each batch, which is faster where saving is slow.
   *
   * @example
   * for await (const signals of landfall.followRouting({ store }).pages()) await insertAll(signals);
   */
  pages(): AsyncGenerator<Entry[], void, undefined> {
    return endable((end) => this.#pages(end));
  }

  async *#pages(end: AbortSignal): AsyncGenerator<Entry[], void, undefined> {
    for await (const entries of this.#receive(end)) {
      const last = entries.at(-1);
      yield entries;
      if (last !== undefined) await this.#store.write(this.#feed.markerOf(last));
    }
  }

  async *#receive(end: AbortSignal): AsyncGenerator<Entry[], void, undefined> {
    const { operationId } = this.#feed.operation;
    const begin = startOf(this.#options);
    const opened = await openStore(this.#store, this.#connection, operationId);
    const { signal: given } = this.#options;
    try {
      yield* receiveEntries(
        this.#connection,
        this.#feed,
        opened.saved === undefined ? begin : { marker: opened.saved },
        {
          ...receivingOptions(this.#options),
          signal: given === undefined ? end : AbortSignal.any([given, end]),
        },
      );
    } finally {
      await opened.close();
    }
  }
}
