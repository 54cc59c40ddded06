// Describes the playground's identity provider to its clients (RFC 8414).
import {
  formatScope,
  GRANT_ALGORITHMS,
  JWT_BEARER_GRANT,
  type ScopeName,
  scopes,
  TEST_SCOPE,
} from '@landfall/contract';

/** The authorization server metadata. */
export function getIdentityProviderMetadata(
  issuer: string,
  scopePrefix: string,
): Record<string, string | string[]> {
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    grant_types_supported: [JWT_BEARER_GRANT],
    // The grant itself identifies the client; there is no other authentication.
    token_endpoint_auth_methods_supported: ['none'],
    token_endpoint_auth_signing_alg_values_supported: [...GRANT_ALGORITHMS],
    scopes_supported: listScopes(scopePrefix),
    response_types_supported: [],
  };
}

function listScopes(prefix: string): string[] {
  // The cast is true because the keys of the scope table are the scopes' names.
  const names = Object.keys(scopes) as ScopeName[];
  return [
    ...names.map((name) => formatScope(name, { prefix })),
    ...names
      .filter((name) => scopes[name].foreign)
      .map((name) => formatScope(name, { prefix, foreign: true })),
    `${prefix}${TEST_SCOPE}`,
  ];
}
