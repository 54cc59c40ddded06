// Writes what a registration adds, changes and removes, with who did it: set by set, not one by one.
import type { ConsignmentEvent } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Transaction } from '../database/database.js';
import type { DecideNew, NewDecisions } from '../routing/decide-new.js';
import {
  deleteContainers,
  deleteHouses,
  insertContainers,
  insertHouses,
  insertRegistration,
  updateDeclarations,
  updateHeads,
  updateHouses,
  type WrittenHouse,
} from './change-queries.js';
import type { Comparison } from './compare-registrables.js';
import {
  changesSignals,
  type DeclarationMembers,
  moveSignalHead,
  renderSignalHead,
} from './entry-summary-declaration.js';
import { selectHeads } from './queries.js';
import type { Registration } from './registration.js';

/** House consignments whose heads are moved at once. */
const HEADS_AT_ONCE = 2000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** What writing needs beside what is written. */
export type WriteContext = {
  registration: Registration;
  audit: AuditTrail;
  mintId: () => string;
  decideNew: DecideNew | undefined;
};

/**
 * Writes what was accepted; where there is nothing to write, it writes nothing at all.
 *
 * @param added the ids of declarations that are new, by MRN
 */
export async function writeChanges(
  transaction: Transaction,
  accepted: readonly Comparison[],
  added: ReadonlyMap<string, number>,
  { registration, audit, mintId, decideNew }: WriteContext,
): Promise<void> {
  const { fresh, changed } = sortHouses(accepted, added, mintId);
  const removed = accepted.flatMap(({ others, registrable: { mrn } }) =>
    others.map((house) => ({ ...house, mrn })),
  );
  const redeclared = accepted.filter(
    ({ changed: members, registrable }) => members.length > 0 && registrable.declaration,
  );
  if (added.size + fresh.length + changed.length + removed.length + redeclared.length === 0) return;

  const id = await noteRegistration(transaction, registration);
  if (removed.length > 0) {
    await transaction.query(deleteHouses(removed.map((house) => house.id)));
  }
  if (changed.length > 0) {
    await transaction.query(updateHouses(changed));
    await transaction.query(deleteContainers(changed.map((house) => house.id)));
  }
  const moved = await redeclare(transaction, redeclared);
  const decisions = await addHouses(transaction, fresh, { id, registration, decideNew });
  const packed = [...changed, ...fresh].filter(({ house }) => house.containerId?.length);
  if (packed.length > 0) await transaction.query(insertContainers(packed));

  const events: ConsignmentEvent[] = [
    ...moved,
    ...changed.map((house) => ({
      houseConsignmentId: house.id,
      action: 'changed',
      details: { members: house.changed },
    })),
    ...removed.map(({ id: houseConsignmentId, mrn, documentNumber, type }) => ({
      houseConsignmentId,
      action: 'withdrawn',
      details: { mrn, transportDocumentHouseLevel: { documentNumber, type } },
    })),
  ];
  const [only] = accepted;
  await audit.record(
    transaction,
    {
      at: registration.at,
      actor: registration.actor,
      requestId: registration.requestId,
      action: 'entry-summary-declaration.registered',
      details: {
        registration: id,
        ...(accepted.length === 1 && { mrn: only?.registrable.mrn }),
        declarations: { added: added.size, changed: redeclared.length },
        houseConsignments: {
          added: fresh.length,
          changed: changed.length,
          removed: removed.length,
        },
        ...(decisions?.profile && { profile: decisions.profile }),
      },
    },
    events,
  );
}

/** Adds house consignments, decided by the live routing profile where they came without a decision. */
async function addHouses(
  transaction: Transaction,
  fresh: readonly FreshHouse[],
  {
    id,
    registration,
    decideNew,
  }: { id: number } & Pick<WriteContext, 'registration' | 'decideNew'>,
): Promise<NewDecisions | undefined> {
  if (fresh.length === 0) return undefined;
  const undecided = fresh.filter(({ house }) => house.routing === undefined);
  const decisions = await decideNew?.(
    transaction,
    undecided.map(({ id: houseId, house, members }) => ({
      id: houseId,
      facts: {
        customsOfficeOfFirstEntry: members.customsOfficeOfFirstEntry,
        documentNumber: house.transportDocumentHouseLevel.documentNumber,
        documentType: house.transportDocumentHouseLevel.type,
        receptacleId: house.receptacleId,
        subheadings: house.harmonizedSystemSubheadingCode,
        typeOfIdentification: members.activeBorderTransportMeans?.typeOfIdentification,
      },
    })),
  );
  const written = fresh.map((house): WrittenHouse => {
    const decided = decisions?.of(house.id);
    if (decided === undefined) return house;
    const { routing, routingControlLocation } = decided;
    return {
      ...house,
      decided: { routing, ...(routingControlLocation && { routingControlLocation }) },
    };
  });
  await transaction.query(insertHouses(written, id));
  const { at, actor, requestId } = registration;
  const { organisationId, client } = actor ?? { organisationId: undefined, client: undefined };
  await decisions?.record({ at, organisationId, client, requestId });
  return decisions;
}

async function noteRegistration(
  transaction: Transaction,
  { at, actor, requestId }: Registration,
): Promise<number> {
  const [row] = await transaction.query<{ id: number }>(
    insertRegistration({
      at,
      organisationId: actor?.organisationId,
      client: actor?.client,
      requestId,
    }),
  );
  if (row === undefined) throw new Error('a registration was not noted');
  return row.id;
}

type ChangedHouse = WrittenHouse & { changed: readonly string[] };

type FreshHouse = WrittenHouse & { members: DeclarationMembers };

/** The house consignments that are new, and those that stand and are told otherwise. */
function sortHouses(
  accepted: readonly Comparison[],
  added: ReadonlyMap<string, number>,
  mintId: () => string,
): { fresh: FreshHouse[]; changed: ChangedHouse[] } {
  const declared = new Map(
    accepted.flatMap(({ registrable: { mrn, declaration } }) =>
      declaration === undefined ? [] : [[mrn, declaration] as const],
    ),
  );
  const fresh: FreshHouse[] = [];
  const changed: ChangedHouse[] = [];
  for (const { registrable, standing, houses } of accepted) {
    const { mrn } = registrable;
    const members: DeclarationMembers | undefined = declared.get(mrn) ?? standing?.members;
    const declarationId = standing?.id ?? added.get(mrn);
    if (members === undefined || declarationId === undefined) {
      throw new Error(`${mrn} was accepted and does not stand`);
    }
    for (const [place, house] of registrable.houses.entries()) {
      const known = houses[place];
      if (known !== undefined && known.changed.length === 0) continue;
      const written = { declarationId, house, head: renderSignalHead(members, house) };
      if (known === undefined) fresh.push({ ...written, id: mintId(), members });
      else changed.push({ ...written, id: known.id, changed: known.changed });
    }
  }
  return { fresh, changed };
}

/** Changes declarations; gives the events of house consignments whose signals will say something else. */
async function redeclare(
  transaction: Transaction,
  redeclared: readonly Comparison[],
): Promise<ConsignmentEvent[]> {
  const declarations = redeclared.flatMap(({ registrable: { declaration } }) => declaration ?? []);
  if (declarations.length > 0) await transaction.query(updateDeclarations(declarations));
  const events: ConsignmentEvent[] = [];
  for (const { standing, changed, registrable } of redeclared) {
    const { declaration } = registrable;
    if (standing === undefined || declaration === undefined || !changesSignals(changed)) continue;
    for (const id of await moveHeads(transaction, standing.id, declaration)) {
      events.push({ houseConsignmentId: id, action: 'changed', details: { declaration: changed } });
    }
  }
  return events;
}

/** Has the heads of all house consignments of an ENS say what it says now; gives the ids of these. */
async function moveHeads(
  transaction: Transaction,
  declarationId: number,
  declaration: DeclarationMembers,
): Promise<string[]> {
  const moved: string[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const rows: { id: string; head: string }[] = await transaction.query(
      selectHeads(declarationId, after, HEADS_AT_ONCE),
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      await transaction.query(
        updateHeads(
          ids,
          rows.map(({ head }) => moveSignalHead(head, declaration)),
        ),
      );
    }
    moved.push(...ids);
    after = rows.length < HEADS_AT_ONCE ? undefined : ids.at(-1);
  }
  return moved;
}
