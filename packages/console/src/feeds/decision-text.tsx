// A decision in words.
import type { IssuedRouting, RoutingControlLocation } from '@landfall/client';
import { useMessages } from '../language/language-context.js';
import { messages } from './messages.js';

/** A decision; without a routing there is none. */
type Decision = {
  routing?: IssuedRouting | undefined;
  routingControlLocation?: RoutingControlLocation | undefined;
};

/** Such as `Control, at the border`. */
export function useDecisionText(): (decision: Decision) => string {
  const text = useMessages(messages);
  return ({ routing, routingControlLocation: location }) => {
    if (routing === undefined) return text.undecided;
    if (location === undefined) return text[routing];
    return `${text[routing]}, ${text[location].toLowerCase()}`;
  };
}

export function DecisionText({ decision }: { decision: Decision }) {
  return useDecisionText()(decision);
}
