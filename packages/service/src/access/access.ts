// Puts the room together: identity provider, exchange, verification and organisations, with their keys.
import type { Organisation, OrganisationEntry } from '@landfall/contract';
import type { JWTVerifyGetKey } from 'jose';
import { errors } from 'jose';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { newId } from '../new-id.js';
import { customsIssuer, exchangeAudiences } from './addresses.js';
import { type Authenticate, makeAuthenticate } from './authenticate.js';
import { type Exchanged, exchangeToken, TOKEN_LIFETIME } from './exchange-token.js';
import { getOrganisation } from './get-organisation.js';
import {
  type IdentityProvider,
  openIdentityProvider,
} from './identity-provider/identity-provider.js';
import { OrganisationLookup } from './organisation-lookup.js';
import { type OrganisationPut, putOrganisation } from './put-organisation.js';
import type { ExchangeForm } from './read-exchange-form.js';
import { findRemoteKeys } from './remote-keys.js';
import { type KeyRing, openKeyRing, type PublishedKey } from './signing-keys/key-ring.js';
import type { KeyPurpose } from './signing-keys/signing-key.js';
import { makeSubjectTokenVerifier } from './verify-subject-token.js';
import { makeTokenVerifier } from './verify-token.js';

/** Whose tokens are exchanged: our own identity provider's, for the playground, or an external one's. */
export type IdentityProviderSettings =
  | {
      kind: 'own';
      /** Where it is reached, without a slash at the end. */
      url: string;
      /** Certificates in PEM, up to one of which the chain of a grant must lead. */
      trustedIssuers: readonly string[];
    }
  | { kind: 'external'; issuer: string; jwksUrl: string };

/** What access needs to be given. */
export type AccessSettings = {
  database: Database;
  audit: AuditTrail;
  /** Where this server is reached, without a slash at the end. */
  baseUrl: string;
  scopePrefix: string;
  /** Where signing keys are kept; made when it is not there. */
  keysFolder: string;
  /** What they are encrypted with; left out: they are kept plain. */
  keysPassphrase?: string | undefined;
  /** Takes what the operator should know of, for the log. */
  warn?: (sentence: string) => void;
  /** How long a customs token lives, in seconds (default 970). */
  tokenLifetime?: number;
  identityProvider: IdentityProviderSettings;
  /** Counts a token request of a client that has proved who it is; throws when the client makes too many. */
  admitClient?: (clientId: string) => void;
  /** Tells the time; tests have their own. */
  clock?: () => Date;
};

/** Access as the server uses it. */
export type Access = {
  authenticate: Authenticate;
  /** `undefined` when an external identity provider is used. */
  identityProvider: IdentityProvider | undefined;
  publishedKeys(): PublishedKey[];
  exchangeToken(form: ExchangeForm): Promise<Exchanged>;
  getOrganisation(id: string): Promise<Organisation | undefined>;
  /** Without a context Landfall itself is recorded as the actor. */
  putOrganisation(
    id: string,
    entry: OrganisationEntry,
    context?: AuditContext,
  ): Promise<OrganisationPut>;
  /** Reads the key files again at once, instead of within seconds. */
  reloadKeys(): Promise<void>;
  close(): Promise<void>;
};

/** Opens access; makes the signing keys at first start. */
export async function createAccess(settings: AccessSettings): Promise<Access> {
  const { database, baseUrl, scopePrefix, clock = () => new Date() } = settings;
  const { admitClient = () => undefined } = settings;
  const openKeys = (purpose: KeyPurpose) =>
    openKeyRing(
      { folder: settings.keysFolder, passphrase: settings.keysPassphrase },
      purpose,
      clock,
      settings.warn,
    );
  const keys = await openKeys('customs-token');
  const organisations = new OrganisationLookup(database, clock);
  const identityProvider = await openOwn(
    { ...settings, admitClient },
    organisations,
    openKeys,
    clock,
  );
  const tokenRules = {
    issuer: customsIssuer(baseUrl),
    audience: baseUrl,
    scopePrefix,
    keys,
    organisations,
  };
  const audiences = exchangeAudiences(baseUrl);
  const exchangeRules = {
    ...tokenRules,
    audiences,
    admitClient,
    lifetime: settings.tokenLifetime ?? TOKEN_LIFETIME,
    verifySubjectToken: makeSubjectTokenVerifier({
      ...findIssuer(settings, identityProvider, clock),
      audiences,
    }),
  };

  return {
    authenticate: makeAuthenticate(makeTokenVerifier({ ...tokenRules, clock })),
    identityProvider,
    publishedKeys: () => keys.published(),
    exchangeToken: (form) => exchangeToken(form, exchangeRules, clock(), newId()),
    getOrganisation: (id) => getOrganisation(database, id),
    putOrganisation: async (
      id,
      entry,
      context = { at: clock(), actor: undefined, requestId: undefined },
    ) => {
      const put = await putOrganisation(database, settings.audit, id, entry, context);
      organisations.forget();
      return put;
    },
    reloadKeys: async () => {
      await Promise.all([keys.reload(), identityProvider?.keys.reload()]);
    },
    close: async () => {
      keys.close();
      identityProvider?.close();
    },
  };
}

async function openOwn(
  {
    database,
    baseUrl,
    scopePrefix,
    identityProvider,
    admitClient,
  }: AccessSettings & Required<Pick<AccessSettings, 'admitClient'>>,
  organisations: OrganisationLookup,
  openKeys: (purpose: KeyPurpose) => Promise<KeyRing>,
  clock: () => Date,
): Promise<IdentityProvider | undefined> {
  if (identityProvider.kind !== 'own') return undefined;
  return openIdentityProvider({
    database,
    organisations,
    issuer: identityProvider.url,
    audience: baseUrl,
    admitClient,
    scopePrefix,
    trustedIssuers: identityProvider.trustedIssuers,
    keys: await openKeys('identity-provider'),
    clock,
  });
}

function findIssuer(
  { identityProvider: settings, warn }: Pick<AccessSettings, 'identityProvider' | 'warn'>,
  own: IdentityProvider | undefined,
  clock: () => Date,
): { issuer: string; findKey: JWTVerifyGetKey } {
  if (settings.kind === 'external') {
    return { issuer: settings.issuer, findKey: findRemoteKeys(settings.jwksUrl, clock, warn) };
  }
  if (own === undefined) throw new Error('our own identity provider is not open');
  return { issuer: own.issuer, findKey: findOwnKey(own.keys) };
}

function findOwnKey(keys: KeyRing): JWTVerifyGetKey {
  return ({ kid }) => {
    const key = kid === undefined ? undefined : keys.find(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}
