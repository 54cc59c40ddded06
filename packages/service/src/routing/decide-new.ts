// Applies the live routing profile to new house consignments that are pre-notified without a decision.
import type { Transaction } from '../database/database.js';
import type { ConsignmentFacts, ProfileDecision } from './compile-profile.js';
import type { RegistrationContext } from './decision-context.js';
import { insertProfileDecisions } from './profile-queries.js';
import type { LiveProfiles } from './profiles.js';

/** A house consignment that is about to be added, with its future id, which seeds the choice of shares. */
export type NewConsignment = { id: string; facts: ConsignmentFacts };

/** The decisions for new house consignments. */
export type NewDecisions = {
  /** The live version, and the number of its decisions; `undefined` if none is live. */
  profile: { name: string; version: number; decided: number } | undefined;
  /** The decision for one house consignment, which is stored with it. */
  of(id: string): ProfileDecision | undefined;
  /** Records the decisions, in the same transaction, after the house consignments were added. */
  record(by: RegistrationContext): Promise<void>;
};

/**
 * Decides by the profile that is live in the transaction. It issues no signals, because new house consignments are not
 * presented. Without a live profile it costs one short query.
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
