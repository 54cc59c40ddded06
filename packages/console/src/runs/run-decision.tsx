// What a run decides, in words.
import type { DecidedRouting, RoutingControlLocation, RoutingRun } from '@landfall/client';
import { useDecisionText } from '../feeds/decision-text.js';
import { useMessages } from '../language/language-context.js';
import { messages } from './messages.js';

type Decision = {
  routing?: DecidedRouting | undefined;
  routingControlLocation?: RoutingControlLocation | undefined;
};

/** Such as `Control, at the border`; also of what is undecided. */
export function useRoutingText(): (decision: Decision | undefined) => string {
  const textOf = useDecisionText();
  return ({ routing, routingControlLocation } = {}) =>
    textOf(
      routing === undefined || routing === 'UNDECIDED' ? {} : { routing, routingControlLocation },
    );
}

/** What a run decides; of a reversal, that it decides what was before. */
export function useRunDecisionText(): (run: RoutingRun) => string {
  const { reversal } = useMessages(messages);
  const textOf = useRoutingText();
  return (run) => (run.routing === undefined ? reversal : textOf(run));
}
