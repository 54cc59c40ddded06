// Where the position of a follower is kept.

/** What is followed: a store that outlives the program keeps it, and refuses the marker of another feed. */
export type FollowedFeed = {
  /** Address of the service. */
  service: string;
  /** Name of the feed, such as `readRoutingSignals`, or of what keeps a position of its own in it: `waitForRouting`. */
  feed: string;
};

/**
 * Keeps the marker of the last processed entry. One follower uses a store at a time.
 *
 * To process each entry exactly once, write what an entry changes and its marker in one transaction of your database,
 * and let `write` do nothing.
 *
 * @example
 * const store = {
 *   read: async () => (await sql`select marker from follower`)[0]?.marker,
 *   write: () => undefined,
 * };
 * for await (const signal of landfall.followRouting({ store })) {
 *   await sql.begin(async (sql) => {
 *     await sql`insert into routing ${sql(rowOf(signal))}`;
 *     await sql`update follower set marker = ${signal.routingResult.id}`;
 *   });
 * }
 */
export type MarkerStore = {
  /** Called when following begins; `undefined` if nothing has been processed yet. */
  read(followed: FollowedFeed): string | undefined | Promise<string | undefined>;
  /** Called when an entry, or a page of them, has been processed. The next one is handed out afterwards. */
  write(marker: string): void | Promise<void>;
  /** Called when following ends. */
  close?(): void | Promise<void>;
};

/** Keeps the marker as long as the program runs. */
export class MemoryMarkerStore implements MarkerStore {
  marker: string | undefined;

  constructor(marker?: string) {
    this.marker = marker;
  }

  read(): string | undefined {
    return this.marker;
  }

  write(marker: string): void {
    this.marker = marker;
  }
}

/** A store that was opened for one loop: it is closed only by whoever has it. */
export type OpenMarkerStore = {
  /** The marker that it has. */
  saved: string | undefined;
  close(): Promise<void>;
};

/**
 * Opens a store. One that refuses is that of another loop, which goes on with it: nothing closes it then.
 *
 * @throws what `read` of the store throws
 */
export async function openStore(
  store: MarkerStore,
  connection: { baseUrl: string },
  feed: string,
): Promise<OpenMarkerStore> {
  const saved = await store.read({ service: connection.baseUrl, feed });
  return { saved, close: async () => store.close?.() };
}
