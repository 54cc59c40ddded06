// What becomes of each decision of a block. Pure: no database.
import type { RoutingDecision, ValidationError } from '@landfall/contract';
import {
  type Current,
  effectOf,
  isAwaited,
  isControlOf,
  isForTwo,
  isReleasedAtBorder,
  isSameRoute,
  type Origin,
  type Route,
  strictestOf,
} from './decision-rules.js';
import { groupByGoods } from './group-by-goods.js';

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
  /** The routing run that decides, if one does. */
  run?: string;
};

/** The current decision of a house consignment, and who made it. */
export type CurrentRow = Current & {
  organisationId: number | null;
  clientId: string | null;
  reason: string | null;
  /** The routing run that has made it. */
  run?: string | null;
  decidedAt: string;
};

/** Another record of the same goods, with whom its signals are for. */
export type OtherRecord = Pick<DecidedRow, 'current' | 'last' | 'parties' | 'recipients'> & {
  house: string;
  /** The same for all records of the same goods, if it is lodged beside those that are decided. */
  goods: string | null;
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
  /** The other records of the same goods; null if there are none. */
  others: OtherRecord[] | null;
  /** What is lodged beside it, if the decision is a control: that holds for it too. Null if there is nothing. */
  beside: OtherRecord[] | null;
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
  /** How many signals the decisions issue for the other records of the same goods. */
  otherSignals: number;
};

/** What is known of a house consignment while the decisions of a block apply in their order. */
type House = {
  current: CurrentRow | undefined;
  last: number;
  lastChange: DecidedChange | undefined;
  /** The number of its current decision before a decision of the block on another record of the same goods; null without one. */
  before: number | null | undefined;
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
  let otherSignals = 0;

  const houseOf = (id: string, { current, last }: Pick<DecidedRow, 'current' | 'last'>): House => {
    const house = houses.get(id) ?? {
      current: current ?? undefined,
      last: last ?? 0,
      lastChange: undefined,
      before: undefined,
    };
    houses.set(id, house);
    return house;
  };

  /** Stores a decision on a house consignment, after those of before; gives its number. */
  const store = (
    decision: Decision,
    id: string,
    house: House,
    { takesEffect }: Pick<DecidedChange, 'takesEffect'>,
  ): DecidedChange => {
    const route = routeOf(decision);
    const changesRouting = !isSameRoute(route, house.current ?? UNDECIDED);
    const number = house.last + 1;
    const change = {
      decision,
      house: id,
      number,
      takesEffect,
      changesRouting,
      isLast: changesRouting,
    };
    if (changesRouting) {
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
        run: decider.run ?? null,
        decidedAt: decider.at.toISOString(),
      };
    }
    return change;
  };

  /** A decision on one record of goods is a decision on the others. */
  const storeOnOther = (
    { decisionId: _own, ...decision }: Decision,
    other: OtherRecord,
    effect: Pick<DecidedChange, 'takesEffect'>,
  ) => {
    const house = houseOf(other.house, other);
    const before = house.current?.number ?? null;
    const change = store(decision, other.house, house, effect);
    if (change.takesEffect) house.before = before;
    for (const organisation of [...other.parties, ...other.recipients]) affected.add(organisation);
    if (change.changesRouting && decision.routing !== 'UNDECIDED') {
      otherSignals += other.recipients.length;
    }
  };

  /**
   * A control that an officer or a system decides is one of what is lodged beside the goods, too, and of all records of that; a
   * release is not. What has been released at the border is gone.
   */
  const storeBeside = (decision: Decision, { beside }: DecidedRow) => {
    const control = { ...routeOf(decision), origin: decider.origin };
    for (const records of groupByGoods(beside ?? [])) {
      const now = records.map(nowOf(houses));
      const holds = strictestOf(now.map(({ current }) => current));
      if (isReleasedAtBorder(now) || !isControlOf(control, holds)) continue;
      for (const other of records) storeOnOther(decision, other, { takesEffect: true });
    }
  };

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
    const house = houseOf(row.house, row);
    const { current, before } = house;
    const others = row.others ?? [];
    const effect = effectOf(decider, current);
    if (effect === 'NOT_MADE' || (onlyUndecided && !isAwaited(current))) {
      return { status: 'UNCHANGED', house: row.house, signals: 0 };
    }
    const isSame = isSameRoute(route, current ?? UNDECIDED);
    // The same block or run has decided the same on another record of these goods.
    const isOwn =
      isSame && (before !== undefined || (current?.run != null && current.run === decider.run));
    if (isOwn && decider.run !== undefined) {
      return { status: 'UNCHANGED', house: row.house, ...numberOf(current), signals: 0 };
    }
    const isUnexpected = [expected, decision.selected].some(
      (seen) =>
        seen !== undefined && seen !== (current?.number ?? null) && !(isOwn && seen === before),
    );
    if (isUnexpected || (effect === 'NEEDS_EXPECTED' && expected === undefined && !isSame)) {
      return { status: 'CONFLICT', house: row.house, current: current ?? null };
    }
    if (isSame && isExactly(decision, decider, current)) {
      return {
        status: 'UNCHANGED',
        house: row.house,
        ...numberOf(current),
        signals: 0,
      };
    }
    // A system that confirms what an officer has decided does not take the officer's place.
    const takesEffect = !(isSame && effect === 'NEEDS_EXPECTED' && expected === undefined);
    if (!takesEffect && decisionId === undefined && current) {
      return { status: 'UNCHANGED', house: row.house, number: current.number, signals: 0 };
    }
    const records = [{ current, recipients: row.recipients }, ...others.map(nowOf(houses))];
    if (takesEffect && records.some((record) => isForTwo(decider, record.current, route))) {
      return { status: 'REFUSED', problem: 'FOUR_EYES' };
    }
    if (
      route.routing === 'UNDECIDED' &&
      records.some(
        (record) => record.current?.routing === 'TO_ENTRY' && record.recipients.length > 0,
      )
    ) {
      return { status: 'REFUSED', problem: 'RELEASED' };
    }
    const { number } = store(decision, row.house, house, { takesEffect });
    if (takesEffect) house.before = undefined;
    for (const other of others) storeOnOther(decision, other, { takesEffect });
    if (takesEffect) storeBeside(decision, row);
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
  return { results, changes, affected, otherSignals };
}

/** The number of the current decision, for a result. */
function numberOf(current: CurrentRow | undefined): { number?: number } {
  return current === undefined ? {} : { number: current.number };
}

/** What is current of another record, after the decisions of the block that came before. */
function nowOf(houses: ReadonlyMap<string, House>) {
  return ({ house, current, recipients }: OtherRecord) => {
    const known = houses.get(house);
    return { current: known === undefined ? (current ?? undefined) : known.current, recipients };
  };
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
