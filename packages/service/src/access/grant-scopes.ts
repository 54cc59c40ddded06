// Grants scopes to an organisation. Repeating it changes nothing, and no scope is removed.
import { isDeepStrictEqual } from 'node:util';
import { organisationKind, type ScopeName, type ValidationError } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { checkOrganisation } from './check-organisation.js';
import { getOrganisation } from './get-organisation.js';
import type { OrganisationState } from './organisation-queries.js';
import { addScopes, ensureOrganisation } from './organisation-queries.js';

/** The organisation after the grant, with the added scopes; or every broken rule. */
export type ScopesGranted =
  | { organisation: OrganisationState; added: boolean; granted: readonly string[] }
  | { errors: readonly ValidationError[] };

/**
 * Grants scopes, and records the change in the audit trail in the same transaction.
 *
 * @param id the organisation's identifier; the organisation is added if it is missing
 * @param at the time of the grant
 * @param grant `scopes` in the plain form without prefix, and a `name` for an organisation that has none
 */
export async function grantScopes(
  database: Database,
  audit: AuditTrail,
  at: Date,
  id: string,
  { scopes, name = id }: { scopes: readonly ScopeName[]; name?: string },
): Promise<ScopesGranted> {
  const kind = organisationKind(id);
  const errors = checkOrganisation(id, { name, kind, grantedScopes: [...scopes] });
  if (errors.length > 0) return { errors };
  return database.transact(async (transaction) => {
    const before = await getOrganisation(transaction, id);
    const [row] = await transaction.query(ensureOrganisation(id, name, kind));
    if (row === undefined) throw new Error(`${id} was neither added nor found`);
    const granted = await transaction.query(addScopes(row.id, [...new Set(scopes)]));
    const organisation = await getOrganisation(transaction, id);
    if (organisation === undefined) throw new Error(`${id} is missing after the grant`);
    if (!isDeepStrictEqual(before, organisation)) {
      // The operator has access to the database and no token.
      await audit.record(transaction, {
        at,
        actor: undefined,
        requestId: undefined,
        action: 'organisation.grant',
        details: { before, after: organisation },
      });
    }
    return {
      organisation,
      added: before === undefined,
      granted: granted.map(({ scope }) => scope),
    };
  });
}
