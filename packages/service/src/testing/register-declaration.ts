// Registers one declaration for a test.
import { randomUUID } from 'node:crypto';
import type { EntrySummaryDeclaration } from '@landfall/contract';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { register } from '../registry/register.js';

/** Registers a declaration with all its house consignments. */
export async function registerDeclaration(
  database: Database,
  { houseConsignments, ...declaration }: EntrySummaryDeclaration,
): Promise<void> {
  const { mrn } = declaration;
  await register(
    { database, audit: new AuditTrail(), newId: v7 },
    [{ mrn, declaration, houses: houseConsignments, isComplete: true }],
    { at: new Date(), actor: undefined, requestId: randomUUID() },
  );
}
