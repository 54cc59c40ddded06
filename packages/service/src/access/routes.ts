// HTTP of access: the token exchange, keys, the test of a token, and organisations.
import {
  compileCheck,
  type Organisation,
  OrganisationEntry,
  type OrganisationQuery,
  operations,
} from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../http/caller.js';
import { linkToNext } from '../http/link.js';
import {
  addOperation,
  addPublicOperation,
  compileQueryCheck,
  type RouteContext,
} from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import type { RateLimit } from '../http/rate-limit.js';
import type { Access } from './access.js';
import { readPrecondition, withEtag } from './etag-http.js';
import type { OrganisationState } from './get-organisation.js';
import {
  admitAddress,
  forbidCaching,
  readForm,
  sendKeySet,
  sendOAuthErrors,
} from './oauth-http.js';
import { OAuthRefusalError } from './oauth-refusal.js';
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
    async (request, reply) => {
      admitAddress(request, addresses);
      const { response, organisation, clientId } = await access.exchangeToken(readForm(request));
      request.log.info({ id: request.id, organisation, clientId }, 'customs token given');
      return forbidCaching(reply).send(response);
    },
    {
      errorHandler: sendOAuthErrors((detail) => new OAuthRefusalError('invalid_request', detail)),
    },
  );

  addPublicOperation(context, operations.getCustomsKeys, async (_request, reply) =>
    sendKeySet(reply, access.getCustomsKeys()),
  );

  addOperation(
    context,
    operations.testAuth,
    async (_request, reply) => reply.type('text/plain').send(testAuth()),
    { ignoreAccept: true },
  );
}

function addOrganisationRoutes(context: RouteContext, access: Access): void {
  const check = compileCheck<OrganisationEntry>(OrganisationEntry);

  const checkQuery = compileQueryCheck<OrganisationQuery>(operations.listOrganisations.query);

  addOperation(context, operations.listOrganisations, async (request, reply) => {
    const { page, next } = await access.listOrganisations(checkQuery(request.query));
    reply.header('Cache-Control', 'no-store');
    if (next !== undefined) reply.header('Link', linkToNext(context.baseUrl, request.url, next));
    return page;
  });

  addOperation(context, operations.getOrganisation, async (request, reply) => {
    const id = readId(request);
    const organisation = await access.getOrganisation(id);
    if (organisation === undefined) throw new HttpError(404, `There is no organisation ${id}`);
    return sendOrganisation(reply, organisation);
  });

  addOperation(context, operations.putOrganisation, async (request, reply, caller) => {
    const precondition = readPrecondition(request.headers);
    const checked = check(request.body);
    if (!checked.valid) throw new ValidationFailedError(checked.errors);
    const act = { at: context.clock(), actor: actorOf(caller), requestId: request.id };
    const put = await access.putOrganisation(readId(request), checked.value, act, precondition);
    if ('errors' in put) throw new ValidationFailedError(put.errors);
    return sendOrganisation(reply, put.organisation);
  });
}

function sendOrganisation(reply: FastifyReply, organisation: OrganisationState): Organisation {
  const tagged = withEtag(organisation);
  reply.header('ETag', tagged.etag);
  return tagged;
}

function readId(request: FastifyRequest): string {
  // The cast is true because the operation's path has this parameter.
  return (request.params as { id: string }).id;
}
