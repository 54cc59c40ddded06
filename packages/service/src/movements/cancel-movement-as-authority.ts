// Cancels a message of any organisation for the authority, by the rules by which its sender cancels it.
import {
  type CancelledMovement,
  keysOf,
  movementLevelCodes,
  type ValidationError,
} from '@landfall/contract';
import type { Actor } from '../audit/audit-entry.js';
import { selectChanged } from './authority-queries.js';
import { cancel } from './cancel-movement.js';
import { type ChangeContext, changeMovement } from './change-movement.js';
import { findPartiesUnder } from './presented-under.js';

/** Who cancels it, why, and in which request. */
export type CancellationByAuthority = {
  reason: string;
  actor: Actor & { organisationId: number };
  requestId: string;
};

/** Ends the transaction: there is nothing to change, or a rule forbids it. */
class NothingCancelledError extends Error {
  readonly code = 'NOTHING_CANCELLED';
  override name = 'NothingCancelledError';
  /** The rules that it breaks; none if the message was cancelled before. */
  readonly errors: readonly ValidationError[];

  constructor(errors: readonly ValidationError[]) {
    super('nothing was cancelled');
    this.errors = errors;
  }
}

/**
 * Cancels a message, and appends a status to the feeds of its submitter and its representative. What is refused, and what was
 * cancelled before, appends none.
 *
 * @returns `undefined` if there is no message with this MRN
 */
export async function cancelMovementAsAuthority(
  context: ChangeContext,
  mrn: string,
  { reason, actor, requestId }: CancellationByAuthority,
): Promise<CancelledMovement | { errors: readonly ValidationError[] } | undefined> {
  const [changed] = await context.database.query(selectChanged(mrn));
  if (changed === undefined) return undefined;
  const { mode, level: code, ...submitter } = changed;
  const level = keysOf(movementLevelCodes).find((name) => movementLevelCodes[name] === code);
  if (level === undefined) throw new Error(`there is no level ${code}`);
  const request = {
    mode,
    level,
    requestId,
    owner: submitter.id,
    submitter,
    context: { actor, requestId },
  };
  try {
    const recorded = await changeMovement(context, {
      request,
      operation: 'CANCEL',
      mrn,
      parties: [],
      reason,
      mayAct: () => true,
      findAffected: findPartiesUnder,
      apply: async (transaction, existing, at) => {
        if (existing.state === 'CANCELLED') throw new NothingCancelledError([]);
        const outcome = await cancel(transaction, context, mrn, request, existing, at);
        if ('errors' in outcome) throw new NothingCancelledError(outcome.errors);
        return outcome;
      },
    });
    if (recorded === 'reused')
      throw new Error(`the id of the request ${requestId} was used before`);
    return recorded && { mrn, status: 'CANCELLED' };
  } catch (error) {
    if (!(error instanceof NothingCancelledError)) throw error;
    return error.errors.length > 0 ? { errors: error.errors } : { mrn, status: 'UNCHANGED' };
  }
}
