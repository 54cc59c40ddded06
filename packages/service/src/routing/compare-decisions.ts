// What becomes of each decision of a block. Pure: no database.
import type { RoutingDecision, ValidationError } from '@landfall/contract';
import {
  type Current,
  effectOf,
  isForTwo,
  isSameRoute,
  type Origin,
  type Route,
} from './decision-rules.js';

/** A decision, with what only Landfall itself says of one. */
export type Decision = RoutingDecision & {
  /** The number of the rule (from 1) of the profile that has made it. */
  rule?: number;
  /** The house consignment that is meant: another one with the same document may have taken its place. */
  house?: string;
  /**
   * The number of the current decision when the house consignment was selected, null for none: with another one, nothing
   * is stored. Unlike `expected`, it does not say that the caller has seen that decision.
   */
  selected?: number | null;
};

/** Who decides, and when. */
export type Decider = Origin & {
  organisationId: number;
  clientId: string;
  at: Date;
};

/** The current decision of a house consignment, and who made it. */
export type CurrentRow = Current & {
  organisationId: number | null;
  clientId: string | null;
  reason: string | null;
  decidedAt: string;
};

/** A decision that was stored before, with the same decisionId. */
export type StoredRow = Route & { house: string; number: number; signals: number };

/** What a decision is about, in the order of the decisions. */
export type DecidedRow = {
  /** How many house consignments the reference identifies: 0, 1, or 2 for several. */
  houses: number;
  /** The house consignment if it is exactly one, its current decision, and the number of its last one. */
  house: string | null;
  current: CurrentRow | null;
  last: number | null;
  /** The decision of the organisation with this decisionId. */
  stored: StoredRow | null;
  /** The parties of its declaration, and who receives its signals. */
  parties: number[];
  recipients: number[];
};

/** The result of one decision. */
export type DecisionResult =
  | {
      status: 'DECIDED' | 'UNCHANGED' | 'REPEATED';
      house: string;
      number?: number;
      signals: number;
    }
  | { status: 'CONFLICT'; house: string; current: CurrentRow | null }
  | { status: 'REFUSED'; problem: Problem };

/** Why a decision cannot be made. */
export type Problem =
  | 'REFERENCE_NOT_FOUND'
  | 'REFERENCE_AMBIGUOUS'
  | Extract<ValidationError['code'], 'DECISION_ID_REUSED' | 'FOUR_EYES' | 'RELEASED'>;

/** A decision that is stored: its number on its house consignment, and what it changes there. */
export type DecidedChange = {
  decision: Decision;
  house: string;
  number: number;
  /** Whether it becomes the current decision. A confirmation by a system is only recorded, to be found when it is sent again. */
  takesEffect: boolean;
  /** Whether it changes the routing, so that signals are issued unless it is `UNDECIDED`. */
  changesRouting: boolean;
  /** Whether it is the last of the block that changes the routing of its house consignment. */
  isLast: boolean;
};

/** The results in the order of the decisions, what is stored, and whom that affects. */
export type ComparedDecisions = {
  results: DecisionResult[];
  changes: DecidedChange[];
  affected: ReadonlySet<number>;
};

/** What is known of a house consignment while the decisions of a block apply in their order. */
type House = {
  current: CurrentRow | undefined;
  last: number;
  lastChange: DecidedChange | undefined;
};

/**
 * Compares decisions with what they are about. Decisions on one house consignment apply in their order: each is compared
 * with the previous one.
 *
 * @param rows a row for each decision
 * @param onlyUndecided whether house consignments that already have a decision are skipped
 */
export function compareDecisions(
  decisions: readonly Decision[],
  rows: readonly DecidedRow[],
  decider: Decider,
  onlyUndecided: boolean,
): ComparedDecisions {
  const affected = new Set<number>();
  const changes: DecidedChange[] = [];
  const houses = new Map<string, House>();
  const storedNow = new Map<string, StoredRow>();

  const compare = (decision: Decision, row: DecidedRow): DecisionResult => {
    const { decisionId, expected } = decision;
    const route = routeOf(decision);
    const stored = row.stored ?? (decisionId && storedNow.get(decisionId.toLowerCase()));
    if (stored) {
      return stored.house === (row.house ?? stored.house) && isSameRoute(stored, route)
        ? {
            status: 'REPEATED',
            house: stored.house,
            number: stored.number,
            signals: stored.signals,
          }
        : { status: 'REFUSED', problem: 'DECISION_ID_REUSED' };
    }
    if (row.house === null) {
      const problem = row.houses === 0 ? 'REFERENCE_NOT_FOUND' : 'REFERENCE_AMBIGUOUS';
      return { status: 'REFUSED', problem };
    }
    if (decision.house !== undefined && decision.house !== row.house) {
      return { status: 'REFUSED', problem: 'REFERENCE_NOT_FOUND' };
    }
    const house: House = houses.get(row.house) ?? {
      current: row.current ?? undefined,
      last: row.last ?? 0,
      lastChange: undefined,
    };
    houses.set(row.house, house);
    const { current } = house;
    const isDecided = current !== undefined && current.routing !== 'UNDECIDED';
    const effect = effectOf(decider, current);
    if (effect === 'NOT_MADE' || (onlyUndecided && isDecided)) {
      return { status: 'UNCHANGED', house: row.house, signals: 0 };
    }
    const isUnexpected = [expected, decision.selected].some(
      (seen) => seen !== undefined && seen !== (current?.number ?? null),
    );
    const isSame = isSameRoute(route, current ?? UNDECIDED);
    if (isUnexpected || (effect === 'NEEDS_EXPECTED' && expected === undefined && !isSame)) {
      return { status: 'CONFLICT', house: row.house, current: current ?? null };
    }
    if (isSame && isExactly(decision, decider, current)) {
      return {
        status: 'UNCHANGED',
        house: row.house,
        ...(current && { number: current.number }),
        signals: 0,
      };
    }
    // A system that confirms what an officer has decided does not take the officer's place.
    const takesEffect = !(isSame && effect === 'NEEDS_EXPECTED' && expected === undefined);
    if (!takesEffect && decisionId === undefined && current) {
      return { status: 'UNCHANGED', house: row.house, number: current.number, signals: 0 };
    }
    if (takesEffect && isForTwo(decider, current, route.routing)) {
      return { status: 'REFUSED', problem: 'FOUR_EYES' };
    }
    if (
      route.routing === 'UNDECIDED' &&
      current?.routing === 'TO_ENTRY' &&
      row.recipients.length > 0
    ) {
      return { status: 'REFUSED', problem: 'RELEASED' };
    }
    const number = house.last + 1;
    const change = {
      decision,
      house: row.house,
      number,
      takesEffect,
      changesRouting: !isSame,
      isLast: !isSame,
    };
    if (!isSame) {
      if (house.lastChange !== undefined) house.lastChange.isLast = false;
      house.lastChange = change;
    }
    changes.push(change);
    house.last = number;
    if (takesEffect) {
      house.current = {
        ...route,
        number,
        origin: decider.origin,
        organisationId: decider.organisationId,
        clientId: decider.clientId,
        reason: decision.reason ?? null,
        decidedAt: decider.at.toISOString(),
      };
    }
    for (const organisation of [...row.parties, ...row.recipients]) affected.add(organisation);
    const signals = isSame || route.routing === 'UNDECIDED' ? 0 : row.recipients.length;
    if (decisionId !== undefined) {
      storedNow.set(decisionId.toLowerCase(), { ...route, house: row.house, number, signals });
    }
    return { status: isSame ? 'UNCHANGED' : 'DECIDED', house: row.house, number, signals };
  };

  const results = rows.map((row, index) => {
    const decision = decisions[index];
    if (decision === undefined) throw new Error('a row is of no decision');
    return compare(decision, row);
  });
  return { results, changes, affected };
}

const UNDECIDED: Route = { routing: 'UNDECIDED', routingControlLocation: null };

function routeOf({ routing, routingControlLocation }: Decision): Route {
  return { routing, routingControlLocation: routingControlLocation ?? null };
}

/**
 * Whether a decision with the current routing adds nothing to the current decision: it has been sent again by the same
 * client, without an id of its own.
 */
function isExactly(
  { decisionId, reason }: Decision,
  { origin, organisationId, clientId }: Decider,
  current: CurrentRow | undefined,
): boolean {
  if (decisionId !== undefined) return false;
  if (current === undefined) return true;
  return (
    current.origin === origin &&
    current.organisationId === organisationId &&
    current.clientId === clientId &&
    current.reason === (reason ?? null)
  );
}
