// Sends many requests, several at a time, and resumes from a journal after a crash.
import type { Connection } from '../connection/connection.js';
import type { MovementStatus, ValidationError } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { OutcomeUnknownError } from '../errors/outcome-unknown-error.js';
import { isTemporary } from '../http/retry.js';
import type { Journal, JournalEntry } from './journal.js';
import { mapConcurrently, type Source } from './map-concurrently.js';
import { refuseUsed } from './refuse-used.js';
import { retryRefused } from './retry-refused.js';
import { sendNew } from './send-settled.js';
import { isRefusal, SETTLE_WITHIN_MS, settle } from './settle.js';
import {
  isNew,
  type MayHaveRequestId,
  type SettledRequest,
  type SettleOptions,
} from './settled-request.js';

/** A service that leaves the outcomes of so many items in a row unknown has a fault that is not one of the items. */
const MAX_UNKNOWN_IN_A_ROW = 3;

/** How many requests are in progress by default. */
const CONCURRENCY = 16;

const NO_JOURNAL: Journal = {
  read: async () => undefined,
  write: async () => undefined,
};

/** Options of sending many. */
export type SendManyOptions<Item> = SettleOptions & {
  /** How many requests are in progress at a time; default 16. */
  concurrency?: number | undefined;
  /** Keeps requestIds and outcomes. Without it, every item is sent anew. */
  journal?: Journal | undefined;
  /**
   * Identifies an item in the journal, the same in each run. Default: a digest of its content without the requestId, so
   * equal items are sent once.
   */
  keyOf?: ((item: Item) => string) | undefined;
  /** Whether what an earlier run was refused is sent again, with a new requestId; default false. */
  retryRefused?: boolean | undefined;
};

/** What the service made of an item. */
export type Ending = {
  outcome: 'presented' | 'lodged' | 'refused';
  errors: readonly ValidationError[];
  status?: MovementStatus | undefined;
};

/** What became of an item: what the service made of it, or why it is not known. */
export type Sent<Item> = Omit<Ending, 'outcome'> & {
  item: Item;
  index: number;
  key: string;
  requestId: string;
  outcome: Ending['outcome'] | 'failed';
  error: ApiError | OutcomeUnknownError | undefined;
  isFromJournal: boolean;
};

/** How one kind of items is sent. */
export type Sending<Item, Outcome> = {
  /** The content of an item for its digest; kinds of items that are sent to different addresses differ in it. */
  digestOf(item: Item): Promise<string>;
  makeRequest(item: Item, requestId: string): SettledRequest<Outcome>;
  endingOf(outcome: Outcome): Ending;
};

/** Sends the items of a source. See `presentMany`. */
export function sendMany<Item extends MayHaveRequestId, Outcome>(
  connection: Connection,
  sending: Sending<Item, Outcome>,
  source: Source<Item>,
  options: SendManyOptions<Item>,
): AsyncGenerator<Sent<Item>, void, undefined> {
  const { concurrency = CONCURRENCY, keyOf, ...given } = options;
  if (!(concurrency >= 1)) throw new ConfigurationError('concurrency must be at least 1');
  const retry = given.retry !== false && {
    maxAttempts: Number.POSITIVE_INFINITY,
    maxElapsedMs: given.settleWithinMs ?? SETTLE_WITHIN_MS,
    ...given.retry,
  };
  const kept = given.journal ?? NO_JOURNAL;
  const journal = given.retryRefused ? retryRefused(kept) : kept;
  const inProgress = new Map<string, Promise<unknown>>();
  let unknownInARow = 0;

  return mapConcurrently(
    source,
    concurrency,
    async (item, index, signal) => {
      const digest = await sending.digestOf(item);
      const key = keyOf?.(item) ?? digest;
      // Of two items with one key, the second has the outcome of the first.
      while (inProgress.has(key)) await inProgress.get(key);
      const itemOptions: SettleOptions = { ...given, retry, signal };
      const work = sendInJournal(connection, sending, journal, item, { key, digest }, itemOptions);
      const ended = work.catch(() => undefined).finally(() => inProgress.delete(key));
      inProgress.set(key, ended);
      const result = await work;
      unknownInARow = result.error instanceof OutcomeUnknownError ? unknownInARow + 1 : 0;
      if (unknownInARow >= MAX_UNKNOWN_IN_A_ROW) throw result.error;
      return { item, index, key, ...result };
    },
    options.signal,
  );
}

/** Sends an item unless the journal has its outcome. */
async function sendInJournal<Item extends MayHaveRequestId, Outcome>(
  connection: Connection,
  sending: Sending<Item, Outcome>,
  journal: Journal,
  item: Item,
  { key, digest }: Pick<JournalEntry, 'key' | 'digest'>,
  options: SettleOptions,
): Promise<Omit<Sent<Item>, 'item' | 'index' | 'key'>> {
  const known = await journal.read(key);
  const isSame = known?.digest === digest;
  // What was refused may be corrected under the same key.
  if (known !== undefined && !isSame && known.outcome !== 'refused') {
    throw new ConfigurationError(`the journal has something else with the key ${key}`);
  }
  if (isSame && known.outcome !== undefined) {
    const { requestId, outcome, errors = [], status } = known;
    const ending = { outcome, errors, ...(status && { status }) };
    return { requestId, ...ending, error: undefined, isFromJournal: true };
  }

  const requestId = isSame ? known.requestId : (item.requestId ?? crypto.randomUUID());
  const request = sending.makeRequest(item, requestId);
  const entry = { key, digest, requestId };
  const result = { requestId, error: undefined, isFromJournal: false };
  const end = async (ending: Ending) => {
    const { errors, ...kept } = ending;
    await journal.write({ ...entry, ...kept, ...(kept.outcome === 'refused' && { errors }) });
    return { ...result, ...ending };
  };
  try {
    let outcome: Outcome;
    if (isSame) outcome = await settle(connection, request, options);
    else {
      // Before it is in the journal: what is there without an outcome was sent by this list alone.
      if (!isNew(item, options)) await refuseUsed(request, options);
      await journal.write(entry);
      outcome = await sendNew(connection, request, options);
    }
    return await end(sending.endingOf(outcome));
  } catch (error) {
    if (isRefusal(error)) return end({ outcome: 'refused', errors: error.validationErrors });
    if (isOfItem(error)) return { ...result, outcome: 'failed', errors: [], error };
    throw error;
  }
}

/** Whether an error concerns one item; what concerns all would only be repeated for each. */
function isOfItem(error: unknown): error is ApiError | OutcomeUnknownError {
  if (error instanceof OutcomeUnknownError) return isOfItem(error.cause);
  return error instanceof ApiError && error.status !== 401 && !isTemporary(error);
}
