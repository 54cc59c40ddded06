// HTTP of routing profiles.
import {
  type ApplyQuery,
  compileCheck,
  DryRunRequest,
  LiveRoutingProfile,
  operations,
  PROFILE_NAME_PATTERN,
  RoutingProfile,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import { addOperation, compileQueryCheck, type RouteContext, refuse } from '../http/operation.js';
import { ValidationFailedError } from '../http/problem.js';
import { activateRoutingProfile } from './activate-routing-profile.js';
import { applyRoutingProfile } from './apply-routing-profile.js';
import { deactivateRoutingProfile } from './deactivate-routing-profile.js';
import { decisionContext } from './decision-routes.js';
import { dryRunRoutingProfile } from './dry-run-routing-profile.js';
import { listRoutingProfiles } from './list-routing-profiles.js';
import { putRoutingProfile } from './put-routing-profile.js';

/** House consignments that a dry run examines by default. */
const DEFAULT_DRY_RUN_LIMIT = 100_000;

/** House consignments that one request examines by default when a profile is applied. */
const DEFAULT_APPLY_LIMIT = 10_000;

const namePattern = new RegExp(PROFILE_NAME_PATTERN);

/** The dependencies of the operations. */
export type ProfilesContext = Parameters<typeof putRoutingProfile>[0] &
  Parameters<typeof applyRoutingProfile>[0];

export function addProfileRoutes(http: RouteContext, context: ProfilesContext): void {
  // A misspelt condition that is ignored would make a rule catch too much.
  const checkProfile = compileCheck<RoutingProfile>(RoutingProfile, { refuseUnknown: true });
  const checkDryRun = compileCheck<DryRunRequest>(DryRunRequest);
  const checkLive = compileCheck<LiveRoutingProfile>(LiveRoutingProfile);
  const checkApply = compileQueryCheck<ApplyQuery>(operations.applyRoutingProfile.query);

  addOperation(http, operations.listRoutingProfiles, () => listRoutingProfiles(context.database));

  addOperation(http, operations.putRoutingProfile, async (request, _reply, caller) => {
    const name = readName(request);
    return putRoutingProfile(
      context,
      name,
      accept(checkProfile(request.body)),
      decisionContext(request, caller, http.clock()),
    );
  });

  addOperation(http, operations.dryRunRoutingProfile, async (request) => {
    const name = readName(request);
    const { version, limit = DEFAULT_DRY_RUN_LIMIT } = accept(checkDryRun(request.body));
    return dryRunRoutingProfile(context.database, name, version, limit);
  });

  addOperation(http, operations.activateRoutingProfile, async (request, _reply, caller) => {
    const { name, version } = accept(checkLive(request.body));
    return activateRoutingProfile(
      context,
      name,
      version,
      decisionContext(request, caller, http.clock()),
    );
  });

  addOperation(http, operations.deactivateRoutingProfile, async (request, reply, caller) => {
    await deactivateRoutingProfile(context, decisionContext(request, caller, http.clock()));
    return reply.code(204).send();
  });

  addOperation(http, operations.applyRoutingProfile, async (request, _reply, caller) => {
    const { marker, limit = DEFAULT_APPLY_LIMIT } = checkApply(request.query);
    return applyRoutingProfile(
      context,
      marker,
      limit,
      decisionContext(request, caller, http.clock()),
    );
  });
}

function accept<Value>(
  checked: { valid: true; value: Value } | { valid: false; errors: readonly ValidationError[] },
): Value {
  if (!checked.valid) throw new ValidationFailedError(checked.errors);
  return checked.value;
}

function readName(request: FastifyRequest): string {
  // The cast is true because the operation's path has this parameter.
  const { name } = request.params as { name: string };
  if (!namePattern.test(name)) {
    refuse({
      field: 'name',
      error: 'must be small letters, digits and hyphens, 50 at most',
      code: 'FORMAT',
    });
  }
  return name;
}
