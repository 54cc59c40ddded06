// HTTP of the arrival of transports.
import { checkArrival, operations } from '@landfall/contract';
import { addOperation, type RouteContext } from '../http/operation.js';
import { ValidationFailedError } from '../http/problem.js';
import { messageNotFound } from './address-http.js';
import { selectReported } from './arrival-queries.js';
import { readMovementRequest, requestIdReused } from './movement-request.js';
import { type ArrivalContext, reportArrival } from './report-arrival.js';

/** What the routes need. */
export type ArrivalRouteContext = ArrivalContext & {
  isCustomsOffice: (referenceNumber: string, on: Date) => boolean;
};

export function addArrivalRoutes(http: RouteContext, context: ArrivalRouteContext): void {
  addOperation(http, operations.reportArrival, async ({ body, caller, reply }) => {
    const now = http.clock();
    const isCustomsOffice = (office: string) => context.isCustomsOffice(office, now);
    const checked = checkArrival(body, { isCustomsOffice, now });
    if ('refused' in checked) {
      throw new ValidationFailedError(
        checked.refused.map(({ field, error, code }) => ({ field, error, code })),
      );
    }
    const { arrival } = checked;
    const errors = checked.errors.map(({ field, error, code }) => ({ field, error, code }));
    const [reported] = await context.database.query(
      selectReported(arrival.mrn, caller.organisationId),
    );
    if (reported === undefined) throw messageNotFound(arrival.mrn);
    const { mode, ...submitter } = reported;
    const about = { mode, level: 'transport-arrival' } as const;
    const request = readMovementRequest(caller, body, about, submitter);
    const recorded = await reportArrival(context, { request, arrival, errors });
    if (recorded === undefined) throw messageNotFound(arrival.mrn);
    if (recorded === 'reused') throw new ValidationFailedError([requestIdReused]);
    const { requestId } = request;
    const address = operations.getArrivalStatus.path.replace('{requestId}', requestId);
    return reply
      .code(202)
      .header('Location', `${http.baseUrl}${address}`)
      .type('application/json')
      .send(JSON.stringify({ requestId }));
  });
}
