// Decides which version of which routing profile is live: one, or none.
import type { StoredRoutingProfile } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { DecidedBy } from './decided-by.js';
import {
  clearLiveProfile,
  lockProfiles,
  type ProfileRow,
  selectProfile,
  setLiveProfile,
} from './profile-queries.js';
import { ProfileNotFoundError, tellStored } from './profiles.js';
import { recordProfile } from './record-profile.js';

type Parts = { database: Database; audit: AuditTrail };

/**
 * Makes a version the live one. The one that is live already stays as it is.
 *
 * @throws ProfileNotFoundError
 */
export async function activateRoutingProfile(
  { database, audit }: Parts,
  name: string,
  version: number,
  by: DecidedBy,
): Promise<StoredRoutingProfile> {
  return database.transact(async (transaction) => {
    await transaction.query(lockProfiles);
    const [row] = await transaction.query<ProfileRow>(selectProfile(name, version));
    if (row === undefined)
      throw new ProfileNotFoundError(`There is no profile ${name} version ${version}`);
    if (row.liveSince !== null) return tellStored(row);
    await transaction.query(clearLiveProfile);
    const [live] = await transaction.query<ProfileRow>(setLiveProfile(name, version, by.at));
    if (live === undefined) throw new Error(`${name} is gone before it was live`);
    await recordProfile(audit, transaction, 'activate', by, { name, version });
    return tellStored(live);
  });
}

/** Has no live profile from now on. */
export async function deactivateRoutingProfile(
  { database, audit }: Parts,
  by: DecidedBy,
): Promise<void> {
  await database.transact(async (transaction) => {
    await transaction.query(lockProfiles);
    const [row] = await transaction.query<ProfileRow>(clearLiveProfile);
    if (row === undefined) return;
    await recordProfile(audit, transaction, 'deactivate', by, {
      name: row.name,
      version: row.version,
    });
  });
}
