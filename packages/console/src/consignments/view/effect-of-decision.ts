// What a decision on a house consignment will do: shown before it is made. The service decides; this foretells it.
import type {
  HouseConsignment,
  HouseConsignmentEvent,
  IssuedRouting,
  RoutingControlLocation,
} from '@landfall/client';

/** Where the goods go, and where they are controlled. */
export type Decision = {
  routing: IssuedRouting;
  routingControlLocation: RoutingControlLocation | undefined;
};

/** What a decision will do. */
export type Effect =
  /** It equals the current decision: nothing is stored, and nobody gets a signal. */
  | { kind: 'none' }
  | {
      kind: 'decides' | 'changes';
      /** Organisations that get their first signal of these goods. */
      first: readonly string[];
      /** Organisations that had a signal before, and get a further one. */
      further: readonly string[];
      /** Whether signals wait until somebody presents the goods. */
      waits: boolean;
    };

/** The current decision; `undefined` if there is none. */
export function currentDecision({
  routing,
  routingControlLocation,
}: HouseConsignment): Decision | undefined {
  return routing && { routing, routingControlLocation };
}

export function isSameDecision(one: Decision | undefined, other: Decision | undefined): boolean {
  return (
    one?.routing === other?.routing && one?.routingControlLocation === other?.routingControlLocation
  );
}

export function effectOfDecision(
  consignment: HouseConsignment,
  history: readonly HouseConsignmentEvent[],
  decision: Decision,
): Effect {
  const current = currentDecision(consignment);
  if (isSameDecision(current, decision)) return { kind: 'none' };
  const signalled = organisationsOf(history, 'SIGNALLED');
  const recipients = recipientsOf(consignment, history);
  return {
    kind: current === undefined ? 'decides' : 'changes',
    first: recipients.filter((organisation) => !signalled.includes(organisation)),
    further: recipients.filter((organisation) => signalled.includes(organisation)),
    waits: recipients.length === 0,
  };
}

/** Whoever presented the goods, and their declarant and representative; nobody before they are presented. */
function recipientsOf(
  { presented, declarant, representative }: HouseConsignment,
  history: readonly HouseConsignmentEvent[],
): string[] {
  if (presented === undefined) return [];
  const presenters = [presented.by, ...organisationsOf(history, 'PRESENTED')];
  return [...new Set([...presenters, declarant, ...(representative ? [representative] : [])])];
}

function organisationsOf(
  history: readonly HouseConsignmentEvent[],
  kind: HouseConsignmentEvent['event'],
): string[] {
  return history.flatMap(({ event, organisation }) =>
    event === kind && organisation !== undefined ? organisation : [],
  );
}
