// Lists the versions of routing profiles, page by page.
import {
  PAGE_LIMIT,
  type RoutingProfileQuery,
  type StoredRoutingProfile,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { selectProfiles } from './profile-queries.js';
import { toStoredProfile } from './profiles.js';

/** A page, and the marker of the next page if more follow. */
export type ProfilePage = { page: StoredRoutingProfile[]; next: string | undefined };

/** Where a page ends before its limit: a profile has up to 64 KiB, so a page has at most so many bytes and one profile. */
const PAGE_BYTES = 1_000_000;

/** The versions after the marker, sorted by name and version. */
export async function listRoutingProfiles(
  database: Queryable,
  { name = '', marker, limit = PAGE_LIMIT }: RoutingProfileQuery,
): Promise<ProfilePage> {
  const [afterName = '', afterVersion = 0] = marker?.split(':') ?? [];
  const after = { name: afterName, version: Number(afterVersion) };
  // One more than the page has shows whether it is the last one.
  const rows = await database.query(selectProfiles(name, after, limit + 1, PAGE_BYTES));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isLast = last === undefined || page.length === last.following;
  return {
    page: page.map(toStoredProfile),
    next: isLast ? undefined : `${last.name}:${last.version}`,
  };
}
