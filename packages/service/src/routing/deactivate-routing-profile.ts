// Deactivates the live routing profile.
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { DecisionContext, Recorded } from './decision-context.js';
import { clearLiveProfile, lockProfiles } from './profile-queries.js';
import { recordProfileChange } from './profiles.js';

/** Deactivates the live profile. Does nothing if none is live. */
export async function deactivateRoutingProfile(
  { database, audit }: { database: Database; audit: AuditTrail },
  context: Recorded<DecisionContext>,
): Promise<void> {
  await database.transact(async (transaction) => {
    await transaction.query(lockProfiles);
    const [row] = await transaction.query(clearLiveProfile);
    if (row === undefined) return;
    const { name, version } = row;
    await recordProfileChange(audit, transaction, 'deactivate', context, { name, version });
  }, 'writes');
}
