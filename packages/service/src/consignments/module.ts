// What finding consignments adds to a service.
import { readLatest } from '../database/standbys.js';
import type { ServiceContext } from '../service-context.js';
import { listHouseConsignments } from './list-house-consignments.js';
import { addArrivalRoutes, addConsignmentRoutes } from './routes.js';

/** What others read with. */
export type ReadingConsignments = {
  /** Reads house consignments by their ids, as a JSON array in the form of the API. */
  readHouseConsignments: (ids: readonly string[]) => Promise<string>;
};

export function addConsignments({ database, http }: ServiceContext): ReadingConsignments {
  addConsignmentRoutes(http, readLatest(database));
  addArrivalRoutes(http, database);
  return {
    readHouseConsignments: async (ids) => (await listHouseConsignments(database, { ids })).body,
  };
}
