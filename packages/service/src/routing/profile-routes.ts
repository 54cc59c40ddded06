// HTTP of routing profiles.
import {
  DryRunRequest,
  LiveRoutingProfile,
  operations,
  PROFILE_NAME_PATTERN,
  RoutingProfile,
} from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { Caller } from '../http/caller.js';
import { addOperation, compileBodyCheck, type RouteContext, refuse } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { activateRoutingProfile } from './activate-routing-profile.js';
import { applyRoutingProfile } from './apply-routing-profile.js';
import type { DecisionCommits } from './commit-decisions.js';
import { deactivateRoutingProfile } from './deactivate-routing-profile.js';
import type { MakeDecisionContext } from './decision-context.js';
import { dryRunRoutingProfile } from './dry-run-routing-profile.js';
import { listRoutingProfiles } from './list-routing-profiles.js';
import type { LiveProfiles } from './profiles.js';
import { putRoutingProfile } from './put-routing-profile.js';

/** House consignments that a dry run examines by default. */
const DEFAULT_DRY_RUN_LIMIT = 100_000;

/** House consignments that one request examines by default when a profile is applied. */
const DEFAULT_APPLY_LIMIT = 10_000;

const namePattern = new RegExp(PROFILE_NAME_PATTERN);

/** What the operations need. */
export type ProfilesContext = {
  database: Database;
  audit: AuditTrail;
  profiles: LiveProfiles;
  commits: DecisionCommits;
  contextOf: MakeDecisionContext;
};

export function addProfileRoutes(http: RouteContext, context: ProfilesContext): void {
  // A misspelt condition that is ignored would make a rule catch too much.
  const readProfile = compileBodyCheck<RoutingProfile>(RoutingProfile);
  const readDryRun = compileBodyCheck<DryRunRequest>(DryRunRequest);
  const readLive = compileBodyCheck<LiveRoutingProfile>(LiveRoutingProfile);
  const contextOf = ({ request, caller }: { request: FastifyRequest; caller: Caller }) =>
    context.contextOf(caller, request.id, http.clock());

  addOperation(http, operations.listRoutingProfiles, async ({ query, request, reply }) => {
    const { page, next } = await listRoutingProfiles(context.database, query);
    setPageHeaders(http.baseUrl, request, reply, { count: page.length, next });
    return page;
  });

  addOperation(http, operations.putRoutingProfile, async (call) => {
    const name = checkName(call.params);
    return putRoutingProfile(context, name, readProfile(call.body), contextOf(call));
  });

  addOperation(http, operations.dryRunRoutingProfile, async ({ params, body }) => {
    const name = checkName(params);
    const { version, limit = DEFAULT_DRY_RUN_LIMIT } = readDryRun(body);
    return dryRunRoutingProfile(context.database, name, version, limit);
  });

  addOperation(http, operations.activateRoutingProfile, async (call) => {
    const { name, version } = readLive(call.body);
    return activateRoutingProfile(context, name, version, contextOf(call));
  });

  addOperation(http, operations.deactivateRoutingProfile, async (call) => {
    await deactivateRoutingProfile(context, contextOf(call));
    return call.reply.code(204).send();
  });

  addOperation(http, operations.applyRoutingProfile, async (call) => {
    const { marker, limit = DEFAULT_APPLY_LIMIT } = call.query;
    const { caller, request } = call;
    const decider = context.contextOf(caller, request.id, http.movedClock?.());
    return applyRoutingProfile(context, marker, limit, decider);
  });
}

function checkName({ name }: { name: string }): string {
  if (!namePattern.test(name)) {
    refuse({
      field: 'name',
      error: 'must be small letters, digits and hyphens, 50 at most',
      code: 'FORMAT',
    });
  }
  return name;
}
