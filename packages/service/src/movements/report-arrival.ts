// Reports that a transport has arrived, which presents what it reaches.
import { type Arrival, modes, toTheSecond, type ValidationError } from '@landfall/contract';
import type { FeedTransaction } from '../feed/transact-on-feeds.js';
import type { Presented, ReachedGoods } from '../presentation/present-reached.js';
import { waitAtMost } from '../presentation/wait-at-most.js';
import { recordArrival } from './arrival-queries.js';
import {
  type ChangeContext,
  type ChangeOutcome,
  changeMovement,
  notCurrent,
} from './change-movement.js';
import type { ExistingMovement } from './changing-queries.js';
import type { Recorded } from './lodge-movement.js';
import type { MovementRequest } from './movement-request.js';

/** What reporting arrivals needs. */
export type ArrivalContext = ChangeContext & { reached: ReachedGoods };

/** A report, with the errors that its status has. */
export type ReportedArrival = {
  request: MovementRequest<'transport-arrival'>;
  arrival: Arrival;
  errors: readonly ValidationError[];
};

/** How long an arrival waits for what lies beyond its transaction, and for the decisions, in milliseconds: both go on. */
const MAX_WAIT_MS = 30_000;
const MAX_DECISION_WAIT_MS = 10_000;

/**
 * Records an arrival and its status, and presents what the transport reaches.
 *
 * @returns `undefined` if the transport is unknown, or not of the caller
 */
export async function reportArrival(
  context: ArrivalContext,
  { request, arrival, errors }: ReportedArrival,
): Promise<Recorded | undefined> {
  const { reached } = context;
  let transport: number | undefined;
  let decided: Promise<void> = Promise.resolve();
  const recorded = await changeMovement(
    {
      ...context,
      notePresented: (houses) => {
        decided = context.notePresented(houses);
        return decided;
      },
    },
    {
      request,
      operation: 'LODGE',
      mrn: arrival.mrn,
      parties: [],
      lane: 'levels',
      mayAct: ({ carrier, submitter, representative }, organisation) =>
        [carrier, submitter, representative].includes(organisation),
      findAffected: (transaction, { id }) => reached.findAffected(transaction, { transport: id }),
      apply: async (transaction, existing, at, locked) => {
        const report = { request, arrival, errors };
        const outcome = await arrive(transaction, reached, existing, report, at, locked);
        transport = 'errors' in outcome ? undefined : existing.id;
        return outcome;
      },
    },
  );
  if (transport !== undefined && recorded === 'recorded') {
    await completeArrival(reached, transport, decided);
  }
  return recorded;
}

/** When and where a transport has arrived, and in which request that was reported. */
async function arrive(
  transaction: FeedTransaction,
  reached: ReachedGoods,
  existing: ExistingMovement,
  { request, arrival, errors }: ReportedArrival,
  at: Date,
  locked: readonly number[],
): Promise<ChangeOutcome> {
  if (existing.state !== null) return { errors: [notCurrent(existing.state, 'mrn')] };
  if (existing.arrivedAt !== null) {
    const isSame =
      existing.arrivedAt.getTime() === Date.parse(arrival.at) &&
      existing.arrivalOffice === arrival.office;
    return isSame ? { reasons: [] } : { errors: [...errors, alreadyArrived] };
  }
  if (errors.length > 0) return { errors };
  const { requestId } = request;
  const signal = signalMembers(existing);
  await transaction.query(
    recordArrival(existing.id, { ...arrival, recordedAt: at, requestId, signal }),
  );
  const scope = { transport: existing.id };
  const { appended, undecided } = await reached.presentIn(transaction, scope, locked, at);
  return { reasons: [], undecided, ...(appended !== null && { appended }) };
}

/**
 * Presents what lies beyond the transaction of the arrival, and what was lodged beside it; waits for the decisions on all of
 * it. What takes longer goes on in the background.
 *
 * @returns what was presented, if that did not take longer
 */
export async function completeArrival(
  reached: ReachedGoods,
  transport: number,
  decided: Promise<void>,
): Promise<Presented | undefined> {
  const presenting = reached.present(transport).catch((error: unknown) => {
    // The arrival is durable: what it left behind is presented in the background.
    reached.leave(error, transport);
    return undefined;
  });
  const more = await waitAtMost(presenting, MAX_WAIT_MS);
  await waitAtMost(Promise.all([decided, more?.decided]), MAX_DECISION_WAIT_MS);
  return more;
}

/** What the signals of goods say of the transport with which they arrived: members of a JSON object, each after a comma. */
export function signalMembers({ mode, means, estimatedAt, scheduledAt }: ExistingMovement): string {
  const members = JSON.stringify({
    estimatedTimeOfArrival: instant(estimatedAt),
    scheduledTimeOfArrival: instant(scheduledAt),
    activeBorderTransportMeans:
      means === null
        ? undefined
        : {
            identificationNumber: means,
            typeOfIdentification: modes[mode].typeOfIdentification,
          },
  }).slice('{'.length, -'}'.length);
  return members === '' ? '' : `,${members}`;
}

/** As messages have instants: without fractions of a second. */
function instant(time: Date | null): string | undefined {
  return time === null ? undefined : toTheSecond(time);
}

const alreadyArrived: ValidationError = {
  field: 'mrn',
  error: 'must not have arrived before at another time or customs office',
  code: 'ALREADY_ARRIVED',
};
