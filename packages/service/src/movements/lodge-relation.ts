// Relates two messages by their MRNs. What a transport that has arrived reaches by that is presented.
import { randomInt } from 'node:crypto';
import {
  checkMovement,
  makeMovementMrn,
  type RelationMessage,
  uncheckedRegisters,
  type ValidationError,
} from '@landfall/contract';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  tryOnFeeds,
} from '../feed/transact-on-feeds.js';
import { lockExisting } from '../registry/declaration-locks.js';
import type { ChangeContext } from './change-movement.js';
import type { LodgeContext, Recorded } from './lodge-movement.js';
import { beginRecording } from './lodging-queries.js';
import type { MovementRequest } from './movement-request.js';
import { presentLodged } from './present-lodged.js';
import { recordRequests } from './record-requests.js';
import { insertRelation, selectRelatable, selectRelationOf } from './relation-queries.js';

/** A request to relate, with its body, in which no member breaks a rule by itself. */
type RelationToLodge = { request: MovementRequest<'relation'>; body: unknown };

/** What relating needs. */
export type RelationContext = Pick<
  ChangeContext,
  'database' | 'turns' | 'watch' | 'movedClock' | 'expectedOnly'
> &
  Pick<LodgeContext, 'country' | 'reached'>;

/**
 * Makes a relation, unless it breaks a rule, and records the status of the request.
 *
 * @param body in which no member breaks a rule by itself
 */
export async function lodgeRelation(
  { database, turns, watch, movedClock, country, reached }: RelationContext,
  request: MovementRequest<'relation'>,
  body: unknown,
): Promise<Recorded> {
  const attempts = {};
  const done = await turns.run(endsOf(body).parent, () =>
    tryOnFeeds(
      database,
      (transaction) => tryRelate(transaction, { request, body }, country, movedClock?.()),
      { lane: 'writes', attempts },
    ),
  );
  watch.wakeAppended(done.appended);
  const { child, recorded } = done;
  if (reached !== undefined && child !== undefined) await presentLodged(reached, [child])(child);
  return recorded;
}

/** The MRNs of the two messages. The cast is safe because no member breaks a rule by itself. */
function endsOf(body: unknown): { parent: string; child: string } {
  const { parentObjectReference: parent, childObjectReference: child } = body as RelationMessage;
  return { parent, child };
}

/** What became of the request, and the lower message if it hangs on the other one now. */
type Done = { recorded: Recorded; appended?: string; child?: number };

async function tryRelate(
  transaction: FeedTransaction,
  { request, body }: RelationToLodge,
  country: string,
  movedTime: Date | undefined,
): Promise<Done> {
  const { requestId, owner, mode } = request;
  const ends = endsOf(body);
  const mrns = [ends.parent, ends.child];
  // Neither of the two ends, and nobody else relates them, until the commit.
  await lockExisting(transaction, mrns, 'MESSAGE');
  await transaction.lock([owner]);
  const [begun] = await transaction.query(beginRecording([request], movedTime));
  if (begun === undefined) throw new Error('the time of a commit was not returned');
  if (begun.used.length > 0) return { recorded: 'reused' };
  const { at } = begun;
  const related = await transaction.query(selectRelatable(mrns, mode));
  const parent = related.find(({ mrn }) => mrn === ends.parent);
  const child = related.find(({ mrn }) => mrn === ends.child);
  const [existing] =
    parent && child ? await transaction.query(selectRelationOf(parent.id, child.id)) : [];

  const about = { requestId, mode, level: 'relation', operation: 'LODGE' } as const;
  const registers = {
    ...uncheckedRegisters,
    isCurrent: (mrn: string, type: string) =>
      related.some((message) => message.mrn === mrn && message.type === type),
    isKeyTaken: () => existing !== undefined,
  };
  const checked = checkMovement(body, { level: 'relation', mode, registers, now: at });
  if (!checked.accepted) {
    const ownMrn = existing?.maker === owner ? existing.mrn : undefined;
    const errors = checked.errors.map(({ field, error, code }) => ({
      field,
      error: code === 'DUPLICATE' && ownMrn !== undefined ? `${error}: ${ownMrn}` : error,
      code,
    })) satisfies ValidationError[];
    const failed = { request, outcome: { ...about, errors } };
    return { recorded: 'recorded', appended: await recordRequests(transaction, [failed], at) };
  }
  if (parent === undefined || child === undefined) {
    throw new Error('a relation of messages that are not current was accepted');
  }
  const mrn = makeMovementMrn({ year: at.getUTCFullYear(), country, random: randomInt });
  const inserted = await transaction.query(
    insertRelation({ mrn, parent: parent.id, child: child.id, maker: owner, requestId }, at),
  );
  // Somebody has the MRN, which is drawn anew.
  if (inserted.length === 0) throw new ChangedMeanwhileError('an MRN was taken');
  const made = {
    request,
    outcome: { ...about, mrn, reasons: [] },
    text: JSON.stringify(checked.body),
    related: ends,
  };
  const appended = await recordRequests(transaction, [made], at);
  return { recorded: 'recorded', appended, child: child.id };
}
