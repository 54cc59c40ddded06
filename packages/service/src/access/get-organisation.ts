// Reads an organisation and what the authority has granted it.
import type { Organisation } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { isOrganisationIdentifier } from './organisation-identifier.js';
import { readOrganisation } from './organisation-queries.js';

/** An organisation without the entity tag, which HTTP adds. */
export type OrganisationState = Omit<Organisation, 'etag'>;

/** The current organisation; `undefined` when it is not registered. */
export async function getOrganisation(
  database: Queryable,
  id: string,
): Promise<OrganisationState | undefined> {
  if (!isOrganisationIdentifier(id)) return undefined;
  const [organisation] = await database.query<OrganisationState>(readOrganisation(id));
  return organisation;
}
