// Keeps a new version of a routing profile, unless the latest one says the same.
import { isDeepStrictEqual } from 'node:util';
import type { RoutingProfile, StoredRoutingProfile } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { DecidedBy } from './decided-by.js';
import { insertProfile, lockProfiles, type ProfileRow, selectProfile } from './profile-queries.js';
import { readStored, tellStored } from './profiles.js';
import { recordProfile } from './record-profile.js';

/** Puts a profile, which was checked; gives its latest version. */
export async function putRoutingProfile(
  { database, audit }: { database: Database; audit: AuditTrail },
  name: string,
  profile: RoutingProfile,
  by: DecidedBy,
): Promise<StoredRoutingProfile> {
  return database.transact(async (transaction) => {
    await transaction.query(lockProfiles);
    const [latest] = await transaction.query<ProfileRow>(selectProfile(name));
    if (latest !== undefined && isDeepStrictEqual(readStored(latest), profile)) {
      return tellStored(latest);
    }
    const version = (latest?.version ?? 0) + 1;
    const [row] = await transaction.query<ProfileRow>(
      insertProfile(name, version, JSON.stringify(profile), by.at),
    );
    if (row === undefined) throw new Error(`${name} is not there after it was put`);
    await recordProfile(audit, transaction, 'put', by, { name, version, ...profile });
    return tellStored(row);
  });
}
