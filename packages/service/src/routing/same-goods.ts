// Which decision holds on goods that are told twice. Pure: no database.
import type { CurrentRow } from './compare-decisions.js';
import { isByOfficerOrEngine, isControlOf, isSameRoute, strictestOf } from './decision-rules.js';

/** A decision that was made on one record of goods, with what made it. */
export type MadeDecision = CurrentRow & {
  profile: string | null;
  profileVersion: number | null;
  rule: number | null;
  /** The MRN of the other goods on which it was made; null if it was made on these. */
  takenFrom: string | null;
  /** When it was made, if that was on other goods or on another record of these; else null. */
  firstDecidedAt: string | null;
};

/** A record of goods, and whom its signals are for. */
export type RecordOfGoods = {
  id: string;
  mrn: string;
  /** The number of the message by which it was lodged; null if an ENS has it. */
  lodgedAs: number | null;
  current: MadeDecision | null;
  /** When an officer has decided on it last, whoever has decided since then; null if none has. */
  officerDecidedAt: string | null;
  last: number;
  declarant: number | null;
  parties: number[];
  recipients: number[];
};

/**
 * How many current messages of one organisation may be of the same goods, or lodged beside them: a control is one of all, and is
 * decided at once. Nobody needs more than one for each mode and carrier.
 */
export const MAX_RECORDS_OF_ONE = 100;

/** What is known of the other records of goods that are registered. */
export type ToldElsewhere = {
  /** The decision that holds on them; `undefined` if nobody has decided. */
  current: MadeDecision | undefined;
  /** Whether one of them is presented. */
  isPresented: boolean;
  /** Whether one of them is of an ENS. */
  hasEns: boolean;
};

/** Whether two records carry one decision: the same routing, which the same kind of decider may change. */
export function isSameDecision(
  one: Pick<CurrentRow, 'routing' | 'routingControlLocation' | 'origin'> | null | undefined,
  other: Pick<CurrentRow, 'routing' | 'routingControlLocation' | 'origin'> | null | undefined,
): boolean {
  return one?.origin === other?.origin && isSameRoute(one ?? undefined, other ?? undefined);
}

/** When a decision was made, on whatever goods. */
export function firstDecidedAt(
  decision: Pick<MadeDecision, 'decidedAt' | 'firstDecidedAt'>,
): string {
  return decision.firstDecidedAt ?? decision.decidedAt;
}

/**
 * The control that goods take over from others which are gone, or are lodged at the same time: the strictest that an officer or
 * a system has decided. What somebody who is above that one has decided on the goods stays. So does what was decided on them
 * later than an officer's control by an officer, or by a system in the place of an officer, and later than a system's control by
 * anybody: no system releases what an officer has sent to control without having seen that.
 *
 * @param records of the goods: the decision that holds on them, and when an officer has decided on each
 */
export function controlFor(
  holds: MadeDecision | undefined,
  records: readonly Pick<RecordOfGoods, 'officerDecidedAt'>[],
  controls: readonly Pick<RecordOfGoods, 'mrn' | 'current'>[],
): MadeDecision | undefined {
  const byOfficer = records.flatMap(({ officerDecidedAt }) => officerDecidedAt ?? []);
  const binding = controls.flatMap(({ mrn, current }) => {
    if (current === null || !isControlOf(current, holds)) return [];
    const decidedAt = firstDecidedAt(current);
    if (holds !== undefined && isByOfficerOrEngine(holds)) {
      const known =
        current.origin === 'OFFICER' ? byOfficer : [...byOfficer, firstDecidedAt(holds)];
      if (known.some((at) => at >= decidedAt)) return [];
    }
    if (current.takenFrom !== null) return current;
    const reason = `Taken over from ${mrn}, decided at ${decidedAt}`;
    return {
      ...current,
      reason: current.reason === null ? reason : `${reason}: ${current.reason}`,
      takenFrom: mrn,
      firstDecidedAt: decidedAt,
    };
  });
  // Which one of several that are equally strict does not depend on the order in which they were found.
  return strictestOf(binding.sort(byTime));
}

/** The one that was decided later comes first, as it stays of controls that are kept once; then the one with the lower MRN. */
function byTime(one: MadeDecision, other: MadeDecision): number {
  const [first, second] = [firstDecidedAt(one), firstDecidedAt(other)];
  if (first !== second) return first > second ? -1 : 1;
  return (one.takenFrom ?? '') < (other.takenFrom ?? '') ? -1 : 1;
}

export function toldElsewhere(others: readonly RecordOfGoods[]): ToldElsewhere {
  return {
    current: strictestOf(others.map(({ current }) => current)),
    isPresented: others.some(({ recipients }) => recipients.length > 0),
    hasEns: others.some(({ lodgedAs }) => lodgedAs === null),
  };
}
