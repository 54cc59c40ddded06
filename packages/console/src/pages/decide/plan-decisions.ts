// What a decision does to a list of house consignments, before it is made.
import type { HouseConsignment, IssuedRouting, RoutingControlLocation } from '@landfall/client';

/** A decision on all of the list. */
export type CommonDecision = {
  routing: IssuedRouting;
  routingControlLocation?: RoutingControlLocation | undefined;
};

/** House consignments with the same current decision. */
export type CurrentlyDecided = {
  routing: IssuedRouting;
  routingControlLocation: RoutingControlLocation | undefined;
  count: number;
};

/** What the decision does. */
export type Effect = {
  /** House consignments without a decision, which get one. */
  undecided: number;
  /** Those with another decision, which changes. */
  changed: readonly CurrentlyDecided[];
  /** Those that are decided in this way already. */
  unchanged: number;
  /** Presented ones among those that get a decision or whose decision changes: signals are issued at once. */
  signalled: number;
};

/** Compares the current decisions of the list with a new one. */
export function planDecisions(
  consignments: readonly HouseConsignment[],
  { routing, routingControlLocation }: CommonDecision,
): Effect {
  const changed = new Map<string, CurrentlyDecided>();
  let undecided = 0;
  let unchanged = 0;
  let signalled = 0;
  for (const { routing: current, routingControlLocation: location, state } of consignments) {
    if (current === routing && location === routingControlLocation) {
      unchanged++;
      continue;
    }
    if (state === 'PRESENTED' || state === 'SIGNALLED') signalled++;
    if (current === undefined) {
      undecided++;
      continue;
    }
    const key = `${current} ${location}`;
    const count = (changed.get(key)?.count ?? 0) + 1;
    changed.set(key, { routing: current, routingControlLocation: location, count });
  }
  return { undecided, changed: [...changed.values()], unchanged, signalled };
}
