// Changes one message in a transaction of its own: requests about one MRN are carried out one after the other.
import {
  type MovementLevel,
  type MovementSubject,
  movementLevelCodes,
  type ValidationError,
} from '@landfall/contract';
import type { Lane } from '../database/database.js';
import { type FeedTransaction, tryOnFeeds } from '../feed/transact-on-feeds.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { type DeclarationTurns, lockExisting } from '../registry/declaration-locks.js';
import type { Registry } from '../registry/register.js';
import { type ExistingMovement, selectExisting } from './changing-queries.js';
import type { Recorded } from './lodge-movement.js';
import { beginRecording } from './lodging-queries.js';
import type { MovementRequest } from './movement-request.js';
import { type DecidedRequest, recordRequests } from './record-requests.js';
import type { MovementOutcome } from './status-entry.js';
import { kindOfLevel } from './store-lodged.js';

/** What changing needs. */
export type ChangeContext = Registry & {
  watch: FeedWatch;
  turns: DeclarationTurns;
  /** Is called with presented goods that can be decided now; resolves when they are. */
  notePresented: (houses: readonly string[]) => Promise<void>;
  /** The time of a clock that may have been moved; without it, the database's. */
  movedClock: (() => Date) | undefined;
};

/** What became of the message, or every rule that the change breaks. */
export type ChangeOutcome =
  | {
      reasons: readonly string[];
      text?: string;
      /** House consignments that are presented and complete now, and that nobody has decided. */
      undecided?: readonly string[];
      /** What was appended beside the status, for those who wait. */
      appended?: string;
    }
  | { errors: readonly ValidationError[] };

/** What a change may be about: a message, or the arrival of a transport. */
type ChangedSubject = Exclude<MovementSubject, 'relation'>;

/** A change of one message. */
export type MovementChange = {
  request: MovementRequest<ChangedSubject>;
  operation: MovementOutcome['operation'];
  mrn: string;
  /** Organisations that are parties to its goods after the change, beside those of before. */
  parties: readonly number[];
  /** Through which sessions it goes; default: those of small changes. */
  lane?: Lane;
  /** Why the authority does it, on its own behalf: the parties of the message are told what it did, and not what it was refused. */
  reason?: string;
  /** Whether the caller may do it; default: whoever has lodged the message, and its representative. */
  mayAct?(existing: ExistingMovement, organisation: number): boolean;
  /** Further organisations whose feeds are locked. */
  findAffected?(
    transaction: FeedTransaction,
    existing: ExistingMovement,
  ): Promise<readonly number[]>;
  /**
   * Carries the change out, with the message and the feeds of its parties, which are `locked`. What it throws ends the change,
   * and nothing is recorded.
   */
  apply(
    transaction: FeedTransaction,
    existing: ExistingMovement,
    at: Date,
    locked: readonly number[],
  ): Promise<ChangeOutcome>;
};

/**
 * Carries out a change and records its status.
 *
 * @returns `undefined` if the message is unknown, of another level or mode, or not the caller's: nothing is recorded then
 */
export async function changeMovement(
  { database, turns, watch, movedClock, notePresented }: ChangeContext,
  change: MovementChange,
): Promise<Recorded | undefined> {
  const attempts = {};
  const done = await turns.run(change.mrn, () =>
    tryOnFeeds(database, (transaction) => tryChange(transaction, change, movedClock?.()), {
      lane: change.lane ?? 'writes',
      attempts,
    }),
  );
  watch.wakeAppended(done.appended);
  if (done.undecided.length > 0) void notePresented(done.undecided);
  return done.recorded;
}

type Done = {
  recorded: Recorded | undefined;
  appended?: string;
  undecided: readonly string[];
};

async function tryChange(
  transaction: FeedTransaction,
  change: MovementChange,
  movedTime: Date | undefined,
): Promise<Done> {
  const { request, operation, mrn, parties, reason, apply } = change;
  const { requestId, owner, mode, level } = request;
  await lockExisting(transaction, [mrn], kindOfLevel[levelOf(level)]);
  const before = await readOwn(transaction, change);
  if (before === undefined) return { recorded: undefined, undecided: [] };
  const affected = (await change.findAffected?.(transaction, before)) ?? [];
  const locked = await transaction.lock([
    ...new Set([owner, ...before.organisations, ...parties, ...affected]),
  ]);
  const [begun] = await transaction.query(beginRecording([request], movedTime));
  if (begun === undefined) throw new Error('the time of a commit was not returned');
  if (begun.used.length > 0) return { recorded: 'reused', undecided: [] };
  // Its goods may have been presented before the feeds were locked.
  const existing = await readOwn(transaction, change);
  if (existing === undefined) return { recorded: undefined, undecided: [] };
  const outcome = await apply(transaction, existing, begun.at, locked);
  const about = { requestId, mode, level, operation };
  const decided: DecidedRequest =
    'errors' in outcome
      ? { request, outcome: { ...about, errors: outcome.errors } }
      : {
          request,
          outcome: {
            ...about,
            mrn,
            reasons: outcome.reasons,
            ...(reason !== undefined && { byAuthority: true }),
          },
          ...(reason !== undefined && {
            reason,
            alsoTold: existing.organisations.filter((organisation) => organisation !== owner),
          }),
          ...(outcome.text !== undefined && { text: outcome.text }),
        };
  const status = await recordRequests(transaction, [decided], begun.at);
  if ('errors' in outcome) return { recorded: 'recorded', appended: status, undecided: [] };
  const { appended, undecided = [] } = outcome;
  return {
    recorded: 'recorded',
    appended: appended === undefined ? status : `${appended},${status}`,
    undecided,
  };
}

/** The message, if the caller may change it, and it is of that level and mode. */
async function readOwn(
  transaction: FeedTransaction,
  { mrn, request: { owner, mode, level }, mayAct = isParty }: MovementChange,
): Promise<ExistingMovement | undefined> {
  const [row] = await transaction.query(selectExisting(mrn));
  if (row === undefined || row.mode !== mode || row.level !== movementLevelCodes[levelOf(level)]) {
    return undefined;
  }
  return mayAct(row, owner) ? row : undefined;
}

const isParty = ({ submitter, representative }: ExistingMovement, owner: number) =>
  submitter === owner || representative === owner;

/** The level of the message that a request is about. */
function levelOf(subject: ChangedSubject): MovementLevel {
  return subject === 'transport-arrival' ? 'transport' : subject;
}

/** The error of a message that has ended. */
export function notCurrent(state: string, field = 'MRN'): ValidationError {
  const error = `must be a message that is current: this one is ${state.toLowerCase()}`;
  return { field, error, code: 'NOT_CURRENT' };
}
