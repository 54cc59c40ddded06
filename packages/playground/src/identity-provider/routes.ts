// The playground's identity provider over HTTP.
import { operations } from '@landfall/contract';
import type { TokenRequestContext } from '@landfall/service/assembly';
import {
  addPublicOperation,
  admitAddress,
  forbidCaching,
  readForm,
  sendOAuthErrors,
} from '@landfall/service/assembly';
import { GrantRefusedError } from './grant-errors.js';
import type { IdentityProvider } from './identity-provider.js';

/** RFC 8414, section 3.1: the well-known part comes before the path of the issuer, which is `/idp`. */
const WELL_KNOWN_METADATA_PATH = '/.well-known/oauth-authorization-server/idp';

/** Serves the identity provider until the server closes. */
export function serveIdentityProvider(
  context: TokenRequestContext,
  identityProvider: IdentityProvider,
): void {
  addRoutes(context, identityProvider);
  identityProvider.deleteExpiredGrants(
    context.failures.reporter(
      'consumed-grants',
      'expired grants are not deleted yet; the next run deletes them',
    ),
  );
  context.http.app.addHook('onClose', async () => identityProvider.close());
}

function addRoutes(
  { http, addresses, admitClient }: TokenRequestContext,
  identityProvider: IdentityProvider,
): void {
  addPublicOperation(
    http,
    operations.requestAccessToken,
    async ({ request, reply }) => {
      const { response, organisation, clientId } = await identityProvider.requestAccessToken(
        readForm(request),
        request.id,
        admitClient,
        http.ownAddresses.of(request.headers),
      );
      request.log.info({ id: request.id, organisation, clientId }, 'access token given');
      return forbidCaching(reply).send(response);
    },
    {
      admit: (request) => admitAddress(request, addresses),
      errorHandler: sendOAuthErrors((detail) => new GrantRefusedError('MP-011', detail), {
        quoteRequestId: true,
      }),
    },
  );

  addPublicOperation(http, operations.getIdentityProviderKeys, async () =>
    identityProvider.getIdentityProviderKeys(),
  );

  const { getIdentityProviderMetadata } = operations;
  for (const path of [getIdentityProviderMetadata.path, WELL_KNOWN_METADATA_PATH]) {
    addPublicOperation(http, { ...getIdentityProviderMetadata, path }, async ({ request }) =>
      identityProvider.getIdentityProviderMetadata(http.ownAddresses.of(request.headers)),
    );
  }
}
