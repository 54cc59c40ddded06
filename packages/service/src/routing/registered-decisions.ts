// What registering goods decides: the routing that comes with them, and the live routing profile. Pure: no database.
import type { DecisionOrigin } from '@landfall/contract';
import type { ConsignmentFacts, ProfileDecision } from './compile-profile.js';
import {
  type Current,
  effectOf,
  isForTwo,
  isSameRoute,
  type Origin,
  type Route,
  strictestOf,
} from './decision-rules.js';
import type { LiveProfile } from './profiles.js';
import { isSameDecision, type MadeDecision, type ToldElsewhere } from './same-goods.js';

/** A house consignment as it is registered. */
export type RegisteredGoods = {
  /** Its id, which seeds the choice of shares of a profile. */
  id: string;
  facts: ConsignmentFacts;
  /** The routing that is registered now; `undefined` without one. */
  registered: Route | undefined;
  /** What was decided on it before; `undefined` if it is new. */
  before: DecidedBefore | undefined;
  /** Whether its facts are other ones than before, so that a profile decides again. */
  hasNewFacts: boolean;
  /** What is known of other records of the same goods; `undefined` if there are none. */
  told?: ToldElsewhere | undefined;
};

/** What was decided on a house consignment before. */
export type DecidedBefore = {
  /** The routing that was registered last. */
  registered: Route | undefined;
  current: Pick<Current, 'routing' | 'routingControlLocation' | 'origin'> | undefined;
  /** The number of the last decision. */
  last: number;
};

/** A decision that is stored with a registration. */
export type NewDecision = Route & {
  house: string;
  number: number;
  origin: DecisionOrigin;
  takesEffect: boolean;
  /** The decision on another record of the same goods that is taken over. */
  taken?: MadeDecision;
  /** The rule of the live profile, from 1. */
  rule?: number;
};

/** What an authority has configured for decisions that registrations bring. */
export type RegistrationRules = Pick<Origin, 'needsSecondOfficer'>;

/** The decisions on a house consignment, and the routing that it has then: `undefined` if it is undecided. */
export type RegisteredDecisions = { decisions: NewDecision[]; route: Route | undefined };

/**
 * Decides on goods that are not presented.
 *
 * A registered routing that differs from the one before is a decision; without one any more, the one before is taken
 * back. What nobody else has decided, the live profile decides by the facts of now.
 *
 * Of goods that are told twice, the record that comes second takes the decision of the first. Then a profile decides again
 * only by other facts of an ENS, and only before one record is presented: what is lodged never releases an ENS.
 */
export function decideRegistered(
  { id, facts, registered, before, hasNewFacts, told }: RegisteredGoods,
  profile: LiveProfile | undefined,
  rules: RegistrationRules = {},
): RegisteredDecisions {
  const decisions: NewDecision[] = [];
  let current = before?.current;
  let number = before?.last ?? 0;

  const decide = (route: Route, origin: NewDecision['origin'], rule?: number) => {
    const effect = effectOf({ origin }, current);
    if (effect === 'NOT_MADE') return;
    const takesEffect =
      effect === 'TAKES_EFFECT' &&
      !(origin === 'REGISTRATION' && isForTwo({ origin, ...rules }, current, route));
    number++;
    decisions.push({
      ...route,
      house: id,
      number,
      origin,
      takesEffect,
      ...(rule !== undefined && { rule }),
    });
    if (takesEffect) current = { ...route, origin };
  };

  const taken = told?.current;
  if (taken !== undefined && !isSameDecision(taken, current)) {
    if (strictestOf([current, taken]) === taken) {
      const { routing, routingControlLocation, origin } = taken;
      number++;
      const route = { routing, routingControlLocation };
      decisions.push({ ...route, house: id, number, origin, takesEffect: true, taken });
      current = { ...route, origin };
    }
  }
  const isTaken = told !== undefined && current !== undefined && current.routing !== 'UNDECIDED';
  const isSettled =
    isTaken &&
    (told.isPresented ||
      before?.current === undefined ||
      (told.hasEns && facts.lodgedMode !== undefined));
  if (!isSameRoute(registered, before?.registered)) {
    if (registered !== undefined) decide(registered, 'REGISTRATION');
    else if (current?.origin === 'REGISTRATION' && told?.isPresented !== true) {
      decide(UNDECIDED, 'REGISTRATION');
    }
  }
  if (isSettled) return { decisions, route: routeNow(current) };
  const mayDecide = effectOf({ origin: 'PROFILE' }, current) !== 'NOT_MADE';
  if (mayDecide && (hasNewFacts || decisions.length > 0)) {
    const decision = profile?.decide(id, facts);
    const route = decision === undefined ? UNDECIDED : routeOf(decision);
    if (!isSameRoute(route, current ?? UNDECIDED)) decide(route, 'PROFILE', decision?.rule);
  }
  return { decisions, route: routeNow(current) };
}

/** The routing that a decision gives: `undefined` if it was taken back. */
export function routeNow(current: Route | undefined): Route | undefined {
  return current?.routing === 'UNDECIDED' ? undefined : current;
}

const UNDECIDED: Route = { routing: 'UNDECIDED', routingControlLocation: null };

function routeOf({ routing, routingControlLocation }: ProfileDecision): Route {
  return { routing, routingControlLocation: routingControlLocation ?? null };
}
