// Lists the names of organisations that are named by their ids.
import type { OrganisationName, OrganisationNamesQuery } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { selectOrganisationNames } from './organisation-queries.js';

/** Those of them that have a name. */
export function listOrganisationNames(
  database: Queryable,
  { ids }: OrganisationNamesQuery,
): Promise<OrganisationName[]> {
  return database.query(selectOrganisationNames(ids.split(',')));
}
