// Writes what a registration adds, changes and removes, in sets, and records who registered it.
import type { ConsignmentEvent } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Transaction } from '../database/database.js';
import { ChangedMeanwhileError } from '../feed/transact-on-feeds.js';
import type { DecideNew, NewConsignment, NewDecisions } from '../routing/decide-new.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import {
  deleteContainers,
  deleteHouses,
  type HouseToWrite,
  insertContainers,
  insertDeclarations,
  insertHouses,
  insertOrganisations,
  insertRegistration,
  updateDeclarations,
  updateHeads,
  updateHouses,
} from './change-queries.js';
import { type Change, isUnchanged } from './compare-with-existing.js';
import { selectHeads, type UnlistedHouse } from './existing-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import { changesSignals, updateSignalHead } from './signal-head.js';

/** House consignments whose signal heads are updated at once. */
const HEADS_AT_ONCE = 2000;

/** What writing needs. */
export type WriteContext = {
  audit: AuditTrail;
  /** Gives the ids of house consignments; a later id sorts later. */
  newId: () => string;
  /** Decides on new house consignments that come without a decision; without it, they stay undecided. */
  decideNew?: DecideNew;
};

/** Writes accepted changes and their audit record; nothing at all if nothing changes. */
export async function writeChanges(
  transaction: Transaction,
  changes: readonly Change[],
  { audit, newId, decideNew }: WriteContext,
  context: RegistrationContext,
): Promise<void> {
  if (changes.every(isUnchanged)) return;
  const newDeclarations = await addDeclarations(transaction, changes);
  const [registration] = await transaction.query(insertRegistration(context));
  if (registration === undefined) throw new Error('a registration was not inserted');
  const { added, changed } = housesToWrite(changes, newDeclarations, newId);

  const withdrawn = await removeHouses(transaction, changes);
  if (changed.length > 0) {
    await transaction.query(updateHouses(changed));
    await transaction.query(deleteContainers(changed.map(({ id }) => id)));
  }
  const redeclared = await changeDeclarations(transaction, changes);
  const profile = await addHouses(transaction, added, registration.id, decideNew, context);
  const packed = [...changed, ...added].filter(({ house }) => house.containerId?.length);
  if (packed.length > 0) await transaction.query(insertContainers(packed));

  const [only] = changes;
  await audit.record(
    transaction,
    {
      ...context,
      action: 'entry-summary-declaration.registered',
      details: {
        registration: registration.id,
        ...(changes.length === 1 && { mrn: only?.incoming.mrn }),
        declarations: {
          added: newDeclarations.size,
          changed: changes.filter(({ members }) => members.length > 0).length,
        },
        houseConsignments: {
          added: added.length,
          changed: changed.length,
          removed: withdrawn.length,
        },
        ...(profile && { profile }),
      },
    },
    [...redeclared, ...changes.flatMap(changedEvents), ...withdrawn],
  );
}

/** The event that a house consignment was withdrawn, which is kept after the consignment is deleted. */
export function withdrawnEvent(
  mrn: string,
  { id, documentNumber, type }: UnlistedHouse,
): ConsignmentEvent {
  return {
    houseConsignmentId: id,
    action: 'withdrawn',
    details: { mrn, transportDocumentHouseLevel: { documentNumber, type } },
  };
}

function changedEvents({ changed }: Change): ConsignmentEvent[] {
  return changed.map(({ id, members }) => ({
    houseConsignmentId: id,
    action: 'changed',
    details: { members },
  }));
}

/**
 * Adds new declarations, and the organisations that new or changed ones name for the first time.
 *
 * @returns the ids of the new declarations by MRN
 */
async function addDeclarations(
  transaction: Transaction,
  changes: readonly Change[],
): Promise<Map<string, number>> {
  const written = changes.flatMap(({ incoming: { declaration }, existing, members }) =>
    declaration !== undefined && (existing === undefined || members.length > 0)
      ? [{ declaration, isNew: existing === undefined }]
      : [],
  );
  if (written.length === 0) return new Map();
  const named = written.flatMap(({ declaration }) => namedOrganisations(declaration));
  await transaction.query(insertOrganisations([...new Set(named)]));
  const added = written.flatMap(({ declaration, isNew }) => (isNew ? declaration : []));
  if (added.length === 0) return new Map();
  const rows = await transaction.query(insertDeclarations(added));
  if (rows.length < added.length) throw new ChangedMeanwhileError('registered concurrently');
  return new Map(rows.map(({ id, mrn }) => [mrn, id]));
}

function namedOrganisations(declaration: DeclarationMembers): string[] {
  const { declarant, representative, carrier, presenters = [] } = declaration;
  return [declarant, representative, carrier, ...presenters].filter((name) => name !== undefined);
}

/** The house consignments to add and to change, with their declarations as they will be. */
function housesToWrite(
  changes: readonly Change[],
  newDeclarations: ReadonlyMap<string, number>,
  newId: () => string,
): { added: HouseToWrite[]; changed: HouseToWrite[] } {
  // A house consignment on a line of its own may belong to a declaration on another line.
  const incomingMembers = new Map(
    changes.flatMap(({ incoming: { mrn, declaration } }) =>
      declaration === undefined ? [] : [[mrn, declaration] as const],
    ),
  );
  const houses = changes.map(({ incoming: { mrn }, existing, added, changed }) => {
    const id = existing?.id ?? newDeclarations.get(mrn);
    const members = incomingMembers.get(mrn) ?? existing?.members;
    if (id === undefined || members === undefined) throw new Error(`${mrn} does not exist`);
    const declaration = { id, members };
    return {
      added: added.map((house) => ({ id: newId(), declaration, house })),
      changed: changed.map(({ id, house }) => ({ id, declaration, house })),
    };
  });
  return {
    added: houses.flatMap(({ added }) => added),
    changed: houses.flatMap(({ changed }) => changed),
  };
}

async function removeHouses(
  transaction: Transaction,
  changes: readonly Change[],
): Promise<ConsignmentEvent[]> {
  const events = changes.flatMap(({ incoming: { mrn }, removed }) =>
    removed.map((house) => withdrawnEvent(mrn, house)),
  );
  if (events.length > 0) {
    await transaction.query(
      deleteHouses(events.map(({ houseConsignmentId }) => houseConsignmentId)),
    );
  }
  return events;
}

/** Changes declarations; returns the events of the house consignments whose signals change with them. */
async function changeDeclarations(
  transaction: Transaction,
  changes: readonly Change[],
): Promise<ConsignmentEvent[]> {
  const changed = changes.flatMap(({ incoming: { declaration }, existing, members }) =>
    declaration !== undefined && existing !== undefined && members.length > 0
      ? [{ declaration, id: existing.id, members }]
      : [],
  );
  if (changed.length === 0) return [];
  await transaction.query(updateDeclarations(changed.map(({ declaration }) => declaration)));
  const events: ConsignmentEvent[] = [];
  for (const { declaration, id, members } of changed) {
    if (!changesSignals(members)) continue;
    for (const houseConsignmentId of await changeHeads(transaction, id, declaration)) {
      events.push({ houseConsignmentId, action: 'changed', details: { declaration: members } });
    }
  }
  return events;
}

/** Updates the signal heads of all house consignments of a declaration; returns their ids. */
async function changeHeads(
  transaction: Transaction,
  declarationId: number,
  declaration: DeclarationMembers,
): Promise<string[]> {
  const changed: string[] = [];
  for (;;) {
    const rows = await transaction.query(selectHeads(declarationId, changed.at(-1), HEADS_AT_ONCE));
    if (rows.length === 0) return changed;
    const ids = rows.map(({ id }) => id);
    const heads = rows.map(({ head }) => updateSignalHead(head, declaration));
    await transaction.query(updateHeads(ids, heads));
    changed.push(...ids);
    if (rows.length < HEADS_AT_ONCE) return changed;
  }
}

/** Adds house consignments, decided by the live routing profile if they come without a decision. */
async function addHouses(
  transaction: Transaction,
  houses: readonly HouseToWrite[],
  registration: number,
  decideNew: DecideNew | undefined,
  context: RegistrationContext,
): Promise<NewDecisions['profile']> {
  if (houses.length === 0) return undefined;
  const undecided = houses.filter(({ house }) => house.routing === undefined);
  const decisions = await decideNew?.(transaction, undecided.map(toNewConsignment));
  const decided = houses.map((house) => ({ ...house, decision: decisions?.of(house.id) }));
  await transaction.query(insertHouses(decided, registration));
  await decisions?.record(context);
  return decisions?.profile;
}

function toNewConsignment({ id, declaration: { members }, house }: HouseToWrite): NewConsignment {
  return {
    id,
    facts: {
      customsOfficeOfFirstEntry: members.customsOfficeOfFirstEntry,
      documentNumber: house.transportDocumentHouseLevel.documentNumber,
      documentType: house.transportDocumentHouseLevel.type,
      receptacleId: house.receptacleId,
      subheadings: house.harmonizedSystemSubheadingCode,
      typeOfIdentification: members.activeBorderTransportMeans?.typeOfIdentification,
    },
  };
}
