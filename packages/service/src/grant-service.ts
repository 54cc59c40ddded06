// Grants scopes to an organisation on production's database: how the first organisation of the authority gets in.
import type { ScopeName } from '@landfall/contract';
import { grantScopes, type ScopesGranted } from './access/grant-scopes.js';
import { AuditTrail } from './audit/audit-trail.js';
import { checkSchema, UnsafeError } from './check-safety.js';
import type { Config } from './config.js';
import { onProductionDatabase } from './open-production-database.js';

/**
 * Grants scopes without a server and without a token: whoever may write to the database may do this anyhow. Servers
 * that run need not be told, because an exchange asks the database in every case.
 *
 * @returns what is new, or every broken rule
 * @throws NoDatabaseError when DATABASE_URL is not set or no address of PostgreSQL
 * @throws UnsafeError when the database is not of this version
 * @throws DatabaseUnavailableError when PostgreSQL does not answer
 */
export function grantService(
  organisation: string,
  grant: { scopes: readonly ScopeName[]; name?: string },
  given: Partial<Config> = {},
): Promise<ScopesGranted> {
  return onProductionDatabase(given, async (database) => {
    const reasons = await checkSchema(database);
    if (reasons.length > 0) throw new UnsafeError(reasons);
    return grantScopes(database, new AuditTrail(), new Date(), organisation, grant);
  });
}
