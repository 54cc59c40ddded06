// Has the live routing profile decide what was pre-notified without a decision before it was live.
import type { AppliedRoutingProfile } from '@landfall/contract';
import type { Database } from '../database/database.js';
import type { ProfileDecision } from './compile-profile.js';
import { DECISIONS_A_BLOCK, type DecideRouting } from './decide-routing.js';
import type { DecidedBy } from './decided-by.js';
import { type ConsignmentRow, selectUndecidedConsignments } from './profile-queries.js';
import { factsOf, type LiveProfile, type LiveProfiles, ProfileNotFoundError } from './profiles.js';

/**
 * Applies it to undecided house consignments in the order of their ids. What somebody decides meanwhile stands.
 *
 * @param above the id of the last one that was looked at before
 * @param limit how many undecided ones are looked at
 * @throws ProfileNotFoundError when none is live
 */
export async function applyRoutingProfile(
  parts: { database: Database; profiles: LiveProfiles; decideRouting: DecideRouting },
  above: string | undefined,
  limit: number,
  by: DecidedBy,
): Promise<AppliedRoutingProfile> {
  const profile = await parts.profiles.read(parts.database);
  if (profile === undefined) throw new ProfileNotFoundError('No routing profile is live');
  const { name, version } = profile;
  const applied: AppliedRoutingProfile = { name, version, examined: 0, decided: 0, signals: 0 };
  let last = above;
  for (let left = limit; left > 0; left -= DECISIONS_A_BLOCK) {
    const wanted = Math.min(left, DECISIONS_A_BLOCK);
    const undecided = await parts.database.query<ConsignmentRow>(
      selectUndecidedConsignments(last, wanted),
    );
    last = undecided.at(-1)?.id;
    applied.examined += undecided.length;
    const rows = await decideBlock(parts.decideRouting, profile, undecided, by);
    applied.decided += rows.filter(({ changed }) => changed).length;
    applied.signals += rows.reduce((sum, { signals }) => sum + signals, 0);
    if (undecided.length < wanted) return applied;
  }
  return last === undefined ? applied : { ...applied, marker: last };
}

function decideBlock(
  decideRouting: DecideRouting,
  profile: LiveProfile,
  undecided: readonly ConsignmentRow[],
  by: DecidedBy,
) {
  const decided: { id: string; decision: ProfileDecision }[] = [];
  for (const row of undecided) {
    const decision = profile.decide(row.id, factsOf(row));
    if (decision !== undefined) decided.push({ id: row.id, decision });
  }
  const { name, version } = profile;
  return decideRouting.decideUndecided(
    decided.map(({ id }) => id),
    {
      routing: decided.map(({ decision }) => decision.routing),
      routingControlLocation: decided.map(
        ({ decision }) => decision.routingControlLocation ?? null,
      ),
      reason: decided.map(() => null),
      rule: decided.map(({ decision }) => decision.rule),
    },
    { ...by, profile: { name, version } },
  );
}
