// Which decisions replace which. The only place that says so. Pure: no database.
import type { DecidedRouting, DecisionOrigin, RoutingControlLocation } from '@landfall/contract';

/** What becomes of a decision on goods that somebody has decided already. */
export type Effect =
  /** It becomes the current decision. */
  | 'TAKES_EFFECT'
  /** It becomes the current decision if the caller names the one that it replaces. */
  | 'NEEDS_EXPECTED'
  /** It is recorded, and the current decision remains. */
  | 'RECORDED'
  /** It is not made. */
  | 'NOT_MADE';

/** What becomes of a decision: by who has decided, then by who decides now. */
const EFFECTS: Record<DecisionOrigin, Record<DecisionOrigin, Effect>> = {
  OFFICER: {
    OFFICER: 'TAKES_EFFECT',
    ENGINE: 'NEEDS_EXPECTED',
    REGISTRATION: 'RECORDED',
    PROFILE: 'NOT_MADE',
  },
  ENGINE: {
    OFFICER: 'TAKES_EFFECT',
    ENGINE: 'TAKES_EFFECT',
    REGISTRATION: 'RECORDED',
    PROFILE: 'NOT_MADE',
  },
  REGISTRATION: {
    OFFICER: 'TAKES_EFFECT',
    ENGINE: 'TAKES_EFFECT',
    REGISTRATION: 'TAKES_EFFECT',
    PROFILE: 'NOT_MADE',
  },
  PROFILE: {
    OFFICER: 'TAKES_EFFECT',
    ENGINE: 'TAKES_EFFECT',
    REGISTRATION: 'TAKES_EFFECT',
    PROFILE: 'TAKES_EFFECT',
  },
};

/** The routing of a decision. */
export type Route = {
  routing: DecidedRouting;
  routingControlLocation: RoutingControlLocation | null;
};

/** The last decision on a house consignment that took effect. */
export type Current = Route & { number: number; origin: DecisionOrigin };

/**
 * Who decides. `isAboveOfficers`: a system that the authority has placed above its officers; `needsSecondOfficer`: what is
 * to be controlled is released only by two officers.
 */
export type Origin = {
  origin: DecisionOrigin;
  isAboveOfficers?: boolean;
  needsSecondOfficer?: boolean;
};

/** @param current `undefined` if nobody has decided */
export function effectOf(
  { origin, isAboveOfficers = false }: Origin,
  current: Pick<Current, 'routing' | 'origin'> | undefined,
): Effect {
  if (current === undefined) return 'TAKES_EFFECT';
  // What was taken back binds no officer and no engine: whoever has taken it back wants it to be decided again, by them.
  if (current.routing === 'UNDECIDED' && (origin === 'OFFICER' || origin === 'ENGINE')) {
    return 'TAKES_EFFECT';
  }
  // What no registration decides any more, a profile decides.
  if (current.routing === 'UNDECIDED' && current.origin === 'REGISTRATION') return 'TAKES_EFFECT';
  const effect = EFFECTS[current.origin][origin];
  return effect === 'NEEDS_EXPECTED' && isAboveOfficers ? 'TAKES_EFFECT' : effect;
}

/** Whether a decision holds goods back: only whoever may, and two officers where that is required, let them go again. */
export function holds(routing: string | null | undefined): boolean {
  return routing === 'TO_CONTROL' || routing === 'ENTRY_DENIED';
}

/** Whether a decision lets goods go that are held back: what is denied does not go on to a control at its destination either. */
export function isRelease(
  current: string | null | undefined,
  { routing, routingControlLocation: location }: ReleasingRoute,
): boolean {
  if (!holds(current)) return false;
  return !holds(routing) || (current === 'ENTRY_DENIED' && location === 'AFTER_ENTRY');
}

type ReleasingRoute = { routing: string; routingControlLocation?: string | null | undefined };

/**
 * Whether goods wait for a decision: nobody has decided them, or Landfall itself has said that their entry is pending,
 * because they were presented incomplete (decision 0303).
 */
export function isAwaited(current: Pick<Current, 'routing' | 'origin'> | undefined): boolean {
  if (current === undefined || current.routing === 'UNDECIDED') return true;
  return current.routing === 'ENTRY_PENDING' && current.origin === 'PROFILE';
}

/**
 * Whether somebody must not make a decision alone: then a routing run proposes it, and another officer confirms it. One that
 * a registration brings is recorded.
 */
export function isForTwo(
  { origin, needsSecondOfficer = false }: Origin,
  current: Pick<Current, 'routing' | 'origin'> | undefined,
  route: Route,
): boolean {
  if (!needsSecondOfficer || current === undefined || !holds(current.routing)) return false;
  if (origin === 'REGISTRATION') return isRelease(current.routing, route);
  // A system that confirms what an officer has decided would take the officer's place, and release afterwards.
  return origin === 'OFFICER' ? isRelease(current.routing, route) : current.origin === 'OFFICER';
}

export function isSameRoute(one: Route | undefined, other: Route | undefined): boolean {
  return (
    one?.routing === other?.routing &&
    (one?.routingControlLocation ?? null) === (other?.routingControlLocation ?? null)
  );
}

/** The same of what is known of goods without their decision: it may be somebody else who has said that entry is pending. */
export function mayAwaitDecision(routing: string | null): boolean {
  return routing === null || routing === 'ENTRY_PENDING';
}

/** Whose decision holds if two are equally strict. */
const BY_ORIGIN = ['PROFILE', 'REGISTRATION', 'ENGINE', 'OFFICER'];

/** Of different decisions on the same goods, the stricter one holds: no record is released by another one. */
export function strictestOf<
  Decision extends Pick<Current, 'routing' | 'routingControlLocation' | 'origin'>,
>(decisions: readonly (Decision | null | undefined)[]): Decision | undefined {
  let strictest: Decision | undefined;
  for (const decision of decisions) {
    if (decision == null) continue;
    if (strictest === undefined || strictness(decision) > strictness(strictest)) {
      strictest = decision;
    }
  }
  return strictest;
}

function strictness({
  routing,
  routingControlLocation: location,
  origin,
}: Pick<Current, 'routing' | 'routingControlLocation' | 'origin'>): number {
  const ofControl = location === 'AFTER_ENTRY' ? 3 : location === 'ON_ENTRY' ? 5 : 4;
  const ofRoute: Record<DecidedRouting, number> = {
    UNDECIDED: 0,
    TO_ENTRY: 1,
    ENTRY_PENDING: 2,
    TO_CONTROL: ofControl,
    ENTRY_DENIED: 6,
  };
  return ofRoute[routing] * BY_ORIGIN.length + BY_ORIGIN.indexOf(origin);
}

/** Whether an officer or a system has decided: nothing that is registered replaces it. */
export function isByOfficerOrEngine({ origin }: Pick<Current, 'origin'>): boolean {
  return origin === 'OFFICER' || origin === 'ENGINE';
}

/** Whether a decision is a control that holds for goods beside those on which it is made, with what was decided on them. */
export function isControlOf(
  control: Pick<Current, 'routing' | 'routingControlLocation' | 'origin'>,
  current: Pick<Current, 'routing' | 'routingControlLocation' | 'origin'> | undefined,
): boolean {
  if (!holds(control.routing) || !isByOfficerOrEngine(control)) return false;
  if (effectOf(control, current) !== 'TAKES_EFFECT') return false;
  return (
    current === undefined ||
    !isByOfficerOrEngine(current) ||
    strictestOf([current, control]) === control
  );
}

/** Whether one of the records of goods is presented and released: the goods are gone. */
export function isReleasedAtBorder(
  records: readonly {
    current: Pick<Current, 'routing'> | null | undefined;
    recipients: readonly number[];
  }[],
): boolean {
  return records.some(
    ({ current, recipients }) => current?.routing === 'TO_ENTRY' && recipients.length > 0,
  );
}
