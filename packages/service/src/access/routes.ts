// HTTP of access: the token exchange, keys, the test of a token, and organisations.
import {
  type Organisation,
  OrganisationEntry,
  OrganisationPatch,
  operations,
} from '@landfall/contract';
import type { FastifyReply } from 'fastify';
import { actorOf } from '../http/caller.js';
import { modeOfAddress } from '../http/mode-of-address.js';
import {
  addOperation,
  addPublicOperation,
  compileBodyCheck,
  type RouteContext,
} from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import type { RateLimit } from '../http/rate-limit.js';
import type { Access } from './access.js';
import { readPrecondition, withEtag } from './etag-http.js';
import { admitAddress, forbidCaching, readForm, sendOAuthErrors } from './oauth-http.js';
import { OAuthRefusalError } from './oauth-refusal.js';
import type { OrganisationState } from './organisation-queries.js';
import { testAuth } from './test-auth.js';

/**
 * Adds the routes of the access module.
 *
 * @param addresses limits the token requests of an address
 */
export function addAccessRoutes(context: RouteContext, access: Access, addresses: RateLimit): void {
  addTokenRoutes(context, access, addresses);
  addOrganisationRoutes(context, access);
}

function addTokenRoutes(context: RouteContext, access: Access, addresses: RateLimit): void {
  addPublicOperation(
    context,
    operations.exchangeToken,
    async ({ request, reply }) => {
      const { response, organisation, clientId } = await access.exchangeToken(
        readForm(request),
        context.ownAddresses.of(request.headers),
      );
      request.log.info({ id: request.id, organisation, clientId }, 'customs token given');
      return forbidCaching(reply).send(response);
    },
    {
      admit: (request) => admitAddress(request, addresses),
      errorHandler: sendOAuthErrors((detail) => new OAuthRefusalError('invalid_request', detail)),
    },
  );

  addPublicOperation(context, operations.getCustomsKeys, async () => access.getCustomsKeys());

  addOperation(context, operations.testAuth, async ({ params, reply }) => {
    modeOfAddress(params); // throws for one that there is not
    return reply.type('text/plain').send(testAuth());
  });
}

function addOrganisationRoutes(context: RouteContext, access: Access): void {
  const readEntry = compileBodyCheck<OrganisationEntry>(OrganisationEntry);
  const readPatch = compileBodyCheck<OrganisationPatch>(OrganisationPatch);

  addOperation(context, operations.listOrganisations, async ({ query, request, reply }) => {
    const { page, next } = await access.listOrganisations(query);
    setPageHeaders(context.baseUrl, request, reply, { count: page.length, next });
    return page;
  });

  addOperation(context, operations.listOrganisationNames, ({ query }) =>
    access.listOrganisationNames(query),
  );

  addOperation(context, operations.getOrganisation, async ({ params: { id }, reply }) => {
    const organisation = await access.getOrganisation(id);
    if (organisation === undefined) throw noOrganisation(id);
    return sendOrganisation(reply, organisation);
  });

  addOperation(context, operations.putOrganisation, async (call) => {
    const { params, body, caller, request, reply } = call;
    const entry = readEntry(body);
    const precondition = readPrecondition(request.headers, entry.etag, 'not registered');
    const act = { at: context.clock(), actor: actorOf(caller), requestId: request.id };
    const put = await access.putOrganisation(params.id, entry, act, precondition);
    if ('errors' in put) throw new ValidationFailedError(put.errors);
    return sendOrganisation(reply, put.organisation);
  });

  addOperation(context, operations.patchOrganisation, async (call) => {
    const { params, body, caller, request, reply } = call;
    const patch = readPatch(body);
    const precondition = readPrecondition(request.headers, patch.etag, 'any');
    // `null` removes a member (RFC 7396): in the body, which was checked, it is still there.
    const merge = (before: OrganisationState) => readEntry({ ...before, ...Object(body) });
    const act = { at: context.clock(), actor: actorOf(caller), requestId: request.id };
    const patched = await access.patchOrganisation(params.id, merge, act, precondition);
    if (patched === undefined) throw noOrganisation(params.id);
    if ('errors' in patched) throw new ValidationFailedError(patched.errors);
    return sendOrganisation(reply, patched.organisation);
  });
}

function noOrganisation(id: string): HttpError {
  return new HttpError(404, `There is no organisation ${id}`);
}

function sendOrganisation(reply: FastifyReply, organisation: OrganisationState): Organisation {
  const tagged = withEtag(organisation);
  reply.header('ETag', tagged.etag);
  return tagged;
}
