// Which requests are presentations and reads of their statuses.
import { jsonOf, type ProxiedRequest } from './fault.js';

/** The path of every presentation; batches have faults of their own. */
export const BASE = '/api/movement/presentation/v1/';

export const isPresentation = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && url.pathname.startsWith(BASE) && !url.pathname.endsWith('/batch');

export const isStatus = ({ url }: ProxiedRequest) =>
  url.pathname.startsWith(`${BASE}validation-status`);

/** The requestId of a presentation. */
export const requestIdOf = (request: ProxiedRequest) => String(jsonOf(request)?.requestId);
