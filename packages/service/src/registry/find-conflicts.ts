// Finds changes that conflict with existing data: presented goods must not change.

import type { ValidationError } from '@landfall/contract';
import type { Transaction } from '../database/database.js';
import type { Change } from './compare-with-existing.js';
import { selectPresentedDeclarations } from './declaration-queries.js';
import type { MrnOwner } from './other-kind.js';

/** Members that may change after goods are presented: who may present, and the version of the source. */
const CHANGEABLE: readonly string[] = ['carrier', 'presenters', 'version'];

const mustStay = (member: string) => !CHANGEABLE.includes(member);

/** Gives every conflict of each change that has one. Such a change is refused as a whole. */
export async function findConflicts(
  transaction: Transaction,
  changes: readonly Change[],
): Promise<Map<Change, readonly ValidationError[]>> {
  const declared = new Set(
    changes.flatMap(({ incoming: { mrn, declaration } }) => (declaration === undefined ? [] : mrn)),
  );
  const presented = await findPresentedDeclarations(transaction, changes);
  const conflicts = new Map<Change, readonly ValidationError[]>();
  for (const change of changes) {
    const { existing, incoming, otherKind } = change;
    // What was lodged is judged by the rules of movement messages, which name its own members.
    if (incoming.declaration?.kind !== undefined) continue;
    const isMissing = (existing === undefined || existing.withdrawn) && !declared.has(incoming.mrn);
    const errors = isMissing
      ? [declarationNotFound]
      : [
          ...(otherKind === undefined ? [] : [takenMrn(otherKind)]),
          ...(existing !== undefined && presented.has(existing.id) ? memberConflicts(change) : []),
          ...houseConflicts(change),
        ];
    if (errors.length > 0) conflicts.set(change, errors);
  }
  return conflicts;
}

/** Goods cannot be under an ENS that does not exist. */
export const declarationNotFound: ValidationError = {
  field: 'mrn',
  error: 'no such entry summary declaration is pre-notified',
  code: 'REFERENCE_NOT_FOUND',
};

const kindNames: Readonly<Record<MrnOwner, string>> = {
  TRANSPORT: 'transport that was lodged',
  MASTER: 'master consignment that was lodged',
  HOUSE: 'house consignment that was lodged',
  RELATION: 'relation of two that were lodged',
};

function takenMrn(kind: MrnOwner): ValidationError {
  const error = `must be its own: a ${kindNames[kind]} has this MRN`;
  return { field: 'mrn', error, code: 'DUPLICATE' };
}

/** Presented declarations of those whose members change that must then stay: finding it out reads their house consignments. */
async function findPresentedDeclarations(
  transaction: Transaction,
  changes: readonly Change[],
): Promise<Set<number>> {
  const ids = changes.flatMap(({ existing, members }) =>
    existing !== undefined && members.some(mustStay) ? existing.id : [],
  );
  if (ids.length === 0) return new Set();
  const rows = await transaction.query(selectPresentedDeclarations(ids));
  return new Set(rows.map(({ id }) => id));
}

function memberConflicts({ members }: Change): ValidationError[] {
  return members
    .filter(mustStay)
    .map((member) =>
      conflict(member, 'must stay as it is: goods of this declaration are presented'),
    );
}

function houseConflicts({ incoming, changed, removed, spelled }: Change): ValidationError[] {
  const fieldOf = (index: number) =>
    incoming.declaration === undefined ? 'houseConsignment' : `houseConsignments.${index}`;
  const spellingErrors = [...(incoming.spellingErrors ?? [])];
  return [
    ...spellingErrors.flatMap(([house, error]) => (spelled.has(house) ? [] : error)),
    ...changed.flatMap(({ index, otherSpelling }) =>
      otherSpelling === null ? [] : sharedKey(fieldOf(index), otherSpelling),
    ),
    ...changed
      .filter(({ presented, otherSpelling }) => presented && otherSpelling === null)
      .flatMap(({ index, members }) =>
        members.map((member) => conflict(`${fieldOf(index)}.${member}`, houseRule(member))),
      ),
    ...(removed?.examples ?? []).map(({ type, documentNumber }) =>
      conflict('houseConsignments', `must hold ${type} ${documentNumber}: it is presented`),
    ),
  ];
}

/** Goods that were registered before there were keys are not found by another spelling, nor is it added beside them. */
function sharedKey(house: string, otherSpelling: string): ValidationError {
  const field = `${house}.transportDocumentHouseLevel.documentNumber`;
  const error = `must not differ from "${otherSpelling}" only in capitals, blanks or composed letters: that is registered, beside others of this kind`;
  return { field, error, code: 'FORMAT' };
}

function houseRule(member: string): string {
  return member === 'routing'
    ? 'must stay as it is: the house consignment is presented, and is decided by a routing decision'
    : 'must stay as it is: the house consignment is presented';
}

function conflict(field: string, error: string): ValidationError {
  return { field, error, code: 'PRESENTED' };
}
