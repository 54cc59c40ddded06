// The playground's own identity provider, for a start without an external one. Wire contract, section 6.
import {
  formatScope,
  GRANT_ALGORITHMS,
  JWT_BEARER_GRANT,
  type ScopeName,
  scopes,
  TEST_SCOPE,
} from '@landfall/contract';
import type { Database } from '../../database/database.js';
import type { OrganisationLookup } from '../organisation-lookup.js';
import { forgetUsedGrants } from '../queries.js';
import type { KeyRing, PublishedKey } from '../signing-keys/key-ring.js';
import { readPemCertificate } from './certificate.js';
import { ClientLookup } from './client-lookup.js';
import {
  type IdentityProviderRules,
  type Issued,
  requestAccessToken,
} from './request-access-token.js';
import { makeUseGrant } from './use-grant.js';

/** How often the grants whose time is over are forgotten, in milliseconds. */
const FORGET_INTERVAL = 60_000;

/** The identity provider, as its routes need it. */
export type IdentityProvider = {
  issuer: string;
  keys: KeyRing;
  metadata: Record<string, string | string[]>;
  publishedKeys(): PublishedKey[];
  requestAccessToken(form: Readonly<Record<string, unknown>>, tokenId: string): Promise<Issued>;
  close(): void;
};

/** Opens the identity provider. Closing it closes its keys. */
export function openIdentityProvider({
  database,
  organisations,
  issuer,
  audience,
  admitClient,
  scopePrefix,
  trustedIssuers,
  keys,
  clock,
}: {
  database: Database;
  organisations: Pick<OrganisationLookup, 'current'>;
  issuer: string;
  /** The service that its tokens are exchanged at. */
  audience: string;
  /** Throws when the client makes too many requests. */
  admitClient: (clientId: string) => void;
  scopePrefix: string;
  /** PEM. */
  trustedIssuers: readonly string[];
  keys: KeyRing;
  clock: () => Date;
}): IdentityProvider {
  const rules: IdentityProviderRules = {
    issuer,
    audience,
    admitClient,
    scopePrefix,
    trustedIssuers: trustedIssuers.map(readPemCertificate),
    clients: new ClientLookup(database),
    findOrganisation: (identifier, clientId) => organisations.current(identifier, clientId),
    useGrant: makeUseGrant(database),
    keys,
  };
  // What is not forgotten now is forgotten the next time.
  const timer = setInterval(
    () => database.query(forgetUsedGrants(clock())).catch(() => undefined),
    FORGET_INTERVAL,
  );
  timer.unref();

  return {
    issuer,
    keys,
    metadata: describe(issuer, scopePrefix),
    publishedKeys: () => keys.published(),
    requestAccessToken: (form, tokenId) => requestAccessToken(form, rules, clock(), tokenId),
    close: () => {
      clearInterval(timer);
      keys.close();
    },
  };
}

/** What the identity provider says of itself (RFC 8414). */
function describe(issuer: string, prefix: string): Record<string, string | string[]> {
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    grant_types_supported: [JWT_BEARER_GRANT],
    // The grant itself says who the client is; there is no other authentication.
    token_endpoint_auth_methods_supported: ['none'],
    token_endpoint_auth_signing_alg_values_supported: [...GRANT_ALGORITHMS],
    scopes_supported: listScopes(prefix),
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
