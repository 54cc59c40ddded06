// Records arrivals that the authority reports, one transaction for each, and presents what the transports reach.
import {
  ARRIVAL_SEARCH_HOURS,
  compileCheck,
  MAX_REPORTED_ERRORS,
  readTransportArrival,
  type SeenTransport,
  TransportArrival,
  type TransportArrivalResult,
  type ValidationError,
} from '@landfall/contract';
import type { Actor } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { heldError, MAX_HELD_MS } from '../feed/commit-apart.js';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  HeldTooLongError,
  transactOnFeeds,
} from '../feed/transact-on-feeds.js';
import type { ReachedGoods } from '../presentation/present-reached.js';
import { lockExisting } from '../registry/declaration-locks.js';
import type { UploadedLine } from '../uploaded-line.js';
import { findSeenTransports, recordArrival, type Sighting } from './arrival-queries.js';
import { notCurrent } from './change-movement.js';
import { type ExistingMovement, selectExisting } from './changing-queries.js';
import { beginRecording } from './lodging-queries.js';
import { completeArrival, signalMembers } from './report-arrival.js';
import { kindOfLevel } from './store-lodged.js';

/** What recording needs. */
export type TransportArrivals = {
  database: Database;
  audit: AuditTrail;
  reached: ReachedGoods;
  isCustomsOffice: (referenceNumber: string, on: Date) => boolean;
  /** Is called with presented goods that can be decided now; resolves when they are. */
  notePresented: (houses: readonly string[]) => Promise<void>;
  /** The time of a clock that may have been moved; without it, the database's. */
  movedClock: (() => Date) | undefined;
};

/** Who reports, in which request, and the time by which arrivals are judged. */
export type ReportContext = { now: Date; actor: Actor; requestId: string };

const check = compileCheck<TransportArrival>(TransportArrival, { refuseUnknown: true });

/**
 * Records the arrivals of lines one after the other, and gives the result of each. A line that breaks a rule is refused by
 * itself. The same line again changes nothing.
 *
 * @throws DatabaseUnavailableError if it is unknown whether one was recorded
 */
export async function postTransportArrivals(
  context: TransportArrivals,
  lines: readonly UploadedLine[],
  by: ReportContext,
): Promise<TransportArrivalResult[]> {
  const results: TransportArrivalResult[] = [];
  for (const { line, value, unreadable } of lines) {
    const outcome =
      unreadable === undefined ? await report(context, value, by) : { errors: [unreadable] };
    results.push(
      'errors' in outcome
        ? {
            line,
            status: 'REFUSED',
            validationErrors: outcome.errors.slice(0, MAX_REPORTED_ERRORS),
          }
        : { line, ...outcome },
    );
  }
  return results;
}

type Refused = { errors: readonly ValidationError[] };

type Reported = Omit<TransportArrivalResult, 'line' | 'validationErrors'>;

async function report(
  context: TransportArrivals,
  value: unknown,
  by: ReportContext,
): Promise<Reported | Refused> {
  const { database, reached, isCustomsOffice, notePresented } = context;
  const { now } = by;
  const checked = check(value);
  if (!checked.valid) return checked;
  const { transport, arrival, errors } = readTransportArrival(checked.value, {
    isCustomsOffice: (office) => isCustomsOffice(office, now),
    now,
  });
  let arrived: Arrived | Refused;
  try {
    arrived = await transactOnFeeds(
      database,
      async (transaction) => {
        const found = 'mrn' in transport ? transport : await find(transaction, transport, arrival);
        if ('errors' in found) return found;
        return record(transaction, context, { ...found, ...arrival, errors }, by);
      },
      'levels',
      MAX_HELD_MS,
    );
  } catch (error) {
    if (error instanceof HeldTooLongError) return { errors: [heldError] };
    throw error;
  }
  if ('errors' in arrived) return arrived;
  const { id, undecided, status, mrn, houses, signals } = arrived;
  const decided = undecided.length > 0 ? notePresented(undecided) : Promise.resolve();
  const more = await completeArrival(reached, id, decided);
  return {
    status,
    mrn,
    houseConsignments: houses + (more?.houses ?? 0),
    signals: signals + (more?.signals ?? 0),
  };
}

/** The transport with an MRN, when and where it has arrived, and what that breaks. */
type ReportedTransport = Sighting & {
  mrn: string;
  /** Whether it was found by its numbers. */
  isSeen?: true;
  errors: readonly ValidationError[];
};

/** The transport that was most likely seen. */
async function find(
  transaction: FeedTransaction,
  seen: SeenTransport,
  sighting: Sighting,
): Promise<{ mrn: string; isSeen: true } | Refused> {
  const [nearest, next] = await transaction.query(
    findSeenTransports(seen, sighting, ARRIVAL_SEARCH_HOURS),
  );
  const field =
    seen.identificationNumber === undefined ? 'conveyanceReferenceNumber' : 'identificationNumber';
  if (nearest === undefined) {
    const error = `no current transport with these numbers is expected within ${ARRIVAL_SEARCH_HOURS} hours of this time`;
    return { errors: [{ field, error, code: 'REFERENCE_NOT_FOUND' }] };
  }
  if (nearest.distance === next?.distance) {
    const error =
      'is of two transports whose estimated arrivals are equally near: report it by mrn';
    return { errors: [{ field, error, code: 'REFERENCE_AMBIGUOUS' }] };
  }
  return { mrn: nearest.mrn, isSeen: true };
}

/** What was recorded in the transaction, and what is to be done after it. */
type Arrived = {
  id: number;
  status: 'ARRIVED' | 'CORRECTED' | 'UNCHANGED';
  mrn: string;
  houses: number;
  signals: number;
  undecided: readonly string[];
};

/** What a line changes: `existing` before it. */
type Change = { existing: ExistingMovement; isArriving: boolean };

/** What a line changes, or why it changes nothing. */
async function judge(
  transaction: FeedTransaction,
  { mrn, isSeen, at, office, errors }: ReportedTransport,
): Promise<Change | Arrived | Refused> {
  const [existing] = await transaction.query(selectExisting(mrn));
  if (existing?.level !== 'TRANSPORT') return { errors: [unknownTransport] };
  const { id, state, arrivedAt, arrivalOffice } = existing;
  const isSameTime = arrivedAt?.getTime() === Date.parse(at);
  const isSame = isSameTime && arrivalOffice === office;
  if (isSeen && (state !== null || (arrivedAt !== null && !isSame))) {
    throw new ChangedMeanwhileError(`${mrn} has ended or arrived meanwhile`);
  }
  if (state !== null) return { errors: [notCurrent(state, 'mrn')] };
  if (isSame) return { id, status: 'UNCHANGED', mrn, houses: 0, signals: 0, undecided: [] };
  // What happened at a time that was accepted can be corrected later.
  const broken = errors.filter(({ code }) => !(isSameTime && code === 'TIME_OUT_OF_RANGE'));
  return broken.length > 0 ? { errors: broken } : { existing, isArriving: arrivedAt === null };
}

async function record(
  transaction: FeedTransaction,
  { reached, audit, movedClock }: TransportArrivals,
  reported: ReportedTransport,
  { actor: { organisation, client }, requestId }: ReportContext,
): Promise<Arrived | Refused> {
  const { mrn, at, office } = reported;
  // What changes nothing takes no lock.
  const before = await judge(transaction, reported);
  if (!('existing' in before)) return before;
  await lockExisting(transaction, [mrn], kindOfLevel.transport);
  const judged = await judge(transaction, reported);
  if (!('existing' in judged)) return judged;
  const { existing, isArriving } = judged;
  const { id, level, arrivedAt, arrivalOffice } = existing;
  const locked = isArriving ? await lockAffected(transaction, reached, existing) : [];
  const [begun] = await transaction.query(beginRecording([], movedClock?.()));
  if (begun === undefined) throw new Error('the time of a commit was not returned');
  const signal = signalMembers(existing);
  await transaction.query(
    recordArrival(id, { at, office, recordedAt: begun.at, requestId, signal }),
  );
  const { houses, signals, undecided, appended } = isArriving
    ? await reached.presentIn(transaction, { transport: id }, locked, begun.at)
    : { houses: 0, signals: 0, undecided: [], appended: null };
  transaction.noteAppended(appended);
  await audit.record(transaction, {
    at: begun.at,
    actor: { organisation, client },
    requestId,
    action: isArriving ? 'transport.arrived' : 'transport.arrival-corrected',
    details: {
      mrn,
      level,
      arrivedAt: at,
      office,
      ...(!isArriving && { before: { arrivedAt, office: arrivalOffice } }),
    },
  });
  const status = isArriving ? 'ARRIVED' : 'CORRECTED';
  return { id, status, mrn, houses, signals, undecided };
}

async function lockAffected(
  transaction: FeedTransaction,
  reached: ReachedGoods,
  { id, organisations }: ExistingMovement,
): Promise<readonly number[]> {
  const affected = await reached.findAffected(transaction, { transport: id });
  return transaction.lock([...new Set([...organisations, ...affected])]);
}

const unknownTransport: ValidationError = {
  field: 'mrn',
  error: 'must be the MRN of a transport that was lodged',
  code: 'REFERENCE_NOT_FOUND',
};
