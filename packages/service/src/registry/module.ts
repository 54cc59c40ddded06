// What the registry adds to a service.
import { makeNewId } from '../new-id.js';
import type { ServiceContext } from '../service-context.js';
import { addRegistryRoutes, type RegistryContext } from './routes.js';

export function addRegistry(
  { database, audit, http }: ServiceContext,
  rules: Pick<RegistryContext, 'decideNew' | 'isCustomsOffice'>,
): void {
  // Ids of house consignments have the time at which they were registered.
  const newId = makeNewId(() => http.clock().getTime());
  addRegistryRoutes(http, { database, audit, newId, ...rules });
}
