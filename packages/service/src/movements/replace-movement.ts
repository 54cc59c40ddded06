// Replaces a message as a whole. What is presented keeps what it was presented by.
import {
  changedCouplings,
  changedKeyMembers,
  isObject,
  type ValidationError,
} from '@landfall/contract';
import { ChangedMeanwhileError, type FeedTransaction } from '../feed/transact-on-feeds.js';
import { replaceLodged } from '../registry/lodged-goods.js';
import { mayAwaitDecision } from '../routing/decision-rules.js';
import { isLodgedTooOften } from '../routing/told-twice.js';
import { waitForMissing } from './awaited-documents.js';
import {
  type ChangeContext,
  type ChangeOutcome,
  changeMovement,
  notCurrent,
} from './change-movement.js';
import {
  deleteReferences,
  type ExistingMovement,
  selectRemovedReferences,
  updateMovement,
} from './changing-queries.js';
import { writeKeys } from './held-key.js';
import {
  keyTaken,
  type LodgeContext,
  type LodgeRequest,
  lodgedTooOften,
  type Recorded,
} from './lodge-movement.js';
import { insertReferences, selectByKeys } from './lodging-queries.js';
import type { LodgedMessage } from './movement-request.js';
import { presentLodged } from './present-lodged.js';
import { findPartiesUnder, isPresentedUnder } from './presented-under.js';
import { membersOf, type ToLodge, toAwaited, toReferences, toRow } from './store-lodged.js';
import { deleteAwaited, insertAwaited } from './waiting-queries.js';

/**
 * Replaces a message, and records the status of the request.
 *
 * @returns `undefined` if the message is unknown, of another level or mode, or not the caller's
 */
export async function replaceMovement(
  context: ChangeContext & Pick<LodgeContext, 'reached'>,
  mrn: string,
  request: LodgeRequest,
): Promise<Recorded | undefined> {
  const { representative, carrier } =
    'message' in request
      ? request.message.parties
      : { representative: undefined, carrier: undefined };
  let replaced: number | undefined;
  const recorded = await changeMovement(context, {
    request,
    operation: 'REPLACE',
    mrn,
    parties: [representative?.id ?? [], carrier?.id ?? []].flat(),
    // What takes a receptacle away asks whether goods under the master consignment are presented.
    findAffected: async (transaction, existing) => {
      if (existing.level !== 'MASTER_CONSIGNMENT' || !('message' in request)) return [];
      const { references } = request.message;
      const removed = await transaction.query(selectRemovedReferences(existing.id, references));
      return removed.length > 0 ? findPartiesUnder(transaction, existing) : [];
    },
    apply: async (transaction, existing, at) => {
      const outcome = await replace(transaction, context, mrn, request, existing, at);
      replaced = 'errors' in outcome ? undefined : existing.id;
      return outcome;
    },
  });
  if (context.reached !== undefined && recorded === 'recorded' && replaced !== undefined) {
    await presentLodged(context.reached, [replaced])(replaced);
  }
  return recorded;
}

async function replace(
  transaction: FeedTransaction,
  context: ChangeContext,
  mrn: string,
  judged: LodgeRequest,
  existing: ExistingMovement,
  at: Date,
): Promise<ChangeOutcome> {
  if (existing.state !== null) return { errors: [notCurrent(existing.state)] };
  if ('errors' in judged) {
    // Sent again, it changes nothing, whatever registers say of it now.
    if (judged.text === existing.body) return { reasons: existing.reasons };
    return { errors: judged.errors };
  }
  const [request = judged] = await waitForMissing(transaction, [judged]);
  const { message } = request;
  const hasSameReasons = existing.reasons.join() === message.reasons.join();
  const isSame = existing.body === message.text && hasSameReasons;
  if (isSame) return { reasons: message.reasons };
  const errors = [
    ...findChangedKeys(existing, request),
    ...(existing.presented ? findPresented(existing, request) : []),
    ...(await findTakenAway(transaction, existing, message)),
  ];
  const [other] = await transaction.query(selectByKeys([message.key]));
  if (other !== undefined && other.mrn !== mrn) {
    const ownMrn = other.submitter === request.owner ? other.mrn : undefined;
    errors.push(keyTaken(request, JSON.parse(message.text), ownMrn));
  }
  const { house } = message;
  if (house !== undefined && isLodgedTooOften(transaction, { id: existing.house ?? '', house })) {
    errors.push(lodgedTooOften(request, JSON.parse(message.text)));
  }
  if (errors.length > 0) return { errors };

  const row = toRow(request);
  const [written] = await writeKeys(
    transaction.query(updateMovement(existing.id, row, message.text, at)),
  );
  if (written?.updated !== 1) throw new ChangedMeanwhileError('the key was taken meanwhile');
  await replaceReferences(transaction, existing.id, message);
  await replaceAwaited(transaction, existing.id, message);
  const { presented: isPresented } = existing;
  const goods =
    house && existing.house !== null ? { id: existing.house, house, isPresented } : undefined;
  const declaration = membersOf(request, mrn);
  await replaceLodged(transaction, context, declaration, goods, { ...request.context, at });
  const isUndecided =
    existing.presented && existing.house !== null && mayAwaitDecision(existing.routing);
  return {
    reasons: message.reasons,
    text: message.text,
    ...(isUndecided &&
      message.reasons.length === 0 && {
        undecided: [existing.house].flatMap((house) => house ?? []),
      }),
  };
}

/** A message of 9,999 documents names most of them again, so that what stays the same is not told apart. */
async function replaceReferences(
  transaction: FeedTransaction,
  id: number,
  message: LodgedMessage,
): Promise<void> {
  if (message.level === 'house-consignment') return;
  await transaction.query(deleteReferences(id));
  const references = toReferences(id, message);
  if (references.length > 0) await transaction.query(insertReferences(references));
}

/** What a transport that has arrived, or a master consignment whose goods are presented, names must stay. */
async function findTakenAway(
  transaction: FeedTransaction,
  { id, level, arrivedAt, body }: ExistingMovement,
  message: LodgedMessage,
): Promise<ValidationError[]> {
  const isMaster = level === 'MASTER_CONSIGNMENT';
  if (!isMaster && arrivedAt === null) return [];
  const [removed] = await transaction.query(selectRemovedReferences(id, message.references));
  const errors: ValidationError[] = [];
  if (removed !== undefined && (!isMaster || (await isPresentedUnder(transaction, id)))) {
    const why = isMaster ? 'the goods are presented' : 'the transport has arrived';
    const error = `must name ${removed.reference} as before: ${why}`;
    errors.push({ field: listOf[removed.kind], error, code: 'PRESENTED' });
  }
  const before: unknown = body === null ? undefined : JSON.parse(body);
  if (!isMaster && carrierOf(before) !== carrierOf(JSON.parse(message.text))) {
    const error = 'must stay as it is: the transport has arrived';
    errors.push({ field: 'carrier.identificationNumber', error, code: 'PRESENTED' });
  }
  return errors;
}

function carrierOf(transport: unknown): unknown {
  const carrier = isObject(transport) ? transport.carrier : undefined;
  return isObject(carrier) ? carrier.identificationNumber : undefined;
}

/** Where a message names what it refers to. */
const listOf = {
  MASTER_CONSIGNMENT: 'consignmentMasterLevel',
  HOUSE_CONSIGNMENT: 'consignmentHouseLevel',
  RECEPTACLE: 'consignmentMasterLevel.consignmentHouseLevel',
} as const;

async function replaceAwaited(
  transaction: FeedTransaction,
  id: number,
  message: LodgedMessage,
): Promise<void> {
  if (message.level !== 'house-consignment') return;
  await transaction.query(deleteAwaited(id));
  const awaited = toAwaited(id, message);
  if (awaited.length > 0) await transaction.query(insertAwaited(awaited));
}

function findChangedKeys(existing: ExistingMovement, { message }: ToLodge): ValidationError[] {
  if (existing.body === null) return [];
  const { level, mode, text } = message;
  return changedKeyMembers(level, mode, JSON.parse(existing.body), JSON.parse(text)).map(
    (field) => ({
      field,
      error: 'must stay as it is: cancel the message, and lodge it again',
      code: 'KEY_CHANGED',
    }),
  );
}

/** What a replacement of presented goods must not change. */
function findPresented(existing: ExistingMovement, { message }: ToLodge): ValidationError[] {
  if (existing.routing === 'TO_ENTRY') {
    const error = 'must stay as it is: the goods are presented and TO_ENTRY';
    return [{ field: 'consignmentHouseLevel', error, code: 'PRESENTED' }];
  }
  const before: unknown = existing.body === null ? undefined : JSON.parse(existing.body);
  const changed = changedCouplings(before, JSON.parse(message.text));
  if ((existing.representative ?? undefined) !== message.parties.representative?.id) {
    changed.push('representative.identificationNumber');
  }
  return changed.map((field) => ({
    field,
    error: 'must stay as it is: the goods are presented',
    code: 'PRESENTED',
  }));
}
