// Presents many consignments, several at a time, and resumes after a crash.
import type { Connection } from '../connection/connection.js';
import type { ValidationError } from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { digestOf } from './digest.js';
import type { JournalEntry, PresentationJournal } from './journal.js';
import { mapConcurrently, type Source } from './map-concurrently.js';
import { sendOnce, settlePresentation } from './present.js';
import { operationOf, type Presentation, type PresentOptions } from './presentation.js';
import { isRefusal, SETTLE_WITHIN_MS } from './settle.js';

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
};

/** The outcome of an item. */
export type PresentationOutcome<Item extends Presentation> = {
  item: Item;
  /** Its index in the source, from 0. Outcomes are yielded as they become known, not in this order. */
  index: number;
  key: string;
  requestId: string;
  outcome: 'presented' | 'refused';
  /** Why it was refused; empty if it was presented. */
  errors: readonly ValidationError[];
  /** Whether the journal already had the outcome, so that nothing was sent. */
  isFromJournal: boolean;
};

/**
 * Presents the items of a source. No item is taken from it before one of those in progress is done and its outcome has
 * been read.
 *
 * The requestId of an item is in the journal before it is sent, its outcome before it is yielded. When it is called
 * again with the same journal and source, items with an outcome are reported and not sent, and those without are
 * settled by their requestId.
 *
 * A failure that is no refusal ends the run: no token, or a service that is away for longer than `settleWithinMs`. Those
 * in progress are completed and reported first. Call it again with the same journal to resume.
 *
 * @throws what `present` throws, except refusals; what the source and the journal throw
 * @throws ConfigurationError when an item has the key of another one
 * @example
 * const journal = await FileJournal.open('presentations.ndjson');
 * for await (const { item, outcome, errors } of presentMany(connection, parcels, { journal })) {
 *   if (outcome === 'refused') report(item, errors);
 * }
 */
export function presentMany<Item extends Presentation>(
  connection: Connection,
  source: Source<Item>,
  options: PresentManyOptions<Item> = {},
): AsyncGenerator<PresentationOutcome<Item>, void, undefined> {
  const { concurrency = CONCURRENCY, journal = NO_JOURNAL, keyOf, ...given } = options;
  if (!(concurrency >= 1)) throw new ConfigurationError('concurrency must be at least 1');
  const retry = given.retry !== false && {
    maxAttempts: Number.POSITIVE_INFINITY,
    maxElapsedMs: given.settleWithinMs ?? SETTLE_WITHIN_MS,
    ...given.retry,
  };
  const presentOptions: PresentOptions = { ...given, retry };
  const inProgress = new Map<string, Promise<unknown>>();

  return mapConcurrently(
    source,
    concurrency,
    async (item, index, signal) => {
      const digest = await digestOf(item);
      const key = keyOf?.(item) ?? digest;
      // Of two items with one key, the second has the outcome of the first.
      while (inProgress.has(key)) await inProgress.get(key);
      const itemOptions = { ...presentOptions, signal };
      const work = presentInJournal(connection, journal, item, { key, digest }, itemOptions);
      const ended = work.catch(() => undefined).finally(() => inProgress.delete(key));
      inProgress.set(key, ended);
      return { item, index, key, ...(await work) };
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
): Promise<
  Pick<PresentationOutcome<Presentation>, 'requestId' | 'outcome' | 'errors' | 'isFromJournal'>
> {
  const known = await journal.read(key);
  const isSame = known?.digest === digest;
  // What was refused may be corrected under the same key.
  if (known !== undefined && !isSame && known.outcome !== 'refused') {
    throw new ConfigurationError(`the journal has another presentation with the key ${key}`);
  }
  if (isSame && known.outcome !== undefined) {
    const { requestId, outcome, errors = [] } = known;
    return { requestId, outcome, errors, isFromJournal: true };
  }

  const isNew = item.requestId === undefined;
  const requestId = isSame ? known.requestId : (item.requestId ?? crypto.randomUUID());
  const entry = { key, digest, requestId };
  if (!isSame) await journal.write(entry);
  const call = isSame
    ? settlePresentation(connection, requestId, item, options)
    : sendOnce(connection, operationOf(item), { ...item, requestId }, isNew, options);
  try {
    await call;
    await journal.write({ ...entry, outcome: 'presented' });
    return { requestId, outcome: 'presented', errors: [], isFromJournal: false };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const errors = error.validationErrors;
    await journal.write({ ...entry, outcome: 'refused', errors });
    return { requestId, outcome: 'refused', errors, isFromJournal: false };
  }
}
