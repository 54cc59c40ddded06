// What a change of a declaration's members changes in its house consignments: their signals, and what a profile decides.
import type { Transaction } from '../database/database.js';
import type { Recorded, RegistrationContext } from '../routing/decision-context.js';
import type { LiveProfile } from '../routing/profiles.js';
import { decideRegistered } from '../routing/registered-decisions.js';
import { storeDecisions } from '../routing/registered-goods.js';
import { updateHeads, updateRoutings } from './change-queries.js';
import { factsOf, readDecided } from './decide-goods.js';
import {
  type ExistingDeclaration,
  type HouseOfDeclaration,
  selectHousesOfDeclaration,
} from './existing-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import { type RegistrationEvents, valuesOf } from './registration-events.js';
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

/** What changing them needs. */
export type ChangeParts = {
  profile: LiveProfile | undefined;
  context: Recorded<RegistrationContext>;
  events: RegistrationEvents;
};

/**
 * Changes the house consignments of a declaration whose members have been written, in steps.
 *
 * @param isWritten whether a house consignment has been written with the new members already
 */
export async function changeDeclaration(
  transaction: Transaction,
  { declaration, existing, members }: ChangedDeclaration,
  isWritten: (id: string) => boolean,
  { profile, context, events }: ChangeParts,
): Promise<void> {
  const details = {
    declaration: members,
    ...valuesOf(members, existing.members, declaration),
  };
  for (let last: string | undefined; ; ) {
    const page = await transaction.query(
      selectHousesOfDeclaration(existing.id, last, HOUSES_AT_ONCE),
    );
    if (page.length === 0) return;
    last = page.at(-1)?.id;
    const houses = page.filter(({ id }) => !isWritten(id));
    if (changesSignals(members)) {
      await transaction.query(
        updateHeads(
          houses.map(({ id }) => id),
          houses.map(({ head }) => updateSignalHead(head, declaration)),
        ),
      );
    }
    if (members.some((member) => FACTS.includes(member))) {
      await decideAgain(transaction, declaration, houses, profile, context);
    }
    await events.add(
      houses.map(({ id }) => ({ houseConsignmentId: id, action: 'changed', details })),
    );
    if (page.length < HOUSES_AT_ONCE) return;
  }
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
