// Stores a new version of a routing profile.
import { isDeepStrictEqual } from 'node:util';
import type { RoutingProfile, StoredRoutingProfile } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { DecisionContext, Recorded } from './decision-context.js';
import { insertProfile, lockProfiles, selectProfile } from './profile-queries.js';
import { parseProfile, recordProfileChange, toStoredProfile } from './profiles.js';

/** Stores a valid profile and returns its latest version, which is the existing one if nothing has changed. */
export async function putRoutingProfile(
  { database, audit }: { database: Database; audit: AuditTrail },
  name: string,
  profile: RoutingProfile,
  context: Recorded<DecisionContext>,
): Promise<StoredRoutingProfile> {
  return database.transact(async (transaction) => {
    await transaction.query(lockProfiles);
    const [latest] = await transaction.query(selectProfile(name));
    if (latest !== undefined && isDeepStrictEqual(parseProfile(latest), profile)) {
      return toStoredProfile(latest);
    }
    const version = (latest?.version ?? 0) + 1;
    const [row] = await transaction.query(
      insertProfile(name, version, JSON.stringify(profile), context.at),
    );
    if (row === undefined) throw new Error(`profile ${name} was not stored`);
    await recordProfileChange(audit, transaction, 'put', context, { name, version, ...profile });
    return toStoredProfile(row);
  }, 'writes');
}
