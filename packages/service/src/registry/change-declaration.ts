// What a change of a declaration's members changes in its house consignments: their signals, and what a profile decides.
import type { Transaction } from '../database/database.js';
import type { FeedTransaction } from '../feed/transact-on-feeds.js';
import type { ConsignmentFacts } from '../routing/compile-profile.js';
import type { Recorded, RegistrationContext } from '../routing/decision-context.js';
import type { LiveProfile } from '../routing/profiles.js';
import { decideRegistered } from '../routing/registered-decisions.js';
import { storeDecisions } from '../routing/registered-goods.js';
import { carryToOthers, readTold } from '../routing/told-twice.js';
import { factsOf, profileFor, readDecided } from './decide-goods.js';
import { type ExistingDeclaration, selectOrganisationIds } from './declaration-queries.js';
import { flagForPresenters } from './entered-queries.js';
import { updateHeads, updateRoutings } from './house-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import {
  type HouseOfDeclaration,
  type RegisteredHouse,
  selectHousesOfDeclaration,
} from './registered-house-queries.js';
import { changedDeclaration, type RegistrationEvents, valuesOf } from './registration-events.js';
import { changesSignals, updateSignalHead } from './signal-head.js';
import { selectKeptForParties } from './withdrawal-queries.js';

/** House consignments that are changed at once. */
const HOUSES_AT_ONCE = 500;

/** A declaration with other members than before, and their names. */
export type ChangedDeclaration = {
  declaration: DeclarationMembers;
  existing: ExistingDeclaration;
  members: readonly string[];
};

/** Members that are facts of a routing profile. */
const FACTS: readonly string[] = ['customsOfficeOfFirstEntry', 'activeBorderTransportMeans'];

/** Members that say who may present, where only those may whom the declaration names. */
const PARTIES = ['declarant', 'representative', 'carrier', 'presenters'] as const;

/** Members by which goods of one declaration are the same as others whose control was kept. */
const KEPT_BY: readonly string[] = ['declarant', 'representative'];

/** Whether other goods may have a party in common with the goods of a declaration than before. */
export function changesParties(members: readonly string[]): boolean {
  return members.some((member) => KEPT_BY.includes(member));
}

/** What changing them needs. */
export type ChangeParts = {
  profile: LiveProfile | undefined;
  context: Recorded<RegistrationContext>;
  events: RegistrationEvents;
  /** Whether only expected parties may present, by which other records of the same goods are found. */
  expectedOnly: boolean;
};

/**
 * Changes the house consignments of a declaration whose members have been written, in steps: only what follows from these
 * members, so who may present two million of them is changed at once.
 *
 * @param isWritten whether a house consignment has been written with the new members already
 * @returns the numbers of the messages by which the same goods were lodged
 */
export async function changeDeclaration(
  transaction: FeedTransaction,
  { declaration, existing, members }: ChangedDeclaration,
  isWritten: (id: string) => boolean,
  { profile, context, events, expectedOnly }: ChangeParts,
): Promise<readonly number[]> {
  await events.add([
    changedDeclaration(existing, {
      declaration: members,
      ...valuesOf(members, existing.members, declaration),
      registration: events.registration,
    }),
  ]);
  await flagForOthers(transaction, existing, declaration);
  const changesHeads = changesSignals(members);
  const changesFacts = members.some((member) => FACTS.includes(member));
  // Who may present is by what other records of the same goods are found.
  const changesOthers = expectedOnly && namedOtherwise(existing.members, declaration).length > 0;
  const lodged = changesParties(members)
    ? await takeKept(transaction, existing, { context, expectedOnly })
    : [];
  if (!changesHeads && !changesFacts && !changesOthers) return lodged;
  for (let last: HouseOfDeclaration | undefined; ; ) {
    const page: HouseOfDeclaration[] = await transaction.query(
      selectHousesOfDeclaration(existing.id, last, HOUSES_AT_ONCE),
    );
    if (page.length === 0) return lodged;
    last = page.at(-1);
    const houses = page.filter(({ id }) => !isWritten(id));
    if (changesHeads) {
      await transaction.query(
        updateHeads(
          houses.map(({ id }) => id),
          houses.map(({ head }) => updateSignalHead(head, declaration)),
        ),
      );
    }
    if (changesFacts) {
      lodged.push(
        ...(await decideAgain(
          transaction,
          houses,
          ({ registered }) => factsOf(declaration, registered),
          { profile: profileFor(declaration, profile), context, expectedOnly },
        )),
      );
    } else if (changesOthers) {
      const goods = houses.map(({ id }) => ({ id }));
      lodged.push(
        ...(await carryToOthers(transaction, goods, {
          expectedOnly,
          contextOf: () => context,
          decided: new Set(),
        })),
      );
    }
    if (page.length < HOUSES_AT_ONCE) return lodged;
  }
}

/** Goods of a declaration take the controls over that were kept of goods of their new parties. */
async function takeKept(
  transaction: FeedTransaction,
  existing: ExistingDeclaration,
  { context, expectedOnly }: Pick<ChangeParts, 'context' | 'expectedOnly'>,
): Promise<number[]> {
  const houses = await transaction.query(selectKeptForParties(existing.id, expectedOnly));
  const lodged: number[] = [];
  for (let first = 0; first < houses.length; first += HOUSES_AT_ONCE) {
    const goods = houses.slice(first, first + HOUSES_AT_ONCE);
    const carrying = { expectedOnly, contextOf: () => context, decided: new Set<string>() };
    lodged.push(...(await carryToOthers(transaction, goods, carrying)));
  }
  return lodged;
}

/** The organisations that are named only before a change, or only after it. */
export function namedOtherwise(before: DeclarationMembers, after: DeclarationMembers): string[] {
  const [old, now] = [before, after].map(
    (members) => new Set(PARTIES.flatMap((member) => members[member] ?? [])),
  );
  return old === undefined || now === undefined
    ? []
    : [...old, ...now].filter((name) => old.has(name) !== now.has(name));
}

/**
 * What those have presented above the house level who are named now comes to reach these goods, and what those have
 * presented who are named no longer does not. Both are locked, as whoever presents is.
 */
async function flagForOthers(
  transaction: Transaction,
  existing: ExistingDeclaration,
  declaration: DeclarationMembers,
): Promise<void> {
  const named = namedOtherwise(existing.members, declaration);
  if (named.length === 0) return;
  const rows = await transaction.query(selectOrganisationIds(named));
  await transaction.query(
    flagForPresenters(
      existing.id,
      rows.map(({ id }) => id),
    ),
  );
}

/**
 * The live profile decides again on goods that are not presented and that nobody else has decided, and on other records of
 * them.
 *
 * @returns the numbers of the messages by which the same goods were lodged
 */
export async function decideAgain(
  transaction: FeedTransaction,
  houses: readonly RegisteredHouse[],
  factsOfHouse: (house: RegisteredHouse) => ConsignmentFacts,
  { profile, context, expectedOnly }: Omit<ChangeParts, 'events'>,
): Promise<readonly number[]> {
  const known = await readDecided(transaction, houses);
  const goods = houses.map(({ id }) => ({ id }));
  const told = await readTold(transaction, goods);
  const decided = [...known].flatMap(([id, { registered, before }]) => {
    const { decisions, route } = decideRegistered(
      {
        id,
        facts: factsOfHouse({ id, registered }),
        registered: before.registered,
        before,
        hasNewFacts: true,
        told: told.get(id),
      },
      profile,
    );
    return decisions.length === 0 ? [] : [{ id, decisions, route }];
  });
  if (decided.length > 0) {
    await transaction.query(updateRoutings(decided));
    const decisions = decided.flatMap((each) => each.decisions);
    await storeDecisions(transaction, decisions, () => context, profile);
  }
  return carryToOthers(transaction, goods, {
    expectedOnly,
    contextOf: () => context,
    decided: new Set(decided.map(({ id }) => id)),
  });
}
