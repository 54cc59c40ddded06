// The addresses of routing profiles: put, list, try, make live, apply.
import {
  type ApplyQuery,
  compileCheck,
  DryRunRequest,
  LiveRoutingProfile,
  operations,
  PROFILE_NAME_PATTERN,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import { addOperation, compileQueryCheck, type RouteContext, refuse } from '../http/operation.js';
import { ValidationFailedError } from '../http/problem.js';
import { decidedBy } from './decision-routes.js';
import type { RoutingProfiles } from './make-routing-profiles.js';
import { readProfile } from './read-profile.js';

/** House consignments that a dry run looks at unless it says how many. */
const DRY_RUN_OF = 100_000;

/** House consignments that are applied to at once unless it is said how many. */
const APPLY_TO = 10_000;

const namePattern = new RegExp(PROFILE_NAME_PATTERN);

export function addProfileRoutes(http: RouteContext, profiles: RoutingProfiles): void {
  const checkDryRun = compileCheck<DryRunRequest>(DryRunRequest);
  const checkLive = compileCheck<LiveRoutingProfile>(LiveRoutingProfile);
  const checkApply = compileQueryCheck<ApplyQuery>(operations.applyRoutingProfile.query);

  addOperation(http, operations.listRoutingProfiles, () => profiles.list());

  addOperation(http, operations.putRoutingProfile, async (request, _reply, caller) => {
    const name = readName(request);
    const read = readProfile(request.body);
    if ('errors' in read) throw new ValidationFailedError(read.errors);
    return profiles.put(name, read.profile, decidedBy(request, caller));
  });

  addOperation(http, operations.dryRunRoutingProfile, async (request) => {
    const name = readName(request);
    const { version, limit = DRY_RUN_OF } = accept(checkDryRun(request.body));
    return profiles.dryRun(name, version, limit);
  });

  addOperation(http, operations.activateRoutingProfile, async (request, _reply, caller) => {
    const { name, version } = accept(checkLive(request.body));
    return profiles.activate(name, version, decidedBy(request, caller));
  });

  addOperation(http, operations.deactivateRoutingProfile, async (request, reply, caller) => {
    await profiles.deactivate(decidedBy(request, caller));
    return reply.code(204).send();
  });

  addOperation(http, operations.applyRoutingProfile, async (request, _reply, caller) => {
    const { marker, limit = APPLY_TO } = checkApply(request.query);
    return profiles.apply(marker, limit, decidedBy(request, caller));
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
