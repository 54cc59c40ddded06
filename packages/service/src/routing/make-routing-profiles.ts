// The operations on routing profiles, made for one server.
import type {
  AppliedRoutingProfile,
  DryRun,
  RoutingProfile,
  StoredRoutingProfile,
} from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { activateRoutingProfile, deactivateRoutingProfile } from './activate-routing-profile.js';
import { applyRoutingProfile } from './apply-routing-profile.js';
import type { DecideRouting } from './decide-routing.js';
import type { DecidedBy } from './decided-by.js';
import { dryRunRoutingProfile } from './dry-run-routing-profile.js';
import { type ProfileRow, selectProfiles } from './profile-queries.js';
import { type LiveProfiles, tellStored } from './profiles.js';
import { putRoutingProfile } from './put-routing-profile.js';

/** Each operation is described where it is defined. */
export type RoutingProfiles = {
  list(): Promise<StoredRoutingProfile[]>;
  put(name: string, profile: RoutingProfile, by: DecidedBy): Promise<StoredRoutingProfile>;
  dryRun(name: string, version: number | undefined, limit: number): Promise<DryRun>;
  activate(name: string, version: number, by: DecidedBy): Promise<StoredRoutingProfile>;
  deactivate(by: DecidedBy): Promise<void>;
  apply(above: string | undefined, limit: number, by: DecidedBy): Promise<AppliedRoutingProfile>;
};

/** Makes the operations. */
export function makeRoutingProfiles(parts: {
  database: Database;
  audit: AuditTrail;
  profiles: LiveProfiles;
  decideRouting: DecideRouting;
}): RoutingProfiles {
  const { database } = parts;
  return {
    list: async () => (await database.query<ProfileRow>(selectProfiles)).map(tellStored),
    put: (name, profile, by) => putRoutingProfile(parts, name, profile, by),
    dryRun: (name, version, limit) => dryRunRoutingProfile(database, name, version, limit),
    activate: (name, version, by) => activateRoutingProfile(parts, name, version, by),
    deactivate: (by) => deactivateRoutingProfile(parts, by),
    apply: (above, limit, by) => applyRoutingProfile(parts, above, limit, by),
  };
}
