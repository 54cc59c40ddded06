// Cancels a message, which frees its key. What is presented stays.
import type { ValidationError } from '@landfall/contract';
import type { FeedTransaction } from '../feed/transact-on-feeds.js';
import { withdrawLodged } from '../registry/lodged-goods.js';
import {
  type ChangeContext,
  type ChangeOutcome,
  changeMovement,
  notCurrent,
} from './change-movement.js';
import { type ExistingMovement, endMovement } from './changing-queries.js';
import type { Recorded } from './lodge-movement.js';
import type { MovementRequest } from './movement-request.js';
import { findPartiesUnder, isPresentedUnder } from './presented-under.js';

/**
 * Cancels a message, and records the status of the request.
 *
 * @returns `undefined` if the message is unknown, of another level or mode, or not the caller's
 */
export function cancelMovement(
  context: ChangeContext,
  mrn: string,
  request: MovementRequest,
): Promise<Recorded | undefined> {
  return changeMovement(context, {
    request,
    operation: 'CANCEL',
    mrn,
    parties: [],
    findAffected: findPartiesUnder,
    // Sent again after its response was lost, it has been carried out.
    apply: async (transaction, existing, at) =>
      existing.state === 'CANCELLED'
        ? { reasons: [] }
        : cancel(transaction, context, mrn, request, existing, at),
  });
}

/** Cancels a message that is neither presented nor ended, whoever asks for it. */
export async function cancel(
  transaction: FeedTransaction,
  { audit }: Pick<ChangeContext, 'audit'>,
  mrn: string,
  request: MovementRequest,
  existing: ExistingMovement,
  at: Date,
): Promise<ChangeOutcome> {
  if (existing.state !== null) return { errors: [notCurrent(existing.state)] };
  if (existing.arrivedAt !== null) return { errors: [arrived] };
  if (await isPresented(transaction, existing)) return { errors: [presented] };
  await transaction.query(endMovement(existing.id, 'CANCELLED', request.requestId, at));
  await withdrawLodged(
    transaction,
    audit,
    [{ id: existing.id, mrn }],
    { ...request.context, at },
    { action: 'movement.cancelled', details: { mrn } },
  );
  return { reasons: [] };
}

/** Whether it is presented, or what it holds. */
async function isPresented(
  transaction: FeedTransaction,
  { id, level, presented: isHousePresented }: ExistingMovement,
): Promise<boolean> {
  return level === 'MASTER_CONSIGNMENT' ? isPresentedUnder(transaction, id) : isHousePresented;
}

const arrived: ValidationError = {
  field: 'MRN',
  error: 'must not be cancelled: the transport has arrived',
  code: 'PRESENTED',
};

const presented: ValidationError = {
  field: 'MRN',
  error: 'must not be cancelled: the goods are presented',
  code: 'PRESENTED',
};
