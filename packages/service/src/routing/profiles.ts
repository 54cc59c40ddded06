// Routing profiles as they are kept: each version for ever, one of them live.
import type {
  RoutingProfile,
  StoredRoutingProfile,
  TransportDocumentType,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type CompiledProfile, type ConsignmentFacts, compileProfile } from './compile-profile.js';
import { type ConsignmentRow, type ProfileRow, selectLiveProfile } from './profile-queries.js';

/** There is no such profile, no such version of it, or none is live. */
export class ProfileNotFoundError extends Error {
  readonly code = 'PROFILE_NOT_FOUND';
  override name = 'ProfileNotFoundError';
}

/** The version that decides now. */
export type LiveProfile = CompiledProfile & { name: string; version: number };

/** The version that decides now, made ready once; `undefined` when none is live. */
export class LiveProfiles {
  #last: LiveProfile | undefined;

  /** @param queryable the transaction, where what is decided must be by the profile that is live in it */
  async read(queryable: Queryable): Promise<LiveProfile | undefined> {
    const [row] = await queryable.query<ProfileRow>(selectLiveProfile);
    if (row === undefined) return undefined;
    const { name, version } = row;
    if (this.#last?.name !== name || this.#last.version !== version) {
      this.#last = { name, version, ...compileProfile(readStored(row)) };
    }
    return this.#last;
  }
}

/** The profile of a row. */
export function readStored({ profile }: Pick<ProfileRow, 'profile'>): RoutingProfile {
  // The cast is true because a profile is checked before it is kept.
  return JSON.parse(profile) as RoutingProfile;
}

/** A row as it is told. */
export function tellStored(row: ProfileRow): StoredRoutingProfile {
  return {
    name: row.name,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    live: row.liveSince !== null,
    ...(row.liveSince !== null && { liveSince: row.liveSince.toISOString() }),
    ...readStored(row),
  };
}

/** What a profile goes by. */
export function factsOf(row: ConsignmentRow): ConsignmentFacts {
  // The cast is true because the type is checked against CL754 before it is registered.
  return { ...row, documentType: row.documentType as TransportDocumentType };
}
