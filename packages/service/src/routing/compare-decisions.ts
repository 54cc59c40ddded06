// Which decisions of a block change something. Pure: no database.
import type { RoutingDecision } from '@landfall/contract';

/** A decision, with the number of the rule (from 1) if a profile has made it. */
export type Decision = RoutingDecision & { rule?: number };

/** What a decision is about, in the order of the decisions. */
export type DecidedRow = {
  /** How many house consignments the reference identifies: 0, 1, or 2 for several. */
  houses: number;
  /** The house consignment if it is exactly one, its current decision, and how many decisions were stored of it. */
  house: string | null;
  routing: string | null;
  location: string | null;
  decisions: number;
  /** The parties of its declaration, and who receives its signals. */
  parties: number[];
  recipients: number[];
};

/** The result of one decision. */
export type DecisionResult = {
  /** How many house consignments the reference identifies: 0, 1, or 2 for several. */
  houses: number;
  house: string | null;
  changed: boolean;
  /** How many organisations get a signal. */
  signals: number;
};

/** A decision that is stored: the number among those of its house consignment, and whether it is the last in the block. */
export type DecidedChange = { decision: Decision; house: string; number: number; isLast: boolean };

/** The results in the order of the decisions, what is stored, and whom that affects. */
export type ComparedDecisions = {
  results: DecisionResult[];
  changes: DecidedChange[];
  affected: ReadonlySet<number>;
};

/**
 * Compares decisions with what they are about. Decisions for one house consignment apply in their order: each is compared
 * with the previous one.
 *
 * @param rows a row for each decision
 * @param onlyUndecided whether house consignments that already have a decision are skipped
 */
export function compareDecisions(
  decisions: readonly Decision[],
  rows: readonly DecidedRow[],
  onlyUndecided: boolean,
): ComparedDecisions {
  const affected = new Set<number>();
  const changes: DecidedChange[] = [];
  const lastOf = new Map<string, DecidedChange>();
  const results = rows.map((row, index): DecisionResult => {
    const { houses, house, recipients } = row;
    const decision = decisions[index];
    if (decision === undefined) throw new Error('a row is of no decision');
    const last = house === null ? undefined : lastOf.get(house);
    const isSkipped = onlyUndecided && row.routing !== null;
    if (house === null || isSkipped || isSame(decision, last?.decision ?? current(row))) {
      return { houses, house, changed: false, signals: 0 };
    }
    if (last !== undefined) last.isLast = false;
    const number = (last?.number ?? row.decisions) + 1;
    const change = { decision, house, number, isLast: true };
    changes.push(change);
    lastOf.set(house, change);
    for (const organisation of [...row.parties, ...recipients]) affected.add(organisation);
    return { houses, house, changed: true, signals: recipients.length };
  });
  return { results, changes, affected };
}

/** What a decision says of where goods go. */
type Route = { routing?: string | undefined; routingControlLocation?: string | undefined };

function current({ routing, location }: DecidedRow): Route {
  return { routing: routing ?? undefined, routingControlLocation: location ?? undefined };
}

function isSame(one: Route, other: Route): boolean {
  return (
    one.routing === other.routing && one.routingControlLocation === other.routingControlLocation
  );
}
