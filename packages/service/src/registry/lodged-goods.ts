// Goods that were lodged as a house consignment, in the transaction of their message: each is under a declaration of its own.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Transaction } from '../database/database.js';
import type { FeedTransaction } from '../feed/transact-on-feeds.js';
import type { ConsignmentFacts } from '../routing/compile-profile.js';
import type { Recorded, RegistrationContext } from '../routing/decision-context.js';
import { readFacts } from '../routing/profiles.js';
import { storeDecisions } from '../routing/registered-goods.js';
import { carryToOthers, readTold } from '../routing/told-twice.js';
import { decideAgain } from './change-declaration.js';
import { decideGoods, factsOf, profileFor } from './decide-goods.js';
import { insertRegistration } from './declaration-queries.js';
import { flagEntered } from './flag-entered.js';
import { insertContainers, insertHouses } from './house-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import { type Registry, registerIn } from './register.js';
import { selectRegisteredHouses } from './registered-house-queries.js';
import { RegistrationEvents } from './registration-events.js';
import { withdrawUnlisted } from './withdraw-houses.js';
import { keepControls, withdrawDeclarations } from './withdrawal-queries.js';

/** Goods with their declaration, which has been inserted by a request. */
export type LodgedGoods = {
  declaration: { id: number; members: DeclarationMembers };
  house: PreNotifiedHouseConsignment;
  registration: number;
  context: Recorded<RegistrationContext>;
};

/** Adds goods in sets. The live profile decides on those that are complete, as far as it knows what it asks for. */
export async function addLodged(
  transaction: FeedTransaction,
  lodged: readonly LodgedGoods[],
  {
    newId,
    profiles,
    rules,
    expectedOnly = false,
  }: Pick<Registry, 'expectedOnly' | 'newId' | 'profiles' | 'rules'>,
): Promise<void> {
  if (lodged.length === 0) return;
  const contexts = new Map<string, LodgedGoods['context']>();
  const added = lodged.map(({ context, ...goods }) => {
    const id = newId();
    contexts.set(id, context);
    return { ...goods, id };
  });
  const profile = await profiles?.read(transaction);
  const goods = { added, returned: [], changed: [] };
  const { houses, decisions } = decideGoods(
    goods,
    new Map(),
    profile,
    rules,
    await readTold(transaction, added),
  );
  await transaction.query(insertHouses(houses.added));
  const packed = houses.added.filter(({ house }) => house.containerId !== undefined);
  if (packed.length > 0) await transaction.query(insertContainers(packed));
  const contextOf = (id: string) => {
    const context = contexts.get(id);
    if (context === undefined) throw new Error(`nobody has lodged ${id}`);
    return context;
  };
  await storeDecisions(transaction, decisions, ({ house }) => contextOf(house), profile);
  await flagEntered(transaction, [], houses.added);
  await carryToOthers(transaction, houses.added, {
    expectedOnly,
    contextOf,
    decided: new Set(decisions.map(({ house }) => house)),
  });
}

/**
 * Replaces a declaration that was lodged, with its parties and with its goods if it has any. The live profile decides on them
 * again, unless they are presented: these keep what was decided, and take a stricter decision on other records of the goods
 * that they are the same as from now on.
 */
export async function replaceLodged(
  transaction: FeedTransaction,
  registry: Registry,
  declaration: DeclarationMembers,
  goods: { id: string; house: PreNotifiedHouseConsignment; isPresented: boolean } | undefined,
  context: Recorded<RegistrationContext>,
): Promise<void> {
  const { mrn } = declaration;
  const houses = goods === undefined ? [] : [goods.house];
  await registerIn(
    transaction,
    registry,
    [{ mrn, declaration, houses, isComplete: true }],
    context,
  );
  if (goods === undefined || goods.isPresented) return;
  const profile = await registry.profiles?.read(transaction);
  const registered = await transaction.query(selectRegisteredHouses([goods.id]));
  const { expectedOnly = false } = registry;
  await decideAgain(transaction, registered, (house) => factsOf(declaration, house.registered), {
    profile: profileFor(declaration, profile),
    context,
    expectedOnly,
  });
}

/** House consignments that are decided at once. */
const HOUSES_AT_ONCE = 500;

/** The live profile decides on goods that have become complete. They are locked, and not presented. */
export async function decideLodgedAgain(
  transaction: FeedTransaction,
  { profiles, expectedOnly = false }: Pick<Registry, 'expectedOnly' | 'profiles'>,
  houses: readonly string[],
  context: Recorded<RegistrationContext>,
): Promise<void> {
  const profile = houses.length === 0 ? undefined : await profiles?.read(transaction);
  if (profile === undefined) return;
  for (let first = 0; first < houses.length; first += HOUSES_AT_ONCE) {
    const ids = houses.slice(first, first + HOUSES_AT_ONCE);
    const registered = await transaction.query(selectRegisteredHouses(ids));
    const facts = await readFacts(transaction, ids);
    const complete = registered.filter(({ id }) => facts.has(id));
    await decideAgain(transaction, complete, ({ id }) => known(facts, id), {
      profile,
      context,
      expectedOnly,
    });
  }
}

function known(facts: ReadonlyMap<string, ConsignmentFacts>, id: string): ConsignmentFacts {
  const found = facts.get(id);
  if (found === undefined) throw new Error(`the facts of ${id} were not read`);
  return found;
}

/** Keeps the controls of goods that have come and whose messages are closed: the same goods may come again. */
export async function keepControlsOfClosed(
  transaction: Transaction,
  declarations: readonly number[],
  at: Date,
): Promise<void> {
  const nothing = { withdrawnFrom: [], listed: [], changed: [], partiesOf: [] };
  await transaction.query(keepControls({ ...nothing, closed: declarations }, at));
}

/** A declaration that was lodged. */
export type LodgedDeclaration = { id: number; mrn: string };

/** What the record of a withdrawal says. */
type Withdrawal = { action: string; details: Record<string, unknown> };

/**
 * Withdraws declarations that were lodged, with their goods if they have any. Nothing of them is presented.
 *
 * @param record is what is recorded if goods are withdrawn; `always`: also if none are
 */
export async function withdrawLodged(
  transaction: Transaction,
  audit: AuditTrail,
  declarations: readonly LodgedDeclaration[],
  context: RegistrationContext,
  { action, details, always = false }: Withdrawal & { always?: boolean },
): Promise<void> {
  const [registration] = await transaction.query(insertRegistration(context));
  if (registration === undefined) throw new Error('a registration was not inserted');
  const { id, at } = registration;
  const events = new RegistrationEvents(audit, transaction, { ...context, at }, id);
  const ids = declarations.map((declaration) => declaration.id);
  const leaving = { withdrawnFrom: ids, listed: [], changed: [], partiesOf: [] };
  await transaction.query(keepControls(leaving, at));
  let removed = 0;
  for (const declaration of declarations) {
    removed += await withdrawUnlisted(transaction, declaration, [], id, events);
  }
  await transaction.query(withdrawDeclarations(ids, id));
  if (removed > 0 || always) await events.record(action, details);
}
