// Cancels a relation, unless goods were presented because of it.
import { checkRelationCancellation, type ValidationError } from '@landfall/contract';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  tryOnFeeds,
} from '../feed/transact-on-feeds.js';
import { lockExisting } from '../registry/declaration-locks.js';
import type { Recorded } from './lodge-movement.js';
import type { RelationContext } from './lodge-relation.js';
import { beginRecording } from './lodging-queries.js';
import type { MovementRequest } from './movement-request.js';
import { findPartiesUnder } from './presented-under.js';
import { recordRequests } from './record-requests.js';
import {
  type ExistingRelation,
  endRelation,
  selectPresentedByRelation,
  selectRelation,
} from './relation-queries.js';

/** The authority cancels on its own behalf, whoever has made the relation. */
type ByAuthority = {
  reason: string;
  /** Ends the transaction: rules forbid it, or, without any, it was cancelled before. Nothing is recorded then. */
  refuse(errors: readonly ValidationError[]): never;
};

type Cancellation = {
  mrn: string;
  request: MovementRequest<'relation'>;
  authority: ByAuthority | undefined;
};

/**
 * Cancels a relation, and records the status of the request.
 *
 * @returns `undefined` if it is unknown, of another mode, or not of the caller: nothing is recorded then
 */
export async function cancelRelation(
  { database, turns, watch, movedClock, expectedOnly = false }: Omit<RelationContext, 'country'>,
  mrn: string,
  request: MovementRequest<'relation'>,
  authority?: ByAuthority,
): Promise<Recorded | undefined> {
  const attempts = {};
  const cancellation = { mrn, request, authority };
  const done = await turns.run(mrn, () =>
    tryOnFeeds(
      database,
      (transaction) => tryCancel(transaction, cancellation, expectedOnly, movedClock?.()),
      { lane: 'writes', attempts },
    ),
  );
  watch.wakeAppended(done.appended);
  return done.recorded;
}

type Done = { recorded: Recorded | undefined; appended?: string };

async function tryCancel(
  transaction: FeedTransaction,
  cancellation: Cancellation,
  expectedOnly: boolean,
  movedTime: Date | undefined,
): Promise<Done> {
  const { mrn, request, authority } = cancellation;
  const { requestId, owner, mode, level } = request;
  const before = await readOwn(transaction, cancellation);
  if (before === undefined) return { recorded: undefined };
  // Neither of the two ends, and nobody else cancels it, until the commit.
  await lockExisting(transaction, [before.parent, before.child], 'MESSAGE');
  await transaction.lock([owner, ...(await findPartiesBelow(transaction, before))]);
  const [begun] = await transaction.query(beginRecording([request], movedTime));
  if (begun === undefined) throw new Error('the time of a commit was not returned');
  if (begun.used.length > 0) return { recorded: 'reused' };
  const { at } = begun;
  const existing = await readOwn(transaction, cancellation);
  if (existing === undefined) return { recorded: undefined };
  const errors = await findErrors(transaction, mrn, existing, expectedOnly);
  if (existing.isCancelled || errors.length > 0) authority?.refuse(errors);
  const about = { requestId, mode, level, operation: 'CANCEL' } as const;
  if (errors.length > 0) {
    const failed = { request, outcome: { ...about, errors } };
    return { recorded: 'recorded', appended: await recordRequests(transaction, [failed], at) };
  }
  if (!existing.isCancelled) await transaction.query(endRelation(mrn, at));
  const { parent, child } = existing;
  const done = {
    request,
    outcome: { ...about, mrn, reasons: [], ...(authority && { byAuthority: true as const }) },
    ...(authority && { reason: authority.reason }),
    related: { parent, child },
  };
  return { recorded: 'recorded', appended: await recordRequests(transaction, [done], at) };
}

/** The relation, if it is of this mode and the caller may cancel it. */
async function readOwn(
  transaction: FeedTransaction,
  { mrn, request: { mode, owner }, authority }: Cancellation,
): Promise<ExistingRelation | undefined> {
  const [relation] = await transaction.query(selectRelation(mrn));
  if (relation === undefined || relation.mode !== mode) return undefined;
  const mayCancel =
    authority !== undefined || [relation.maker, ...relation.submitters].includes(owner);
  return mayCancel ? relation : undefined;
}

/** The parties of the goods that hang by a relation: whoever presents these has locked their feeds. */
async function findPartiesBelow(
  transaction: FeedTransaction,
  { childId: id, childType: level, childParties }: ExistingRelation,
): Promise<readonly number[]> {
  if (level === 'HOUSE_CONSIGNMENT') return childParties;
  return findPartiesUnder(transaction, { id, level, state: null });
}

/**
 * What keeps a relation from being cancelled. Nobody presents goods below it until the end of the transaction.
 *
 * @throws ChangedMeanwhileError if the feed of a party of theirs is not locked
 */
async function findErrors(
  transaction: FeedTransaction,
  mrn: string,
  relation: ExistingRelation,
  expectedOnly: boolean,
): Promise<ValidationError[]> {
  if (relation.isCancelled) return [];
  const parties = await findPartiesBelow(transaction, relation);
  if (parties.some((party) => !transaction.locked.has(party))) {
    throw new ChangedMeanwhileError('goods of another party came below it meanwhile');
  }
  const [row] = await transaction.query(selectPresentedByRelation(mrn, expectedOnly));
  const isPresented = row?.presented === true;
  return checkRelationCancellation({ isCurrent: relation.isCurrent, isPresented }).map(
    ({ field, error, code }) => ({ field, error, code }),
  );
}
