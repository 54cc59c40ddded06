// Reads an organisation and what the authority has granted it.
import type { Queryable } from '../database/database.js';
import { isOrganisationIdentifier } from './organisation-identifier.js';
import { type OrganisationState, readOrganisation } from './organisation-queries.js';

/** The current organisation; `undefined` when it is not registered. */
export async function getOrganisation(
  database: Queryable,
  id: string,
): Promise<OrganisationState | undefined> {
  if (!isOrganisationIdentifier(id)) return undefined;
  const [organisation] = await database.query(readOrganisation(id));
  return organisation;
}
