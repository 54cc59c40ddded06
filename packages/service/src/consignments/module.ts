// What finding consignments adds to a service.
import { readLatest } from '../database/standbys.js';
import type { ServiceContext } from '../service-context.js';
import { addArrivalRoutes, addConsignmentRoutes } from './routes.js';

export function addConsignments({ database, http }: ServiceContext): void {
  addConsignmentRoutes(http, readLatest(database));
  addArrivalRoutes(http, database);
}
