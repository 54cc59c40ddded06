// Which decision holds on goods that are told twice. Pure: no database.
import type { CurrentRow } from './compare-decisions.js';
import { isByOfficerOrEngine, isControlOf, isSameRoute, strictestOf } from './decision-rules.js';

/** A decision that was made on one record of goods, with what made it. */
export type MadeDecision = CurrentRow & {
  profile: string | null;
  profileVersion: number | null;
  rule: number | null;
};

/** A record of goods, and whom its signals are for. */
export type RecordOfGoods = {
  id: string;
  mrn: string;
  /** The number of the message by which it was lodged; null if an ENS has it. */
  lodgedAs: number | null;
  current: MadeDecision | null;
  last: number;
  parties: number[];
  recipients: number[];
};

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

/**
 * The control that goods take over from others which are gone, or are lodged at the same time: the strictest that an officer or
 * a system has decided. What somebody who is above that one has decided on the goods stays, and whatever an officer or a system
 * has decided on them later: whoever did it knew the control.
 *
 * @param holds the decision on the goods
 */
export function controlFor(
  holds: MadeDecision | undefined,
  controls: readonly Pick<RecordOfGoods, 'mrn' | 'current'>[],
): (MadeDecision & { from: string }) | undefined {
  const binding = controls.flatMap(({ mrn, current }) => {
    if (current === null || !isControlOf(current, holds)) return [];
    const isKnown = holds !== undefined && isByOfficerOrEngine(holds);
    if (isKnown && holds.decidedAt >= current.decidedAt) return [];
    return { ...current, reason: reasonOf(mrn, current.reason), from: mrn };
  });
  return strictestOf(binding);
}

const TAKEN_OVER = 'Taken over from ';

/** Names the goods on which the control was decided first. */
function reasonOf(mrn: string, reason: string | null): string {
  if (reason?.startsWith(TAKEN_OVER)) return reason;
  return `${TAKEN_OVER}${mrn}${reason === null ? '' : `: ${reason}`}`;
}

export function toldElsewhere(others: readonly RecordOfGoods[]): ToldElsewhere {
  return {
    current: strictestOf(others.map(({ current }) => current)),
    isPresented: others.some(({ recipients }) => recipients.length > 0),
    hasEns: others.some(({ lodgedAs }) => lodgedAs === null),
  };
}
