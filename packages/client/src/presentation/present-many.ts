// Presents many consignments, several at a time, and resumes after a crash.
import type { Connection } from '../connection/connection.js';
import type { ValidationError } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { PresentationUnknownError } from '../errors/presentation-unknown-error.js';
import { isTemporary } from '../http/retry.js';
import { digestOf } from './digest.js';
import type { JournalEntry, PresentationJournal } from './journal.js';
import { mapConcurrently, type Source } from './map-concurrently.js';
import { isNew, sendNew } from './present.js';
import { operationOf, type Presentation, type PresentOptions } from './presentation.js';
import { refuseUsed } from './read-outcome.js';
import { retryRefused } from './retry-refused.js';
import { isRefusal, SETTLE_WITHIN_MS, settle } from './settle.js';

/** A service that leaves the outcomes of so many items in a row unknown has a fault that is not one of the items. */
const MAX_UNKNOWN_IN_A_ROW = 3;

/** How many presentations are in progress by default. */
const CONCURRENCY = 16;

const NO_JOURNAL: PresentationJournal = {
  read: async () => undefined,
  write: async () => undefined,
};

/** Options of presenting many. */
export type PresentManyOptions<Item extends Presentation> = PresentOptions & {
  /** How many presentations are in progress at a time; default 16. */
  concurrency?: number | undefined;
  /** Keeps requestIds and outcomes. Without it, every item is presented anew. */
  journal?: PresentationJournal | undefined;
  /**
   * Identifies an item in the journal, the same in each run. Default: a digest of its content without the requestId, so
   * equal items are presented once.
   */
  keyOf?: ((item: Item) => string) | undefined;
  /** Whether what an earlier run was refused is presented again, with a new requestId; default false. */
  retryRefused?: boolean | undefined;
};

/** The outcome of an item. */
export type PresentationOutcome<Item extends Presentation> = {
  item: Item;
  /** Its index in the source, from 0. Outcomes are yielded as they become known, not in this order. */
  index: number;
  key: string;
  /** It was in the journal before it was sent. */
  requestId: string;
  /** `failed`: something else than a rule of presenting stands in the way of this item; the journal has no outcome. */
  outcome: 'presented' | 'refused' | 'failed';
  /** Why it was refused; otherwise empty. */
  errors: readonly ValidationError[];
  /**
   * Why it failed. ApiError: not presented, because the service or something before it took no such request (such as 403,
   * 413 or a firewall's 400). PresentationUnknownError: it is not known.
   */
  error: ApiError | PresentationUnknownError | undefined;
  /** Whether the journal already had the outcome, so that nothing was sent. */
  isFromJournal: boolean;
};

/**
 * Presents the items of a source. No item is taken from it before one of those in progress is done and its outcome has
 * been read.
 *
 * The requestId of an item is in the journal before it is sent, its outcome before it is yielded. When it is called
 * again with the same journal and source, items with an outcome are reported and not sent, and those without are
 * settled by their requestId. To know all requestIds before, give each item one, with `isNew: true`.
 *
 * An item that fails does not end the run. What concerns all items does: no token (also a 401), or a service that is away
 * for longer than `settleWithinMs`, or leaves the outcomes of three items in a row unknown. Those in progress are completed and reported first. Call it again with the same
 * journal to resume.
 *
 * @throws what `present` throws, except what is an outcome; what the source and the journal throw
 * @throws ConfigurationError when an item has the key of another one
 * @example
 * const journal = await FileJournal.open('presentations.ndjson');
 * for await (const { item, outcome, errors, error } of presentMany(connection, parcels, { journal })) {
 *   if (outcome === 'refused') report(item, errors);
 *   if (outcome === 'failed') retryLater(item, error);
 * }
 */
export function presentMany<Item extends Presentation>(
  connection: Connection,
  source: Source<Item>,
  options: PresentManyOptions<Item> = {},
): AsyncGenerator<PresentationOutcome<Item>, void, undefined> {
  const { concurrency = CONCURRENCY, keyOf, ...given } = options;
  if (!(concurrency >= 1)) throw new ConfigurationError('concurrency must be at least 1');
  const retry = given.retry !== false && {
    maxAttempts: Number.POSITIVE_INFINITY,
    maxElapsedMs: given.settleWithinMs ?? SETTLE_WITHIN_MS,
    ...given.retry,
  };
  const presentOptions: PresentOptions = { ...given, retry };
  const kept = given.journal ?? NO_JOURNAL;
  const journal = given.retryRefused ? retryRefused(kept) : kept;
  const inProgress = new Map<string, Promise<unknown>>();
  let unknownInARow = 0;

  return mapConcurrently(
    source,
    concurrency,
    async (item, index, signal) => {
      const digest = await digestOf(item);
      const key = keyOf?.(item) ?? digest;
      // Of two items with one key, the second has the outcome of the first.
      while (inProgress.has(key)) await inProgress.get(key);
      const itemOptions = { ...presentOptions, signal };
      const entry = { key, digest };
      const work = presentInJournal(connection, journal, item, entry, itemOptions);
      const ended = work.catch(() => undefined).finally(() => inProgress.delete(key));
      inProgress.set(key, ended);
      const result = await work;
      unknownInARow = result.error instanceof PresentationUnknownError ? unknownInARow + 1 : 0;
      if (unknownInARow >= MAX_UNKNOWN_IN_A_ROW) throw result.error;
      return { item, index, key, ...result };
    },
    options.signal,
  );
}

/** Presents an item unless the journal has its outcome. */
async function presentInJournal(
  connection: Connection,
  journal: PresentationJournal,
  item: Presentation,
  { key, digest }: Pick<JournalEntry, 'key' | 'digest'>,
  options: PresentOptions,
): Promise<Omit<PresentationOutcome<Presentation>, 'item' | 'index' | 'key'>> {
  const known = await journal.read(key);
  const isSame = known?.digest === digest;
  // What was refused may be corrected under the same key.
  if (known !== undefined && !isSame && known.outcome !== 'refused') {
    throw new ConfigurationError(`the journal has another presentation with the key ${key}`);
  }
  if (isSame && known.outcome !== undefined) {
    const { requestId, outcome, errors = [] } = known;
    return { requestId, outcome, errors, error: undefined, isFromJournal: true };
  }

  const requestId = isSame ? known.requestId : (item.requestId ?? crypto.randomUUID());
  const entry = { key, digest, requestId };
  const operation = operationOf(item);
  const body = { ...item, requestId };
  const result = { requestId, errors: [], error: undefined, isFromJournal: false };
  try {
    if (isSame) await settle(connection, operation, body, options);
    else {
      // Before it is in the journal: what is there without an outcome was sent by this list alone.
      if (!isNew(item, options)) await refuseUsed(connection, operation, requestId, options);
      await journal.write(entry);
      await sendNew(connection, operation, body, options);
    }
    await journal.write({ ...entry, outcome: 'presented' });
    return { ...result, outcome: 'presented' };
  } catch (error) {
    if (isRefusal(error)) {
      const errors = error.validationErrors;
      await journal.write({ ...entry, outcome: 'refused', errors });
      return { ...result, outcome: 'refused', errors };
    }
    if (isOfItem(error)) return { ...result, outcome: 'failed', error };
    throw error;
  }
}

/** Whether an error concerns one item; what concerns all would only be repeated for each. */
function isOfItem(error: unknown): error is ApiError | PresentationUnknownError {
  if (error instanceof PresentationUnknownError) return isOfItem(error.cause);
  return error instanceof ApiError && error.status !== 401 && !isTemporary(error);
}
