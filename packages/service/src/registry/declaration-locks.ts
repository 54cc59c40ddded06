// The locks of declarations by MRN, under which they are changed, and waiting for one without a session: one declaration
// that many change, or one that an upload changes, must not take the sessions of everybody.

import { Batch } from '../database/batch.js';
import { type Database, WRITE_SESSIONS } from '../database/database.js';
import { isLockTimeout } from '../database/errors.js';
import { Releases } from '../feed/releases.js';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  HeldError,
  HeldWork,
} from '../feed/transact-on-feeds.js';
import { lockDeclarations, lockInTurn, selectFreeDeclarations } from './declaration-queries.js';
import type { OtherKind } from './other-kind.js';

/** How long a change may wait for others of its declaration, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Changes of single declarations that may wait; each has a body of up to a megabyte. */
const MAX_QUEUED = 1000;

const releases = new WeakMap<Database, Releases<string>>();

/** Another transaction has locked a declaration. */
export class DeclarationHeldError extends HeldError {
  readonly mrn: string;

  constructor(mrn: string) {
    super(`another transaction has locked the declaration ${mrn}`);
    this.mrn = mrn;
  }

  override wait(database: Database): Promise<void> {
    let ofDatabase = releases.get(database);
    if (ofDatabase === undefined) {
      ofDatabase = new Releases(database.lookUps, selectFreeDeclarations);
      releases.set(database, ofDatabase);
    }
    return ofDatabase.wait(this.mrn);
  }
}

/**
 * Locks the declarations that exist until the end of the transaction. Other registrations of them wait.
 *
 * @param kind what they are; null for ENS, `MESSAGE` for any that is none
 * @returns a check that declarations that were read afterwards are locked: one that did not exist before is not, and the
 *   transaction is run again
 * @throws DeclarationHeldError if one is not free: the transaction ends, and is run again when it is
 */
export async function lockExisting(
  transaction: FeedTransaction,
  mrns: readonly string[],
  kind: OtherKind | 'MESSAGE' | null = null,
): Promise<(read: Iterable<string>) => void> {
  // A declaration that others change all the time is never seen free, so who has waited takes a turn.
  const { heldBefore } = transaction;
  if (heldBefore instanceof DeclarationHeldError) await takeTurn(transaction, heldBefore.mrn);
  const existing = await transaction.query(lockDeclarations(mrns, kind));
  const held = existing.find(({ locked }) => !locked);
  if (held !== undefined) throw new DeclarationHeldError(held.mrn);
  const locked = new Set(existing.map(({ mrn }) => mrn));
  return (read) => {
    for (const mrn of read) {
      if (!locked.has(mrn)) throw new ChangedMeanwhileError(`${mrn} was registered meanwhile`);
    }
  };
}

async function takeTurn(transaction: FeedTransaction, mrn: string): Promise<void> {
  try {
    await transaction.query(lockInTurn(mrn));
  } catch (error) {
    throw isLockTimeout(error) ? new DeclarationHeldError(mrn) : error;
  }
}

type Change = { mrn: string; attempt: () => Promise<true | HeldWork> };

/** Changes of single declarations on this server: those of one MRN run one after the other, in their order. */
export class DeclarationTurns {
  readonly #changes: Batch<Change, true>;

  /** @param options how many run at once, and the label under which they are measured */
  constructor(
    database: Database,
    {
      // One session is left to what else one request changes.
      maxInFlight = WRITE_SESSIONS - 1,
      measuredAs = 'declarations',
    }: { maxInFlight?: number; measuredAs?: string } = {},
  ) {
    this.#changes = new Batch<Change, true>(
      (changes) => Promise.all(changes.map(({ attempt }) => attempt())),
      {
        maxBatchSize: 1,
        maxInFlight,
        maxQueued: MAX_QUEUED,
        maxWaitMs: MAX_WAIT_MS,
        ownerOf: ({ mrn }) => mrn,
        oneInFlightPerOwner: true,
        measured: { by: database.batches, as: measuredAs },
      },
    );
  }

  /**
   * Runs an attempt to change a declaration, and again as often as it is postponed.
   *
   * @throws OverloadedError if it waits for too long, or too many wait
   */
  async run<Result>(mrn: string, attempt: () => Promise<Result | HeldWork>): Promise<Result> {
    const results: Result[] = [];
    await this.#changes.submit({
      mrn,
      attempt: async () => {
        const result = await attempt();
        if (result instanceof HeldWork) return result;
        results.push(result);
        return true;
      },
    });
    const [result] = results;
    // Safe cast: what was submitted has ended, so there is a result; it may be `undefined`.
    return result as Result;
  }
}
