// Reads any movement message for the authority. Each reading is recorded, because messages have names and addresses.
import { MAX_COUPLED } from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { selectAnyMovement } from './authority-queries.js';

/**
 * The message as the JSON text that is sent; `undefined` if there is none with this MRN.
 *
 * @param expectedOnly whether only expected parties couple
 */
export function getMovementAsAuthority(
  { database, audit, expectedOnly }: ReadingContext,
  mrn: string,
  context: AuditContext,
): Promise<string | undefined> {
  return database.transact(async (transaction) => {
    const [found] = await transaction.query(selectAnyMovement(mrn, expectedOnly, MAX_COUPLED));
    if (found === undefined) return undefined;
    const { level, digest } = found;
    const details = { mrn, level, ...(digest !== null && { digest }) };
    await audit.record(transaction, { ...context, action: 'movement.read', details });
    return found.body;
  }, 'writes');
}

/** What reading needs. */
export type ReadingContext = { database: Database; audit: AuditTrail; expectedOnly: boolean };
