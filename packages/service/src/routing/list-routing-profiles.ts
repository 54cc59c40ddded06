// Lists all versions of all routing profiles.
import type { StoredRoutingProfile } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { selectProfiles } from './profile-queries.js';
import { toStoredProfile } from './profiles.js';

/** All versions, sorted by name and version. */
export async function listRoutingProfiles(database: Database): Promise<StoredRoutingProfile[]> {
  return (await database.query(selectProfiles)).map(toStoredProfile);
}
