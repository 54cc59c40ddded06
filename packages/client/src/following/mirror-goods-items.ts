// Keeps a copy of the current goods items: reads them, then applies every change (decision 0040 of the service).
import type { Connection } from '../connection/connection.js';
import { noticeRepetition } from '../connection/repetition.js';
import { unexpected } from '../connection/result-form.js';
import type { ShownGoodsItem, ShownGoodsItemMessage } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { MarkerExpiredError } from '../errors/marker-expired-error.js';
import { listCurrentGoodsItems } from '../operations/operations.js';
import { isObject } from '../tokens/platform-keys.js';
import { goodsItemFeed } from './feed.js';
import { type FollowOptions, receivingOptions } from './follow-options.js';
import { type MarkerStore, MemoryMarkerStore, openStore } from './marker-store.js';
import { receiveEntries } from './receive-entries.js';

/** What identifies a goods item. */
export type GoodsItemKey = Pick<ShownGoodsItem, 'DeclarationIdentification' | 'GoodsItemNumber'>;

/** Where the copy is kept. Each call may come again after a crash, with the same effect. */
export type GoodsItemTarget = {
  /** Removes all items. The current ones follow. */
  clear(): void | Promise<void>;
  /** Adds the item of `message.data`, or replaces the one with its key. Keep `message.metadata.eventId` with it. */
  put(item: ShownGoodsItem, message: ShownGoodsItemMessage): void | Promise<void>;
  /** Removes the item with this key, if there is one. */
  remove(key: GoodsItemKey, message: ShownGoodsItemMessage): void | Promise<void>;
  /** Removes the item that was put with this eventId, if it has not been replaced since. */
  removeAddedBy(eventId: string, message: ShownGoodsItemMessage): void | Promise<void>;
};

/** Options of a mirror: it has no marker of its own to start from. */
export type MirrorOptions = Omit<FollowOptions, 'marker' | 'since'> & {
  /**
   * Whether the mirror clears the target and starts again when the service does not know its marker, as after a database
   * was restored to an earlier time; otherwise it throws. Default: true.
   */
  startsAgain?: boolean | undefined;
  /** Is called before the target is cleared, with why: the marker has expired, or the service does not know it. */
  onStartAgain?: ((reason: 'MARKER_EXPIRED' | 'UNKNOWN_MARKER') => void) | undefined;
};

/** In the store: the page of current items to continue with. What has no such prefix is a marker of the stream. */
const PAGE_PREFIX = 'page:';

/** A marker that expires so soon after the service gave it would do so again, in milliseconds. */
const NEW_MARKER_MS = 60_000;

/** Pages are requested for as long as it takes. */
const WITHOUT_LIMIT = {
  maxAttempts: Number.POSITIVE_INFINITY,
  maxElapsedMs: Number.POSITIVE_INFINITY,
};

/**
 * Copies the current goods items into the target and keeps the copy up to date until the signal aborts. With the store of
 * an earlier run it continues where that ended. If it ended too long ago, or the service does not know its marker any more,
 * it clears the target and starts again.
 *
 * @throws what a call of the target or of the store throws, and what `followGoodsItems` throws; ApiError with
 *   `UNKNOWN_MARKER` if `startsAgain` is false
 * @example
 * await mirrorGoodsItems(landfall, target, { store: new FileMarkerStore('items.marker') });
 */
export async function mirrorGoodsItems(
  connection: Connection,
  target: GoodsItemTarget,
  {
    store = new MemoryMarkerStore(),
    startsAgain = true,
    onStartAgain,
    ...options
  }: MirrorOptions = {},
): Promise<void> {
  const { signal } = options;
  const opened = await openStore(store, connection, 'mirrorGoodsItems');
  let { saved } = opened;
  try {
    /** When the current items were all copied by this run, until the service has taken the marker after them. */
    let copiedAt: number | undefined;
    /** Whether the service has responded to this run: what may pass does not end it any more. */
    let isConnected = false;
    const save = async (marker: string) => {
      await store.write(marker);
      copiedAt = undefined;
    };
    const onStateChange: FollowOptions['onStateChange'] = (state) => {
      // All that came after the marker has been read, if anything.
      if (state.state === 'live') copiedAt = undefined;
      options.onStateChange?.(state);
    };
    while (!signal?.aborted) {
      try {
        let marker = saved;
        if (!isMarker(saved)) {
          marker = await copyCurrentItems(connection, target, store, saved, {
            isConnected,
            signal,
          });
          isConnected = true;
          // What an earlier run began to copy may be from before the database was restored.
          copiedAt = saved?.slice(PAGE_PREFIX.length) ? undefined : performance.now();
        }
        await applyChanges(connection, target, save, marker, {
          ...receivingOptions({ ...options, onStateChange }),
          isConnected,
        });
      } catch (error) {
        if (signal?.aborted && error === signal.reason) return;
        const reason = reasonToStartAgain(error);
        if (reason === undefined) throw error;
        if (reason === 'UNKNOWN_MARKER' && !startsAgain) throw error;
        // A service that does not know what it has just given would be read, and the target cleared, again and again.
        const isNew = copiedAt !== undefined && performance.now() - copiedAt < NEW_MARKER_MS;
        if (isNew || (reason === 'UNKNOWN_MARKER' && copiedAt !== undefined)) throw error;
        isConnected = true;
        onStartAgain?.(reason);
        saved = PAGE_PREFIX;
        await store.write(saved);
      }
    }
  } finally {
    await opened.close();
  }
}

function reasonToStartAgain(error: unknown): 'MARKER_EXPIRED' | 'UNKNOWN_MARKER' | undefined {
  if (error instanceof MarkerExpiredError) return 'MARKER_EXPIRED';
  return error instanceof ApiError && error.has('UNKNOWN_MARKER') ? 'UNKNOWN_MARKER' : undefined;
}

function isMarker(saved: string | undefined): boolean {
  return saved !== undefined && !saved.startsWith(PAGE_PREFIX);
}

/** Copies what is left of the current items; returns the marker from which the changes follow. */
async function copyCurrentItems(
  connection: Connection,
  target: GoodsItemTarget,
  store: MarkerStore,
  saved: string | undefined,
  { isConnected, signal }: { isConnected: boolean; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const notice = noticeRepetition(listCurrentGoodsItems);
  let page: string | undefined = saved?.slice(PAGE_PREFIX.length);
  if (!page) await target.clear();
  for (let isFirst = true; ; isFirst = false) {
    notice(page ?? '');
    const query = page ? { page } : {};
    const retry = isFirst && !isConnected ? {} : WITHOUT_LIMIT;
    const { entries, next, marker } = await connection.call(
      listCurrentGoodsItems,
      { query },
      { signal, retry },
    );
    for (const message of entries) await apply(target, message);
    page = next?.page;
    if (page === undefined) {
      if (marker !== undefined) await store.write(marker);
      return marker;
    }
    await store.write(`${PAGE_PREFIX}${page}`);
  }
}

async function applyChanges(
  connection: Connection,
  target: GoodsItemTarget,
  save: (marker: string) => Promise<void>,
  marker: string | undefined,
  options: Parameters<typeof receiveEntries>[3],
): Promise<void> {
  const batches = receiveEntries(connection, goodsItemFeed, { marker }, options);
  for await (const messages of batches) {
    for (const message of messages) await apply(target, message);
    const last = messages.at(-1);
    if (last !== undefined) await save(goodsItemFeed.markerOf(last));
  }
}

async function apply(target: GoodsItemTarget, message: ShownGoodsItemMessage): Promise<void> {
  const { metadata, data } = message;
  // The target has been cleared before it: what is no message changes nothing.
  if (!metadata?.eventType || (data !== undefined && !isObject(data?.GoodsItem))) {
    throw unexpected(goodsItemFeed.operation.operationId, 'has what is no message');
  }
  if (metadata.eventType !== 'ITEM_REMOVED') {
    if (data !== undefined) await target.put(data.GoodsItem, message);
  } else if (data !== undefined) await target.remove(data.GoodsItem, message);
  else if (metadata.relatedEventId !== undefined) {
    await target.removeAddedBy(metadata.relatedEventId, message);
  }
}
