// Replaces an organisation and its grants. Repeating it changes nothing.
import type { OrganisationEntry } from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { checkOrganisation } from './check-organisation.js';
import { getOrganisation } from './get-organisation.js';
import { addOrganisation, lockOrganisation } from './organisation-queries.js';
import {
  inTransaction,
  type OrganisationPut,
  type Precondition,
  storeOrganisation,
} from './store-organisation.js';

/**
 * Puts an organisation that was checked against its schema, and records the change.
 *
 * @throws OrganisationChangedError, OrganisationExistsError, OrganisationStateRequiredError
 */
export async function putOrganisation(
  database: Database,
  audit: AuditTrail,
  id: string,
  entry: OrganisationEntry,
  context: AuditContext,
  precondition: Precondition = 'any',
): Promise<OrganisationPut> {
  const errors = checkOrganisation(id, entry);
  if (errors.length > 0) return { errors };
  return inTransaction(database, async (transaction) => {
    // Of two creations at the same time, the second one waits here, and then reads what the first one has stored.
    const added = await transaction.query(addOrganisation(id));
    await transaction.query(lockOrganisation(id));
    const before = added.length > 0 ? undefined : await getOrganisation(transaction, id);
    const change = { transaction, audit, context, precondition };
    return { organisation: await storeOrganisation(id, before, entry, change) };
  });
}
