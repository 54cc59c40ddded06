// Stored routing profiles: versions never change, and at most one version is live.
import type {
  RoutingProfile,
  StoredRoutingProfile,
  TransportDocumentType,
} from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Queryable, Transaction } from '../database/database.js';
import { type CompiledProfile, type ConsignmentFacts, compileProfile } from './compile-profile.js';
import type { DecisionContext, Recorded } from './decision-context.js';
import {
  type ConsignmentRow,
  type ProfileRow,
  selectConsignmentFacts,
  selectLiveProfile,
} from './profile-queries.js';

/** The profile or its version does not exist, or no profile is live. */
export class ProfileNotFoundError extends Error {
  readonly code = 'PROFILE_NOT_FOUND';
  override name = 'ProfileNotFoundError';
}

/** The live version, compiled. */
export type LiveProfile = CompiledProfile & { name: string; version: number };

/** Reads the live version, and compiles it once. */
export class LiveProfiles {
  #last: { text: string; live: LiveProfile } | undefined;

  /**
   * The live version; `undefined` if none is live.
   *
   * @param queryable the transaction, if the profile must be live in it
   */
  async read(queryable: Queryable): Promise<LiveProfile | undefined> {
    const [row] = await queryable.query(selectLiveProfile);
    if (row === undefined) return undefined;
    const { name, version, profile } = row;
    const last = this.#last;
    // Its text, too: after a restore, a version may be another one.
    if (last?.live.name === name && last.live.version === version && last.text === profile) {
      return last.live;
    }
    const live = { name, version, ...compileProfile(parseProfile(row)) };
    this.#last = { text: profile, live };
    return live;
  }

  /** Forgets the compiled version, after the stored ones were replaced. */
  forget(): void {
    this.#last = undefined;
  }
}

/** The profile of a row. */
export function parseProfile({ profile }: Pick<ProfileRow, 'profile'>): RoutingProfile {
  // The cast is true because a profile is checked before it is stored.
  return JSON.parse(profile) as RoutingProfile;
}

/** A row in the form of the API. */
export function toStoredProfile(row: ProfileRow): StoredRoutingProfile {
  return {
    name: row.name,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    live: row.live_since !== null,
    ...(row.live_since !== null && { liveSince: row.live_since.toISOString() }),
    ...parseProfile(row),
  };
}

/** The facts that a profile depends on. */
export function factsOf(row: ConsignmentRow): ConsignmentFacts {
  // The cast is true because the type is checked against CL754 before it is registered.
  return { ...row, documentType: row.documentType as TransportDocumentType };
}

/** The facts of those of these house consignments on which a profile decides, by their ids. */
export async function readFacts(
  database: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConsignmentFacts>> {
  const rows = await database.query(selectConsignmentFacts(ids));
  return new Map(rows.map((row) => [row.id, factsOf(row)]));
}

/** Appends a change of profiles to the audit trail, in the transaction that makes it. */
export function recordProfileChange(
  audit: AuditTrail,
  transaction: Transaction,
  change: 'put' | 'activate' | 'deactivate',
  { at, organisation, clientId, requestId }: Recorded<DecisionContext>,
  details: Record<string, unknown>,
): Promise<void> {
  return audit.record(transaction, {
    at,
    actor: { organisation, client: clientId },
    requestId,
    action: `routing-profile.${change}`,
    details,
  });
}
