// Writes what a registration adds, changes and withdraws, in sets, and records who registered it.
import { isObject, type PreNotifiedHouseConsignment } from '@landfall/contract';
import type { ConsignmentEvent } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Transaction } from '../database/database.js';
import { ChangedMeanwhileError, type FeedTransaction } from '../feed/transact-on-feeds.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import type { LiveProfiles } from '../routing/profiles.js';
import type { RegistrationRules } from '../routing/registered-decisions.js';
import { storeDecisions } from '../routing/registered-goods.js';
import { carryToOthers, readTold } from '../routing/told-twice.js';
import { type ChangeParts, changeDeclaration, changesParties } from './change-declaration.js';
import { type Change, isUnchanged } from './compare-with-existing.js';
import {
  decideGoods,
  type Goods,
  type GoodsToDecide,
  type KnownGoods,
  readKnown,
} from './decide-goods.js';
import {
  type ExistingDeclaration,
  insertDeclarations,
  insertOrganisations,
  insertRegistration,
  updateDeclarations,
  updateVersions,
} from './declaration-queries.js';
import { flagEntered, lockEntered } from './flag-entered.js';
import { deleteContainers, insertContainers, insertHouses, updateHouses } from './house-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import { RegistrationEvents, valuesOf } from './registration-events.js';
import { withdrawUnlisted } from './withdraw-houses.js';
import { deleteWithdrawnHouses, keepControls } from './withdrawal-queries.js';

/** What writing needs. */
export type WriteContext = {
  audit: AuditTrail;
  /** Gives the ids of house consignments; a later id sorts later. */
  newId: () => string;
  /** The live routing profile decides on what nobody else has decided; without it, that stays undecided. */
  profiles?: LiveProfiles;
  /** What is configured for the decisions that registrations bring. */
  rules?: RegistrationRules | undefined;
  /** Whether only expected parties may present, by which other records of the same goods are found. */
  expectedOnly?: boolean;
  /** Presents goods of an ENS that have arrived as they were lodged; without it, the next arrival or message does. */
  arrived?: ArrivedGoods | undefined;
};

/** Presents goods that have arrived. */
export type ArrivedGoods = {
  /**
   * Presents what transports that have arrived reach of the same goods.
   *
   * @param lodged the numbers of the messages by which they were lodged
   * @returns what is to be done after the commit; it never fails
   */
  presentTold(
    transaction: FeedTransaction,
    lodged: readonly number[],
    at: Date,
  ): Promise<() => Promise<void>>;
};

/** What is to be done after the commit. */
export type AfterCommit = () => Promise<void>;

/**
 * Writes accepted changes and their audit record; nothing at all if nothing changes.
 *
 * @returns what is to be done after the commit, if there is anything
 */
export async function writeChanges(
  transaction: FeedTransaction,
  changes: readonly Change[],
  { audit, newId, profiles, rules, expectedOnly = false, arrived }: WriteContext,
  registering: RegistrationContext,
): Promise<AfterCommit | undefined> {
  if (changes.every(isUnchanged)) return;
  const [registration] = await transaction.query(insertRegistration(registering));
  if (registration === undefined) throw new Error('a registration was not inserted');
  const context = { ...registering, at: registration.at };
  const newDeclarations = await addDeclarations(transaction, changes, registration.id);
  const goods = goodsOf(changes, newDeclarations, registration.id, newId);
  const events = new RegistrationEvents(audit, transaction, context, registration.id, () =>
    lockEntered(transaction, [...goods.changed, ...goods.returned, ...goods.added]),
  );
  const known = await readKnown(transaction, [...goods.changed, ...goods.returned]);
  await keepLeaving(transaction, changes, goods, known, registration.at);
  const removed = await withdrawRemoved(transaction, changes, registration.id, events);

  const profile = await profiles?.read(transaction);
  const told = await readTold(transaction, [...goods.changed, ...goods.returned, ...goods.added]);
  const { houses, decisions } = decideGoods(goods, known, profile, rules, told);
  if (houses.changed.length > 0) {
    await transaction.query(updateHouses(houses.changed));
    await transaction.query(deleteContainers(houses.changed.map(({ id }) => id)));
  }
  if (houses.returned.length > 0) {
    const ids = houses.returned.map(({ id }) => id);
    const deleted = await transaction.query(deleteWithdrawnHouses(ids));
    // Retention has just removed some of them, with their decisions.
    if (deleted.length < ids.length) throw new ChangedMeanwhileError('removed meanwhile');
  }
  const inserted = [...houses.returned, ...houses.added];
  if (inserted.length > 0) await transaction.query(insertHouses(inserted));
  const packed = [...houses.changed, ...inserted].filter(({ house }) => house.containerId?.length);
  if (packed.length > 0) await transaction.query(insertContainers(packed));
  await storeDecisions(transaction, decisions, () => context, profile);
  const written = new Set(inserted.map(({ id }) => id));
  const isWritten = (id: string) => written.has(id);
  const lodgedBefore = await changeDeclarations(transaction, changes, isWritten, {
    profile,
    context,
    events,
    expectedOnly,
  });
  const versions = changes.flatMap((change) =>
    change.existing === undefined || isUnchanged(change) ? [] : change.existing.id,
  );
  if (versions.length > 0) await transaction.query(updateVersions(versions, registration.id));
  await flagEntered(transaction, houses.changed, inserted);
  const lodged = await carryToOthers(transaction, [...houses.changed, ...inserted], {
    expectedOnly,
    contextOf: () => context,
    decided: new Set(decisions.map(({ house }) => house)),
  });
  const toldBy = [...new Set([...lodgedBefore, ...lodged])];
  const afterCommit =
    toldBy.length > 0 ? await arrived?.presentTold(transaction, toldBy, context.at) : undefined;

  const [only] = changes;
  const decided = decisions.filter(({ rule }) => rule !== undefined).length;
  await events.add([
    ...goods.changed.map((each) => changedEvent('changed', each, known, registration.id)),
    ...goods.returned.map((each) => changedEvent('returned', each, known, registration.id)),
  ]);
  await events.record(actionOf(changes), {
    ...(changes.length === 1 && { mrn: only?.incoming.mrn }),
    declarations: {
      added: newDeclarations.size,
      changed: changes.filter(({ members }) => members.length > 0).length,
    },
    houseConsignments: {
      added: houses.added.length,
      ...(houses.returned.length > 0 && { returned: houses.returned.length }),
      changed: houses.changed.length,
      removed,
    },
    ...(decided > 0 &&
      profile && { profile: { name: profile.name, version: profile.version, decided } }),
  });
  return afterCommit;
}

/** The action of the record: entries are all ENS, or one that was lodged. */
function actionOf([first]: readonly Change[]): string {
  return first?.incoming.declaration?.kind === undefined
    ? 'entry-summary-declaration.registered'
    : 'movement.replaced';
}

/** Keeps the controls of what is withdrawn, and of what had something else in common with others before. */
async function keepLeaving(
  transaction: Transaction,
  changes: readonly Change[],
  goods: Goods<GoodsToDecide>,
  known: KnownGoods,
  at: Date,
): Promise<void> {
  const idsOf = (isMeant: (change: Change) => boolean) =>
    changes.flatMap((change) => (isMeant(change) ? (change.existing?.id ?? []) : []));
  const removing = changes.filter(({ removed }) => removed !== undefined);
  const leaving = {
    withdrawnFrom: idsOf(({ removed }) => removed !== undefined),
    listed: removing.flatMap(({ listed }) => listed),
    changed: goods.changed.flatMap(({ id, house }) => {
      const before = known.get(id)?.registered;
      return COUPLINGS.every((member) => isSame(before?.[member], house[member])) ? [] : id;
    }),
    partiesOf: idsOf(({ members }) => changesParties(members)),
  };
  const isAny = [leaving.withdrawnFrom, leaving.changed, leaving.partiesOf].some(
    (ids) => ids.length > 0,
  );
  if (isAny) await transaction.query(keepControls(leaving, at));
}

/** Withdraws what declarations do not list any more; returns how many house consignments. */
async function withdrawRemoved(
  transaction: Transaction,
  changes: readonly Change[],
  registration: number,
  events: RegistrationEvents,
): Promise<number> {
  let withdrawn = 0;
  for (const { incoming, existing, removed, listed } of changes) {
    if (existing === undefined || removed === undefined) continue;
    const declaration = { id: existing.id, mrn: incoming.mrn };
    withdrawn += await withdrawUnlisted(transaction, declaration, listed, registration, events);
  }
  return withdrawn;
}

/** The event that the members of a house consignment have other values than before. */
function changedEvent(
  action: 'changed' | 'returned',
  { id, house }: GoodsToDecide,
  known: KnownGoods,
  registration: number,
): ConsignmentEvent {
  const before = known.get(id)?.registered;
  const members = HOUSE_MEMBERS.filter((member) => !isSame(before?.[member], house[member]));
  // A routing and where its control takes place are one fact.
  const names = [...new Set(members.map((name) => (name === LOCATION ? 'routing' : name)))];
  return {
    houseConsignmentId: id,
    action,
    details: {
      ...(members.length > 0 && { members: names, ...valuesOf(members, before ?? {}, house) }),
      registration,
    },
  };
}

const LOCATION = 'routingControlLocation';

/** What goods have in common with others of their house document. */
const COUPLINGS = ['transportDocumentMasterLevel', 'receptacleId'] as const;

const HOUSE_MEMBERS = [
  'transportDocumentHouseLevel',
  'transportDocumentMasterLevel',
  'receptacleId',
  'containerId',
  'harmonizedSystemSubheadingCode',
  'routing',
  LOCATION,
] as const satisfies readonly (keyof PreNotifiedHouseConsignment)[];

function isSame(one: unknown, other: unknown): boolean {
  return describe(one) === describe(other);
}

/** The members of a document may come in any order, with others that are not stored. */
function describe(value: unknown): string | undefined {
  if (Array.isArray(value) && value.length === 0) return undefined;
  return isObject(value)
    ? JSON.stringify([value.documentNumber, value.type])
    : JSON.stringify(value);
}

/**
 * Adds new declarations, and the organisations that new or changed ones name for the first time.
 *
 * @returns the ids of the new declarations by MRN
 */
async function addDeclarations(
  transaction: Transaction,
  changes: readonly Change[],
  registration: number,
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
  const rows = await transaction.query(insertDeclarations(added, registration));
  if (rows.length < added.length) throw new ChangedMeanwhileError('registered concurrently');
  return new Map(rows.map(({ id, mrn }) => [mrn, id]));
}

function namedOrganisations(declaration: DeclarationMembers): string[] {
  const { declarant, representative, carrier, presenters = [] } = declaration;
  return [declarant, representative, carrier, ...presenters].filter((name) => name !== undefined);
}

/** The house consignments to write, each with its declaration as it will be. */
function goodsOf(
  changes: readonly Change[],
  newDeclarations: ReadonlyMap<string, number>,
  registration: number,
  newId: () => string,
): Goods<GoodsToDecide> {
  // A house consignment on a line of its own may belong to a declaration on another line.
  const incomingMembers = new Map(
    changes.flatMap(({ incoming: { mrn, declaration } }) =>
      declaration === undefined ? [] : [[mrn, declaration] as const],
    ),
  );
  const goods: Goods<GoodsToDecide> = { added: [], returned: [], changed: [] };
  for (const { incoming, existing, added, returned, changed } of changes) {
    const { mrn } = incoming;
    const id = existing?.id ?? newDeclarations.get(mrn);
    const members = incomingMembers.get(mrn) ?? existing?.members;
    if (id === undefined || members === undefined) throw new Error(`${mrn} does not exist`);
    const declaration: Pick<ExistingDeclaration, 'id' | 'members'> = { id, members };
    for (const house of added) {
      goods.added.push({ id: newId(), declaration, house, registration });
    }
    for (const { id: kept, house, registration: first } of returned) {
      goods.returned.push({ id: kept, declaration, house, registration: first });
    }
    for (const { id: kept, house, presented: isPresented } of changed) {
      goods.changed.push({ id: kept, declaration, house, registration: null, isPresented });
    }
  }
  return goods;
}

/**
 * Changes declarations, and their house consignments that are not written yet.
 *
 * @returns the numbers of the messages by which the same goods were lodged
 */
async function changeDeclarations(
  transaction: FeedTransaction,
  changes: readonly Change[],
  isWritten: (id: string) => boolean,
  parts: ChangeParts,
): Promise<readonly number[]> {
  const changed = changes.flatMap(({ incoming: { declaration }, existing, members }) =>
    declaration !== undefined && existing !== undefined && members.length > 0
      ? [{ declaration, existing, members }]
      : [],
  );
  if (changed.length === 0) return [];
  await transaction.query(updateDeclarations(changed.map(({ declaration }) => declaration)));
  const lodged: number[] = [];
  for (const each of changed) {
    lodged.push(...(await changeDeclaration(transaction, each, isWritten, parts)));
  }
  return lodged;
}
