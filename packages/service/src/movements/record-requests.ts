// Records what became of requests: their statuses, and one audit record of the transaction.
import { createHash } from 'node:crypto';
import { type MovementSubject, movementSubjectCodes } from '@landfall/contract';
import { openRecord } from '../audit/audit-entry.js';
import type { Transaction } from '../database/database.js';
import { appendStatuses } from './lodging-queries.js';
import type { MovementRequest } from './movement-request.js';
import { type MovementOutcome, renderMovementStatus } from './status-entry.js';

/** A request that was decided. */
export type DecidedRequest = {
  request: MovementRequest<MovementSubject>;
  outcome: MovementOutcome;
  /** The message as JSON text, if one was stored: the record has its digest. */
  text?: string;
  /** Further organisations whose feeds, which are locked, get the same status. */
  alsoTold?: readonly number[];
  /** The MRNs of the two messages that a relation couples, for the record. */
  related?: { parent: string; child: string };
  /** Why the authority has done it, for the record. */
  reason?: string;
};

/**
 * Appends the statuses of requests to the feeds of their submitters, which are locked, and records what was done. It is the
 * last statement of the transaction.
 *
 * @returns what was appended, for those who wait
 */
export async function recordRequests(
  transaction: Transaction,
  decided: readonly DecidedRequest[],
  at: Date,
): Promise<string> {
  const [only] = decided;
  const record = openRecord({
    at,
    actor: undefined,
    requestId: decided.length === 1 ? only?.request.requestId : undefined,
    action: 'movements.recorded',
    details: { requests: decided.map(describeRequest) },
  });
  const statuses = decided.flatMap(({ request, outcome, alsoTold = [] }) =>
    [request.owner, ...alsoTold].map((owner) => ({
      owner,
      requestId: request.requestId,
      failed: 'errors' in outcome,
      entry: renderMovementStatus(outcome, at),
    })),
  );
  const [row] = await transaction.query(appendStatuses(statuses, record));
  if (row === undefined) throw new Error('no status was appended');
  return row.appended;
}

/** A request as the record has it: never the text of the message. */
function describeRequest({ request, outcome, text, related, reason }: DecidedRequest) {
  const { actor } = request.context;
  return {
    organisation: actor?.organisation,
    client: actor?.client,
    requestId: request.requestId,
    operation: outcome.operation,
    mode: outcome.mode,
    level: movementSubjectCodes[outcome.level],
    ...('errors' in outcome ? { failed: true } : { mrn: outcome.mrn }),
    ...(related !== undefined && { related }),
    ...(reason !== undefined && { reason }),
    ...(text !== undefined && { digest: createHash('sha256').update(text).digest('hex') }),
  };
}
