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
import { cancelRelation } from './cancel-relation.js';
import { type ChangeContext, changeMovement } from './change-movement.js';
import type { Recorded } from './lodge-movement.js';
import { findPartiesUnder } from './presented-under.js';
import { selectRelation } from './relation-queries.js';

/** Who cancels it, why, and in which request. */
export type CancellationByAuthority = {
  reason: string;
  actor: Actor & { organisationId: number };
  requestId: string;
};

/** What the authority is told: what it has cancelled, or every rule that forbids it. */
type Cancelled = CancelledMovement | { errors: readonly ValidationError[] };

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
 * Cancels a message, and appends a status to the feeds of its submitter and its representative; or a relation, with a status
 * for whoever has made it. What is refused, and what was cancelled before, appends none.
 *
 * @returns `undefined` if nothing has this MRN
 */
export async function cancelMovementAsAuthority(
  context: ChangeContext,
  mrn: string,
  { reason, actor, requestId }: CancellationByAuthority,
): Promise<Cancelled | undefined> {
  const by = { reason, actor, requestId };
  const [changed] = await context.database.query(selectChanged(mrn));
  if (changed === undefined) return cancelRelationAsAuthority(context, mrn, by);
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
  return settle(mrn, requestId, () =>
    changeMovement(context, {
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
    }),
  );
}

async function cancelRelationAsAuthority(
  context: ChangeContext,
  mrn: string,
  { reason, actor, requestId }: CancellationByAuthority,
): Promise<Cancelled | undefined> {
  const [relation] = await context.database.query(selectRelation(mrn));
  if (relation === undefined) return undefined;
  const { mode, maker: owner, makerIdentifier: identifier } = relation;
  const submitter = { id: owner, identifier };
  const level = 'relation';
  const request = {
    mode,
    level,
    requestId,
    owner,
    submitter,
    context: { actor, requestId },
  } as const;
  const refuse = (errors: readonly ValidationError[]): never => {
    throw new NothingCancelledError(errors);
  };
  return settle(mrn, requestId, () => cancelRelation(context, mrn, request, { reason, refuse }));
}

/** What became of a message or a relation that was to be cancelled. */
async function settle(
  mrn: string,
  requestId: string,
  cancelNow: () => Promise<Recorded | undefined>,
): Promise<Cancelled | undefined> {
  try {
    const recorded = await cancelNow();
    if (recorded === 'reused')
      throw new Error(`the id of the request ${requestId} was used before`);
    return recorded && { mrn, status: 'CANCELLED' };
  } catch (error) {
    if (!(error instanceof NothingCancelledError)) throw error;
    return error.errors.length > 0 ? { errors: error.errors } : { mrn, status: 'UNCHANGED' };
  }
}
