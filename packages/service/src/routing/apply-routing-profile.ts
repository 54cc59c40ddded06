// Applies the live routing profile to house consignments that were pre-notified without a decision.
import type { AppliedRoutingProfile } from '@landfall/contract';
import type { Database, Transaction } from '../database/database.js';
import { countSignals, type DecisionCommits, MAX_DECISIONS_PER_BLOCK } from './commit-decisions.js';
import type { Decision } from './compare-decisions.js';
import type { DecisionContext } from './decision-context.js';
import {
  type ConsignmentRow,
  selectConsignmentFacts,
  selectLastOf,
  selectUndecidedConsignments,
} from './profile-queries.js';
import { factsOf, type LiveProfile, type LiveProfiles, ProfileNotFoundError } from './profiles.js';

/** How many house consignments are read at most for each that may be examined: most are decided already. */
const READ_FOR_EACH = 100;

/** Even a small limit reads as many: a request that reads fewer is hardly faster. */
const MIN_READ = 10_000;

/**
 * Decides undecided house consignments in the order of their ids. Decisions that others make meanwhile are kept.
 *
 * @param above the id of the last house consignment that was already examined
 * @param limit maximum number of house consignments to examine
 * @throws ProfileNotFoundError when no profile is live
 */
export async function applyRoutingProfile(
  parts: { database: Database; profiles: LiveProfiles; commits: DecisionCommits },
  above: string | undefined,
  limit: number,
  context: DecisionContext,
): Promise<AppliedRoutingProfile> {
  const profile = await parts.profiles.read(parts.database);
  if (profile === undefined) throw new ProfileNotFoundError('No routing profile is live');
  const { name, version } = profile;
  const applied: AppliedRoutingProfile = { name, version, examined: 0, decided: 0, signals: 0 };
  const mayRead = Math.max(MIN_READ, limit * READ_FOR_EACH);
  const blocks = Math.ceil(limit / MAX_DECISIONS_PER_BLOCK);
  const readOfBlock = Math.ceil(mayRead / blocks);
  let last = above;
  for (let left = limit; left > 0; left -= MAX_DECISIONS_PER_BLOCK) {
    const requested = Math.min(left, MAX_DECISIONS_PER_BLOCK);
    const undecided = await parts.database.query(
      selectUndecidedConsignments(last, requested, readOfBlock),
    );
    const isFull = undecided.length === requested;
    const [end] = isFull
      ? undecided.slice(-1)
      : await parts.database.query(selectLastOf(last, readOfBlock));
    last = end?.id;
    applied.examined += undecided.length;
    const decisions = undecided.flatMap((row) => decideByProfile(profile, row) ?? []);
    const rows = await parts.commits.commit({
      decisions,
      confirm: (transaction) => confirmDecisions(transaction, parts.profiles, profile, decisions),
      context: { ...context, origin: 'PROFILE', profile: { name, version } },
      onlyUndecided: true,
    });
    applied.decided += rows.filter(({ status }) => status === 'DECIDED').length;
    applied.signals += countSignals(rows);
    if (last === undefined) break;
  }
  return last === undefined ? applied : { ...applied, marker: last };
}

/**
 * Which decisions the profile that is live still makes by the facts of now: goods may have been changed since they were read,
 * and then the profile that was live at the change has decided on them.
 */
export async function confirmDecisions(
  transaction: Transaction,
  profiles: LiveProfiles,
  { name, version }: LiveProfile,
  decisions: readonly Decision[],
): Promise<(decision: Decision) => boolean> {
  const live = await profiles.read(transaction);
  if (live === undefined || live.name !== name || live.version !== version) return () => false;
  const ids = decisions.flatMap(({ house }) => house ?? []);
  const rows = await transaction.query(selectConsignmentFacts(ids));
  const now = new Map(rows.map((row) => [row.id, decideByProfile(live, row)]));
  return (decision) => {
    const same = now.get(decision.house ?? '');
    return (
      same?.rule === decision.rule &&
      same?.routing === decision.routing &&
      same.routingControlLocation === decision.routingControlLocation
    );
  };
}

export function decideByProfile(profile: LiveProfile, row: ConsignmentRow): Decision | undefined {
  const facts = factsOf(row);
  const decision = profile.decide(row.id, facts);
  if (decision === undefined) return undefined;
  const { documentNumber, documentType: type } = facts;
  const { routingControlLocation: location } = decision;
  return {
    house: row.id,
    mrn: row.mrn,
    transportDocumentHouseLevel: { documentNumber, type },
    rule: decision.rule,
    routing: decision.routing,
    ...(location && { routingControlLocation: location }),
  };
}
