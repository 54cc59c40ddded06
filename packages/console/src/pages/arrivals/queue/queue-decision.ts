// What an officer decides in the queue: on one of the goods, or on many as one run.
import type {
  NewRoutingRun,
  Routing,
  RoutingControlLocation,
  RoutingDecisionResult,
  UndecidedArrival,
} from '@landfall/client';

/** Where the goods go, and where they are controlled. */
export type QueueDecision = {
  routing: Routing;
  routingControlLocation: RoutingControlLocation | undefined;
};

/** What was decided last. */
export type Decided =
  | {
      kind: 'one';
      arrival: UndecidedArrival;
      decision: QueueDecision;
      result: RoutingDecisionResult;
    }
  | { kind: 'run'; id: string; count: number; decision: QueueDecision };

/**
 * One run on exactly these goods. Each must still wait for a decision: else no run is created, so that a decision which a
 * colleague has made since is never replaced.
 */
export function makeQueueRun(
  arrivals: readonly UndecidedArrival[],
  { routing, routingControlLocation }: QueueDecision,
  reason: string,
): NewRoutingRun {
  return {
    select: { state: 'PRESENTED', houseConsignmentIds: arrivals.map(({ id }) => id) },
    routing,
    ...(routingControlLocation !== undefined && { routingControlLocation }),
    reason: reason.trim(),
    expectedCount: arrivals.length,
  };
}
