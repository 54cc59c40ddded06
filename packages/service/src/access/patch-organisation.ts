// Changes some members of an organisation (RFC 7396): what is not named stays as it is.
import type { OrganisationEntry } from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { checkOrganisation } from './check-organisation.js';
import { getOrganisation } from './get-organisation.js';
import { lockOrganisation, type OrganisationState } from './organisation-queries.js';
import {
  inTransaction,
  type OrganisationPut,
  OrganisationRefusedError,
  type Precondition,
  storeOrganisation,
} from './store-organisation.js';

/**
 * Changes an organisation that exists, and records the change.
 *
 * @param merge makes the whole organisation from the one that is stored
 * @returns `undefined` if there is none
 * @throws OrganisationChangedError
 */
export async function patchOrganisation(
  database: Database,
  audit: AuditTrail,
  id: string,
  merge: (before: OrganisationState) => OrganisationEntry,
  context: AuditContext,
  precondition: Precondition,
): Promise<OrganisationPut | undefined> {
  return inTransaction(database, async (transaction) => {
    await transaction.query(lockOrganisation(id));
    const before = await getOrganisation(transaction, id);
    if (before === undefined) return undefined;
    const entry = merge(before);
    const errors = checkOrganisation(id, entry);
    if (errors.length > 0) throw new OrganisationRefusedError(errors);
    const change = { transaction, audit, context, precondition };
    return { organisation: await storeOrganisation(id, before, entry, change) };
  });
}
