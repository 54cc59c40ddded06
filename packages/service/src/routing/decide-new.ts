// What the live routing profile decides of house consignments that are being pre-notified without a decision.
import type { Transaction } from '../database/database.js';
import type { ConsignmentFacts, ProfileDecision } from './compile-profile.js';
import type { RegistrationContext } from './decision-context.js';
import { insertProfileDecisions } from './profile-queries.js';
import type { LiveProfiles } from './profiles.js';

/** A house consignment that is about to be added: the id that it will have, which seeds the choice of shares. */
export type NewConsignment = { id: string; facts: ConsignmentFacts };

/** What was decided of them. */
export type NewDecisions = {
  /** The version that decided, and how many it decided; `undefined` when none is live. */
  profile: { name: string; version: number; decided: number } | undefined;
  /** What was decided of one, to be stored with it. */
  of(id: string): ProfileDecision | undefined;
  /** Records the decisions; called in the same transaction when the house consignments are there. */
  record(by: RegistrationContext): Promise<void>;
};

/**
 * Decides by the profile that is live in the transaction. It issues no signal: what is new is not presented. Without
 * a live profile it costs one look.
 */
export type DecideNew = (
  transaction: Transaction,
  consignments: readonly NewConsignment[],
) => Promise<NewDecisions>;

/** Makes the operation. */
export function makeDecideNew(profiles: LiveProfiles): DecideNew {
  return async (transaction, consignments) => {
    const profile = consignments.length === 0 ? undefined : await profiles.read(transaction);
    const decisions = new Map<string, ProfileDecision>();
    if (profile !== undefined) {
      for (const { id, facts } of consignments) {
        const decision = profile.decide(id, facts);
        if (decision !== undefined) decisions.set(id, decision);
      }
    }
    return {
      profile: profile && {
        name: profile.name,
        version: profile.version,
        decided: decisions.size,
      },
      of: (id) => decisions.get(id),
      record: async (by) => {
        if (profile === undefined || decisions.size === 0) return;
        await transaction.query(insertProfileDecisions(decisions, profile, by));
      },
    };
  };
}
