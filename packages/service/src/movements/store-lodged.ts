// Stores messages that are lodged, in sets: whoever gets the key of each, its declaration, and its goods.

import { randomInt } from 'node:crypto';
import { type MovementLevel, makeMovementMrn, movementLevelCodes } from '@landfall/contract';
import { ChangedMeanwhileError, type FeedTransaction } from '../feed/transact-on-feeds.js';
import { addLodged, type LodgedGoods } from '../registry/lodged-goods.js';
import type { OtherKind } from '../registry/other-kind.js';
import type { DeclarationMembers } from '../registry/read-incoming.js';
import type { Registry } from '../registry/register.js';
import { writeKeys } from './held-key.js';
import {
  claimKeys,
  insertLodged,
  insertReferences,
  type LodgedDeclaration,
  type MovementRow,
  type ReferenceRow,
} from './lodging-queries.js';
import type { LodgedMessage, MovementRequest } from './movement-request.js';
import { type AwaitedRow, insertAwaited } from './waiting-queries.js';

/** What storing needs: that of registering, and the country of the authority. */
export type StoreContext = Pick<Registry, 'expectedOnly' | 'newId' | 'profiles' | 'rules'> & {
  country: string;
};

/** A request with the message that it lodges. */
export type ToLodge = MovementRequest & { message: LodgedMessage };

/** A message that was stored. */
export type StoredMessage = { id: number; mrn: string };

/** What each level is as a declaration. */
export const kindOfLevel: Readonly<Record<MovementLevel, OtherKind>> = {
  transport: 'TRANSPORT',
  'master-consignment': 'MASTER',
  'house-consignment': 'HOUSE',
};

/**
 * Stores messages whose keys no current one has. The feeds of their submitters are locked, and no two have the same key.
 *
 * @returns the numbers and the MRNs of those that were stored, by their keys
 * @throws KeyHeldError
 */
export async function storeLodged(
  transaction: FeedTransaction,
  requests: readonly ToLodge[],
  context: StoreContext,
  at: Date,
): Promise<ReadonlyMap<string, StoredMessage>> {
  if (requests.length === 0) return new Map();
  const [row] = await writeKeys(transaction.query(claimKeys(requests.map(toRow), at)));
  const claimed = row?.claimed ?? [];
  if (claimed.length === 0) return new Map();
  const ids = new Map(claimed.map(({ id, key }) => [key, id]));
  const stored = requests.flatMap((request) => {
    const id = ids.get(request.message.key);
    const mrn = makeMovementMrn({
      year: at.getUTCFullYear(),
      country: context.country,
      random: randomInt,
    });
    return id === undefined ? [] : [{ request, id, mrn }];
  });
  const declarations = stored.map(({ request, id, mrn }) => toDeclaration(request, id, mrn));
  const registered = await transaction.query(insertLodged(declarations, at));
  // Somebody has one of the MRNs, which are drawn anew.
  if (registered.length < stored.length) throw new ChangedMeanwhileError('an MRN was taken');
  const references = stored.flatMap(({ request, id }) => toReferences(id, request.message));
  if (references.length > 0) await transaction.query(insertReferences(references));
  const awaited = stored.flatMap(({ request, id }) => toAwaited(id, request.message));
  if (awaited.length > 0) await transaction.query(insertAwaited(awaited));
  const registrations = new Map(registered.map(({ id, registration }) => [id, registration]));

  const goods = stored.flatMap(({ request, id, mrn }): LodgedGoods[] => {
    const { house } = request.message;
    const registration = registrations.get(id);
    if (house === undefined || registration === undefined) return [];
    const declaration = { id, members: membersOf(request, mrn) };
    return [{ declaration, house, registration, context: { ...request.context, at } }];
  });
  await addLodged(transaction, goods, context);
  return new Map(stored.map(({ request, id, mrn }) => [request.message.key, { id, mrn }]));
}

/** What is stored of a message beside its goods. */
export function toRow({ message, submitter, requestId }: ToLodge): MovementRow {
  const { level, mode, key, listed, reasons, parties } = message;
  return {
    level: movementLevelCodes[level],
    mode,
    submitter: submitter.id,
    representative: parties.representative?.id,
    key,
    requestId,
    documentNumber: listed.document?.documentNumber,
    documentType: listed.document?.type,
    carrier: listed.carrierIdentificationNumber,
    means: listed.identificationNumber,
    conveyance: listed.conveyanceReferenceNumber,
    estimatedAt: message.estimatedAt,
    scheduledAt: listed.scheduledDateAndTimeOfArrival,
    office: message.office,
    weight: message.weight,
    importProcedure: message.facts.importProcedure ?? undefined,
    outgoingProcedure: message.facts.outgoingProcedure ?? undefined,
    consignorCountry: message.facts.consignorCountry ?? undefined,
    listed: JSON.stringify(listed),
    reasons,
  };
}

/** What a message names, as it is stored. */
export function toReferences(id: number, { references }: LodgedMessage): ReferenceRow[] {
  const positions = new Map<string, number>();
  return references.map((reference) => {
    const position = positions.get(reference.kind) ?? 0;
    positions.set(reference.kind, position + 1);
    return { id, position, ...reference };
  });
}

/** What a message waits for, as it is stored. */
export function toAwaited(id: number, { awaited }: LodgedMessage): AwaitedRow[] {
  return awaited.map((key) => ({ id, ...key }));
}

function toDeclaration(
  { message, submitter, context }: ToLodge,
  id: number,
  mrn: string,
): LodgedDeclaration {
  return {
    id,
    mrn,
    kind: kindOfLevel[message.level],
    submitter: submitter.id,
    representative: message.parties.representative?.id,
    carrier: message.parties.carrier?.id,
    body: message.text,
    context,
  };
}

/** A message as the registry has declarations. */
export function membersOf(
  { message, submitter }: Pick<ToLodge, 'message' | 'submitter'>,
  mrn: string,
): DeclarationMembers {
  const { parties, level, mode, reasons, facts, listed, weight } = message;
  return {
    mrn,
    kind: kindOfLevel[level],
    declarant: submitter.identifier,
    ...(parties.representative && { representative: parties.representative.identifier }),
    ...(parties.carrier && { carrier: parties.carrier.identifier }),
    lodged: {
      isComplete: reasons.length === 0,
      facts: {
        ...facts,
        lodgedMode: mode,
        carrierIdentificationNumber: listed.carrierIdentificationNumber,
        grossMass: weight,
      },
    },
  };
}
