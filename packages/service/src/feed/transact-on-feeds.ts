// Transactions that lock feeds. One that finds an organisation held, or a row that it needs, gives up its locks and its
// session, waits until that is free, and runs again.
import { setTimeout as delay } from 'node:timers/promises';
import { Postponed } from '../database/batch.js';
import type { Database, Lane, Statement, Transaction } from '../database/database.js';
import { isLockTimeout, isRetryable, OverloadedError } from '../database/errors.js';
import { type LockedRow, lockFeeds } from './lock-queries.js';
import { LOCK_TIMEOUT_MS, releasesOf, TURN_TIMEOUT_MS } from './organisation-locks.js';
import { type Turn, turnsOf } from './organisation-turns.js';

/** How often a transaction that failed because of a concurrent one is run again before its error is reported. */
const MAX_RETRIES = 20;

/** How long a transaction waits for what others have locked, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** After how long it runs again if it is not known what held it up, in milliseconds. */
const UNKNOWN_WAIT_MS = 200;

type ToLock = readonly number[] | ((waitMs: number) => Statement<LockedRow>);

/** A transaction that may lock feeds. Only the functions of this file make one, because only they know what to do if a feed is held. */
export type FeedTransaction = Transaction & {
  /**
   * Locks the feeds of organisations until the end of the transaction.
   *
   * @param organisations their numbers, or makes a statement that finds and locks them (`lock_in_order`), of which each
   *   is waited for so many milliseconds
   * @returns those that are locked: all of them, because otherwise the transaction ends here
   */
  lock(organisations: ToLock): Promise<readonly number[]>;
  /** What was held when the same work was tried before. */
  readonly heldBefore: HeldError | undefined;
  /** What was found out when the same work was tried before. Its organisations are locked with the others. */
  readonly foundBefore: ReadonlyMap<unknown, Found> | undefined;
  /** The organisations that are locked. */
  readonly locked: ReadonlySet<number>;
  /** Says what was appended to feeds, as `append_to_feeds` gives it: whoever reads them is woken after the commit. */
  noteAppended(appended: string | null): void;
};

/** What a transaction has found out only after it took its locks: ids, and the organisations that have to be locked as well. */
export type Found = {
  ids: readonly string[];
  organisations: readonly number[];
  /** Whether there are so many that the work must not add one. */
  isTooMany?: boolean;
};

/** What was read before the locks were taken has changed: the transaction is rolled back and run again. */
export class ChangedMeanwhileError extends Error {
  readonly code = 'CHANGED_MEANWHILE';
  override name = 'ChangedMeanwhileError';
}

/**
 * Only after the locks were taken, it was found out whose feeds are needed as well: the transaction is rolled back and run again,
 * and knows it from the beginning.
 */
export class FoundMeanwhileError extends ChangedMeanwhileError {
  override name = 'FoundMeanwhileError';
  readonly found: ReadonlyMap<unknown, Found>;

  /** @param found by what it was found out about: something that is the same in every attempt */
  constructor(found: ReadonlyMap<unknown, Found>) {
    super('other organisations are affected');
    this.found = found;
  }
}

/** Another transaction holds what this one needs: it is rolled back, and run again when that is free. */
export abstract class HeldError extends Error {
  override name = 'HeldError';
  /** Which entries of a block need what is held, by their indexes, if it is known. */
  held: ReadonlySet<number> | undefined;

  /** Resolves when it may be free. Uses no session of a transaction. */
  abstract wait(database: Database): Promise<void>;
}

/** Another transaction holds the lock of an organisation. */
export class OrganisationHeldError extends HeldError {
  readonly organisation: number;

  constructor(organisation: number) {
    super(`another transaction holds the lock of organisation ${organisation}`);
    this.organisation = organisation;
  }

  override wait(database: Database): Promise<void> {
    return releasesOf(database).wait(this.organisation);
  }
}

/** What the work needs was held for too long. */
export class HeldTooLongError extends OverloadedError {
  /** The indexes of the entries that need it, if it is known. */
  readonly held: ReadonlySet<number> | undefined;

  constructor(held: ReadonlySet<number> | undefined) {
    super('another transaction has held what this one needs for too long');
    this.held = held;
  }
}

/** Nothing was done, because something is held. */
export class HeldWork extends Postponed {
  readonly held: ReadonlySet<number> | undefined;

  constructor(until: Promise<void>, held?: ReadonlySet<number>) {
    super(until);
    this.held = held;
  }
}

/**
 * Runs the work in one transaction, and again if a concurrent transaction was in the way.
 *
 * @param maxWaitMs for how long it waits for what is held
 * @throws HeldTooLongError
 */
export async function transactOnFeeds<Result>(
  database: Database,
  work: (transaction: FeedTransaction) => Promise<Result>,
  lane?: Lane,
  maxWaitMs = MAX_WAIT_MS,
): Promise<Result> {
  const waitsUntil = performance.now() + maxWaitMs;
  const attempts = {};
  for (;;) {
    const result = await tryOnFeeds(database, work, { lane, attempts });
    if (!(result instanceof HeldWork)) return result;
    if (performance.now() >= waitsUntil) throw new HeldTooLongError(result.held);
    await result.until;
  }
}

/** What work has waited for, by what identifies its attempts. */
const heldBefore = new WeakMap<object, HeldError>();

/** What work has found out, by what identifies its attempts. */
const foundBefore = new WeakMap<object, ReadonlyMap<unknown, Found>>();

const listeners = new WeakMap<Database, Set<(appended: string) => void>>();

/** Calls the listener with what transactions of this server have noted as appended, after their commits. */
export function onAppended(database: Database, listener: (appended: string) => void): () => void {
  const ofDatabase = listeners.get(database) ?? new Set();
  listeners.set(database, ofDatabase.add(listener));
  return () => void ofDatabase.delete(listener);
}

/**
 * The same, but does not wait for what is held: nothing was done then.
 *
 * @param options `attempts`: identifies the work. When it is tried again, it takes its turn for what was held
 */
export async function tryOnFeeds<Result>(
  database: Database,
  work: (transaction: FeedTransaction) => Promise<Result>,
  { lane, attempts }: { lane?: Lane | undefined; attempts: object },
): Promise<Result | HeldWork> {
  const before = heldBefore.get(attempts);
  const turns = turnsOf(database);
  let organisation: number | undefined;
  let turn: Turn | undefined;
  if (before instanceof OrganisationHeldError) {
    organisation = before.organisation;
    const taken = turns.take(organisation);
    if (!('end' in taken)) {
      const free = before.wait(database);
      const until = taken.ended === undefined ? free : Promise.race([free, taken.ended]);
      return new HeldWork(until, before.held);
    }
    turn = taken;
  }
  let isInVain = false;
  try {
    for (let retries = 0; ; retries++) {
      try {
        const waitMs = turns.triesOnly ? 0 : LOCK_TIMEOUT_MS;
        const appended: string[] = [];
        const result = await database.transact((transaction) => {
          appended.length = 0;
          const found = foundBefore.get(attempts);
          return work(withLocks(transaction, { before, found, waitMs, appended }));
        }, lane);
        for (const listener of appended.length > 0 ? (listeners.get(database) ?? []) : []) {
          for (const text of appended) listener(text);
        }
        return result;
      } catch (error) {
        if (error instanceof FoundMeanwhileError) {
          foundBefore.set(
            attempts,
            new Map([...(foundBefore.get(attempts) ?? []), ...error.found]),
          );
        }
        if (error instanceof HeldError) {
          heldBefore.set(attempts, error);
          if (error instanceof OrganisationHeldError) {
            turns.noteHeld();
            isInVain = error.organisation === organisation;
          }
          return new HeldWork(error.wait(database), error.held);
        }
        if (isLockTimeout(error)) return new HeldWork(delay(UNKNOWN_WAIT_MS));
        const canRetry = isRetryable(error) || error instanceof ChangedMeanwhileError;
        if (!canRetry || retries >= MAX_RETRIES) throw error;
      }
    }
  } finally {
    turn?.end(isInVain);
  }
}

/** What the attempts before this one have left, and where it notes what it appends. */
type Attempt = {
  before: HeldError | undefined;
  found: ReadonlyMap<unknown, Found> | undefined;
  waitMs: number;
  appended: string[];
};

function withLocks(
  transaction: Transaction,
  { before, found, waitMs, appended }: Attempt,
): FeedTransaction {
  const allLocked = new Set<number>();
  const also = [...(found?.values() ?? [])].flatMap(({ organisations }) => organisations);
  let turn = before instanceof OrganisationHeldError ? before.organisation : undefined;
  const lock = async (organisations: ToLock) => {
    if (turn !== undefined) await transaction.query(lockFeeds([turn], TURN_TIMEOUT_MS));
    turn = undefined;
    const statement =
      typeof organisations === 'function'
        ? organisations(waitMs)
        : lockFeeds([...organisations, ...also], waitMs);
    const [row] = await transaction.query(statement);
    const locked = new Set(row?.locked);
    const missing = row?.organisations.find((organisation) => !locked.has(organisation));
    if (missing !== undefined) throw new OrganisationHeldError(missing);
    for (const organisation of locked) allLocked.add(organisation);
    return [...locked];
  };
  const noteAppended = (text: string | null) => {
    if (text !== null) appended.push(text);
  };
  return {
    ...transaction,
    lock,
    heldBefore: before,
    foundBefore: found,
    locked: allLocked,
    noteAppended,
  };
}
