// The playground's identity provider over HTTP.
import { operations } from '@landfall/contract';
import { addPublicOperation, type RouteContext } from '../../http/operation.js';
import type { RateLimit } from '../../http/rate-limit.js';
import {
  admitAddress,
  answerOAuthErrors,
  forbidCaching,
  readForm,
  sendKeySet,
} from '../oauth-http.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { IdentityProvider } from './identity-provider.js';

/** RFC 8414, section 3.1: the well-known part stands before the path of the issuer, and the issuer is `/idp`. */
const STANDARD_METADATA_PATH = '/.well-known/oauth-authorization-server/idp';

/** Adds the identity provider's routes. */
export function addIdentityProviderRoutes(
  context: RouteContext,
  identityProvider: IdentityProvider,
  addresses: RateLimit,
): void {
  addPublicOperation(
    context,
    operations.requestAccessToken,
    async (request, reply) => {
      admitAddress(request, addresses);
      const { answer, organisation, clientId } = await identityProvider.requestAccessToken(
        readForm(request),
        request.id,
      );
      request.log.info({ id: request.id, organisation, clientId }, 'access token given');
      return forbidCaching(reply).send(answer);
    },
    { errorHandler: answerOAuthErrors((detail) => new GrantRefusedError('MP-011', detail)) },
  );

  addPublicOperation(context, operations.getIdentityProviderKeys, async (_request, reply) =>
    sendKeySet(reply, identityProvider.publishedKeys()),
  );

  const { getIdentityProviderMetadata } = operations;
  for (const path of [getIdentityProviderMetadata.path, STANDARD_METADATA_PATH]) {
    addPublicOperation(
      context,
      { ...getIdentityProviderMetadata, path },
      async () => identityProvider.metadata,
    );
  }
}
