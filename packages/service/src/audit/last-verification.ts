// The last verification of the audit trail: recorded when it ends, and read for the status of the service.
import type { AuditVerification } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import {
  recordVerification,
  selectTrailBegin,
  selectVerification,
} from './verification-queries.js';
import type { Verification } from './verify-audit.js';

/** Records that a verification has ended. */
export async function recordLastVerification(
  database: Queryable,
  { records, breaks }: Verification,
  { at, recordsOnly }: { at: Date; recordsOnly: boolean },
): Promise<void> {
  await database.query(recordVerification({ at, records, breaks: breaks.length, recordsOnly }));
}

/** Since when there is a trail, in milliseconds since 1970; `undefined` if nothing was recorded yet. */
export async function readTrailBegin(database: Queryable): Promise<number | undefined> {
  const [row] = await database.query(selectTrailBegin);
  return row?.since?.getTime();
}

/** The last verification; `undefined` if the trail was never verified. */
export async function readLastVerification(
  database: Queryable,
): Promise<AuditVerification | undefined> {
  const [row] = await database.query(selectVerification);
  return row && { ...row, at: row.at.toISOString() };
}
