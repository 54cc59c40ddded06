// Assembles the access module: exchange, verification and organisations, with their keys.
import type {
  OrganisationEntry,
  OrganisationName,
  OrganisationNamesQuery,
  OrganisationQuery,
} from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { newId } from '../new-id.js';
import { customsIssuer, exchangeAudiences, type OwnAddresses } from './addresses.js';
import { type Authenticate, makeAuthenticate } from './authenticate.js';
import { type Exchanged, exchangeToken, TOKEN_LIFETIME } from './exchange-token.js';
import { type FindCaller, makeFindCaller } from './find-caller.js';
import { getCustomsKeys } from './get-customs-keys.js';
import { getOrganisation } from './get-organisation.js';
import { listOrganisationNames } from './list-organisation-names.js';
import { listOrganisations, type OrganisationPage } from './list-organisations.js';
import { OrganisationLookup } from './organisation-lookup.js';
import type { OrganisationState } from './organisation-queries.js';
import { patchOrganisation } from './patch-organisation.js';
import { putOrganisation } from './put-organisation.js';
import type { ExchangeForm } from './read-exchange-form.js';
import { openRemoteKeys } from './remote-keys.js';
import { type KeySet, openKeyRing } from './signing-keys/key-ring.js';
import type { OrganisationPut, Precondition } from './store-organisation.js';
import { makeSubjectTokenVerifier, type TokenIssuer } from './verify-subject-token.js';
import { makeTokenVerifier } from './verify-token.js';

/** The settings of the access module. */
export type AccessSettings = {
  database: Database;
  audit: AuditTrail;
  /** The addresses of this service, which its tokens name. */
  addresses: OwnAddresses;
  scopePrefix: string;
  /** The folder of the signing keys; created when it is missing. */
  keysFolder: string;
  /** Encrypts the keys; without it they are stored in plain text. */
  keysPassphrase?: string | undefined;
  /** Reads the passphrase again; without it, it does not change. */
  readKeysPassphrase?: (() => Promise<string | undefined>) | undefined;
  /** Writes a warning to the log. */
  warn?: (sentence: string) => void;
  /** How long the next customs token lives, in seconds (default 970). */
  tokenLifetime?: () => number;
  /** The identity provider whose tokens are exchanged. The keys of an external one are read from `jwksUrl`. */
  identityProvider: TokenIssuer | { issuer: string; jwksUrl: string };
  /** Whether tokens of a trial provider are accepted; default: no. */
  acceptsTrials?: boolean;
  /** Counts the token request of a client that is verified; throws when it makes too many. */
  admitClient?: (clientId: string) => void;
  /** The clock, which tests replace. */
  clock?: () => Date;
  /** The monotonic clock in milliseconds, which tests replace. */
  elapsedMs?: () => number;
  /** Receives each failure to read the keys of an external identity provider. */
  reportKeySetFailure?: (error: unknown) => void;
};

/** The access module, as the server uses it. */
export type Access = {
  authenticate: Authenticate;
  findCaller: FindCaller;
  getCustomsKeys(): KeySet;
  /** @param address of the service, to which the request was sent, and which the token names */
  exchangeToken(form: ExchangeForm, address: string): Promise<Exchanged>;
  getOrganisation(id: string): Promise<OrganisationState | undefined>;
  listOrganisations(query: OrganisationQuery): Promise<OrganisationPage>;
  listOrganisationNames(query: OrganisationNamesQuery): Promise<OrganisationName[]>;
  /** Without a context, Landfall itself is recorded as the actor. */
  putOrganisation(
    id: string,
    entry: OrganisationEntry,
    context?: AuditContext,
    precondition?: Precondition,
  ): Promise<OrganisationPut>;
  patchOrganisation(
    id: string,
    merge: (before: OrganisationState) => OrganisationEntry,
    context: AuditContext,
    precondition: Precondition,
  ): Promise<OrganisationPut | undefined>;
  /**
   * Reads the key set of an external identity provider if it is too old; `undefined` without one.
   *
   * @throws IdentityProviderUnavailableError while it cannot be read
   */
  checkKeySet: (() => Promise<void>) | undefined;
  /** Reads the key file again at once, instead of within seconds. */
  reloadKeys(): Promise<void>;
  close(): Promise<void>;
};

/** Opens the access module; creates the signing keys at the first start. */
export async function createAccess(settings: AccessSettings): Promise<Access> {
  const { database, addresses, scopePrefix, clock = () => new Date() } = settings;
  const { admitClient = () => undefined } = settings;
  const keys = await openKeyRing(
    { folder: settings.keysFolder, passphrase: settings.keysPassphrase },
    'customs-token',
    clock,
    settings.warn,
    settings.readKeysPassphrase,
  );
  const organisations = new OrganisationLookup(database, clock);
  const tokenRules = { scopePrefix, keys, organisations };
  const findAudiences = () => addresses.all.flatMap(exchangeAudiences);
  const { checkKeySet, ...tokenIssuer } = findIssuer(settings);
  const exchangeRules = {
    ...tokenRules,
    admitClient,
    lifetime: settings.tokenLifetime ?? (() => TOKEN_LIFETIME),
    verifySubjectToken: makeSubjectTokenVerifier({
      ...tokenIssuer,
      findAudiences,
      acceptsTrials: settings.acceptsTrials,
    }),
  };

  return {
    authenticate: makeAuthenticate(makeTokenVerifier({ ...tokenRules, addresses, clock })),
    findCaller: makeFindCaller(organisations),
    getCustomsKeys: () => getCustomsKeys(keys),
    exchangeToken: (form, address) => {
      const names = { issuer: customsIssuer(address), audience: address };
      const rules = { ...exchangeRules, ...names, audiences: findAudiences() };
      return exchangeToken(form, rules, clock(), newId());
    },
    getOrganisation: (id) => getOrganisation(database, id),
    listOrganisations: (query) => listOrganisations(database, query),
    listOrganisationNames: (query) => listOrganisationNames(database, query),
    putOrganisation: async (
      id,
      entry,
      context = { at: clock(), actor: undefined, requestId: undefined },
      precondition,
    ) => {
      const put = await putOrganisation(database, settings.audit, id, entry, context, precondition);
      organisations.forget();
      return put;
    },
    patchOrganisation: async (...change) => {
      const patched = await patchOrganisation(database, settings.audit, ...change);
      organisations.forget();
      return patched;
    },
    checkKeySet,
    reloadKeys: () => keys.reload(),
    close: async () => keys.close(),
  };
}

function findIssuer({
  identityProvider,
  elapsedMs = () => performance.now(),
  reportKeySetFailure,
}: AccessSettings): TokenIssuer & Pick<Access, 'checkKeySet'> {
  if ('findKey' in identityProvider) return { ...identityProvider, checkKeySet: undefined };
  const { issuer, jwksUrl } = identityProvider;
  const { find, check } = openRemoteKeys(jwksUrl, elapsedMs, reportKeySetFailure);
  return { issuer, findKey: find, checkKeySet: check };
}
