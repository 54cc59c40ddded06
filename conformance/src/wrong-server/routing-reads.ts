// Which requests read routing signals, and how a fault changes what they return.
import { type Behaviour, changeJson, type Json, type ProxiedRequest } from './fault.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';

export const isRead = ({ url }: ProxiedRequest) => url.pathname === ROUTING;

/** The id of a signal. */
export const idOf = (signal: Json): string => signal.routingResult.id;

/** Changes the signals of each page. */
export function changesPages(
  change: (signals: Json[], request: ProxiedRequest) => Json[],
): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (isRead(request) && response.status === 200) {
        changeJson(response, (signals) => change(signals, request));
      }
    },
  });
}
