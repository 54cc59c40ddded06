// The route by which operators read the status of the service.
import { MAX_STATUS_HOURS, operations, type ServiceStatus } from '@landfall/contract';
import { addOperation, type RouteContext } from '../http/operation.js';
import { getServiceStatus, listFailedRequests, type StatusContext } from './get-service-status.js';

/** How long a status is sent to further callers, in milliseconds: many may watch it. */
const SHARED_MS = 5000;

export function addMonitoringRoutes(http: RouteContext, context: StatusContext): void {
  type Shared = Omit<ServiceStatus, 'failedRequests'>;
  const shared = new Map<number, { readAt: number; status: Promise<Shared> }>();
  context.database.replacements.onOutdated(() => shared.clear());
  const read = (hours: number): Promise<Shared> => {
    const found = shared.get(hours);
    if (found !== undefined && performance.now() - found.readAt < SHARED_MS) return found.status;
    // Figures have the system's time, whatever the clock of a playground shows.
    const status = getServiceStatus(context, hours, new Date());
    shared.set(hours, { readAt: performance.now(), status });
    // A failure is not shared with later callers.
    status.catch(() => shared.delete(hours));
    return status;
  };
  addOperation(
    http,
    operations.getServiceStatus,
    async ({ query: { hours = MAX_STATUS_HOURS, failedRequest } }): Promise<ServiceStatus> => {
      // Whoever looks for one that was just quoted does not wait for the next status.
      const [status, failedRequests] = await Promise.all([
        read(hours),
        listFailedRequests(context, hours, new Date(), failedRequest),
      ]);
      return { ...status, failedRequests };
    },
  );
}
