// What a change of a declaration's members changes in its house consignments: their signals, and what a profile decides.
import type { Transaction } from '../database/database.js';
import type { Recorded, RegistrationContext } from '../routing/decision-context.js';
import type { LiveProfile } from '../routing/profiles.js';
import { decideRegistered } from '../routing/registered-decisions.js';
import { storeDecisions } from '../routing/registered-goods.js';
import { factsOf, readDecided } from './decide-goods.js';
import { type ExistingDeclaration, selectOrganisationIds } from './declaration-queries.js';
import { flagForPresenters } from './entered-queries.js';
import { updateHeads, updateRoutings } from './house-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import { type HouseOfDeclaration, selectHousesOfDeclaration } from './registered-house-queries.js';
import { changedDeclaration, type RegistrationEvents, valuesOf } from './registration-events.js';
import { changesSignals, updateSignalHead } from './signal-head.js';

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

/** What changing them needs. */
export type ChangeParts = {
  profile: LiveProfile | undefined;
  context: Recorded<RegistrationContext>;
  events: RegistrationEvents;
};

/**
 * Changes the house consignments of a declaration whose members have been written, in steps: only what follows from these
 * members, so who may present two million of them is changed at once.
 *
 * @param isWritten whether a house consignment has been written with the new members already
 */
export async function changeDeclaration(
  transaction: Transaction,
  { declaration, existing, members }: ChangedDeclaration,
  isWritten: (id: string) => boolean,
  { profile, context, events }: ChangeParts,
): Promise<void> {
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
  if (!changesHeads && !changesFacts) return;
  for (let last: HouseOfDeclaration | undefined; ; ) {
    const page: HouseOfDeclaration[] = await transaction.query(
      selectHousesOfDeclaration(existing.id, last, HOUSES_AT_ONCE),
    );
    if (page.length === 0) return;
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
      await decideAgain(transaction, declaration, houses, profile, context);
    }
    if (page.length < HOUSES_AT_ONCE) return;
  }
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

/** The live profile decides again on what nobody else has decided. */
async function decideAgain(
  transaction: Transaction,
  declaration: DeclarationMembers,
  houses: readonly HouseOfDeclaration[],
  profile: LiveProfile | undefined,
  context: Recorded<RegistrationContext>,
): Promise<void> {
  const known = await readDecided(transaction, houses);
  const decided = [...known].flatMap(([id, { registered, before }]) => {
    const { decisions, route } = decideRegistered(
      {
        id,
        facts: factsOf(declaration, registered),
        registered: before.registered,
        before,
        hasNewFacts: true,
      },
      profile,
    );
    return decisions.length === 0 ? [] : [{ id, decisions, route }];
  });
  if (decided.length === 0) return;
  await transaction.query(updateRoutings(decided));
  const decisions = decided.flatMap((each) => each.decisions);
  await storeDecisions(transaction, decisions, context, profile);
}
