// What a kind of scenario does to a request.
import type { ScenarioKind, ScenarioOf } from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LateDecisions } from '../decisions/late-decisions.js';
import type { LaterEvents } from '../movements/later-events.js';
import type { AppliedScenario } from './scenario-state.js';

/** The request on which a scenario takes effect. */
export type EffectContext = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the playground is reset or closed. */
  ended: AbortSignal;
  decisions: LateDecisions;
  later: LaterEvents;
};

/**
 * Is called when the request was handled, before its response is sent or its connection is closed. Returns whether the
 * scenario took effect: if not, it is not counted.
 */
export type AfterHandling = () => Promise<boolean>;

/** What follows from what is done before a request is handled. */
type Before = undefined | AfterHandling | typeof LOST;

/** What a kind does. A kind that only changes parts of the service has no step of its own. */
export type Effect<Kind extends ScenarioKind> = {
  /**
   * Before the request is handled, its body parsed. Ends it by throwing an error, or returns what is to be done afterwards, if
   * anything, or `LOST`: then it is not handled.
   */
  before?: (
    scenario: ScenarioOf<Kind> & Pick<AppliedScenario, 'id' | 'endsAt' | 'isReleased'>,
    context: EffectContext,
  ) => Before | Promise<Before>;
  /** When the response is about to be sent: returns what is sent, or `LOST` after the connection was closed. */
  send?: (scenario: ScenarioOf<Kind>, context: EffectContext, payload: unknown) => unknown;
};

/** The effect of every kind. */
export type Effects = { [Kind in ScenarioKind]: Effect<Kind> };

/** Nothing is sent, and the connection is closed. */
export const LOST = Symbol('lost');
