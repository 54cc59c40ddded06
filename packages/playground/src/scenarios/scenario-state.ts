// A scenario of a running playground, with how often it took effect.
import type { Scenario } from '@landfall/contract';

/** A scenario, with its id and what remains of it. */
export type ScenarioState = Scenario & {
  /** UUID. */
  id: string;
  /** By the clock of the playground, ISO 8601. */
  createdAt: string;
  /** On how many requests it took effect. */
  applied: number;
  /** On how many requests it will take effect, if it is limited by `times`. */
  remaining?: number;
  /** When it ends by the clock of the playground, if it is limited by `seconds`. */
  endsAt?: string;
  /** Whether it can still take effect. */
  active: boolean;
};

/** A scenario that takes effect on a request; from the header of that request it has no id. */
export type AppliedScenario = Scenario & {
  id?: string;
  /** When it ends, if it is limited by `seconds`. */
  endsAt?: Date | undefined;
  /** Whether what its header holds was released since the request came; only of a scenario from a header. */
  isReleased?: () => boolean;
};

/** In place of an id: what holds the decisions of requests that name `signal-bursts` in their header. */
export const HEADER_BURST = 'header';
