// Makes a version of a routing profile the live one.
import type { StoredRoutingProfile } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { DecisionContext, Recorded } from './decision-context.js';
import {
  clearLiveProfile,
  lockProfiles,
  selectProfile,
  setLiveProfile,
} from './profile-queries.js';
import { ProfileNotFoundError, recordProfileChange, toStoredProfile } from './profiles.js';

/**
 * Activates a version instead of the live one. A version that is already live is not changed.
 *
 * @throws ProfileNotFoundError
 */
export async function activateRoutingProfile(
  { database, audit }: { database: Database; audit: AuditTrail },
  name: string,
  version: number,
  context: Recorded<DecisionContext>,
): Promise<StoredRoutingProfile> {
  return database.transact(async (transaction) => {
    await transaction.query(lockProfiles);
    const [row] = await transaction.query(selectProfile(name, version));
    if (row === undefined)
      throw new ProfileNotFoundError(`There is no profile ${name} version ${version}`);
    if (row.live_since !== null) return toStoredProfile(row);
    await transaction.query(clearLiveProfile);
    const [live] = await transaction.query(setLiveProfile(name, version, context.at));
    if (live === undefined) throw new Error(`profile ${name} was not updated`);
    await recordProfileChange(audit, transaction, 'activate', context, { name, version });
    return toStoredProfile(live);
  }, 'writes');
}
