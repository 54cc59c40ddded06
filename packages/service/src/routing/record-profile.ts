// What the audit trail says of a change of routing profiles.
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Transaction } from '../database/database.js';
import type { DecidedBy } from './decided-by.js';

/** Records a change in the transaction that makes it. */
export function recordProfile(
  audit: AuditTrail,
  transaction: Transaction,
  what: 'put' | 'activate' | 'deactivate',
  { at, organisation, clientId, requestId }: DecidedBy,
  details: Record<string, unknown>,
): Promise<void> {
  return audit.record(transaction, {
    at,
    actor: { organisation, client: clientId },
    requestId,
    action: `routing-profile.${what}`,
    details,
  });
}
