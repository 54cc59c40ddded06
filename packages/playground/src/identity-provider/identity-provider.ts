// The playground's identity provider, for a start without an external one.

import type { Database, KeyLocation, OwnAddresses, TokenIssuer } from '@landfall/service/assembly';
import {
  Batch,
  findKeyIn,
  getOrganisation,
  type KeySet,
  openKeyRing,
} from '@landfall/service/assembly';
import { exchangeAudiences, type Finding, readPemCertificate } from '@landfall/service/tokens';
import { examineGrant } from './examine-grant.js';
import { getIdentityProviderKeys } from './get-identity-provider-keys.js';
import { getIdentityProviderMetadata } from './get-identity-provider-metadata.js';
import type { SealOwner } from './grantor.js';
import {
  consumeGrants,
  deleteExpiredGrants,
  findClient,
  findGrantUse,
  type GrantUse,
} from './queries.js';
import {
  type IdentityProviderRules,
  type Issued,
  requestAccessToken,
  type TokenFault,
} from './request-access-token.js';

/** How often expired grants are deleted, in milliseconds. */
const DELETE_INTERVAL_MS = 60_000;

/** What the identity provider needs. */
export type IdentityProviderSettings = {
  database: Database;
  /** The addresses of the service at which its tokens are exchanged. Its own are those with `/idp`. */
  addresses: OwnAddresses;
  scopePrefix: string;
  /** Certificates in PEM; the chain of a grant must lead to one of them. */
  trustedIssuers: readonly string[];
  keys: KeyLocation;
  /** The clock by which tokens are issued. */
  clock?: () => Date;
  /** The time at which a grant is checked; default: that of the clock. */
  grantTime?: (assertion: string, now: Date) => Date;
  /** What is wrong with the next token; default: nothing. */
  fault?: () => TokenFault;
};

/** The identity provider, as the service and its routes use it. */
export type IdentityProvider = TokenIssuer & {
  getIdentityProviderKeys(): KeySet;
  /** @param address of the service, to which the request was sent */
  getIdentityProviderMetadata(address: string): Record<string, string | string[]>;
  /**
   * @param admitClient counts the request of a client that is verified; throws when it makes too many
   * @param address of the service, to which the request was sent: the token is of and for this one
   */
  requestAccessToken(
    form: Readonly<Record<string, unknown>>,
    tokenId: string,
    admitClient: (clientId: string) => void,
    address: string,
  ): Promise<Issued>;
  /** Examines every rule of a grant without consuming it. `time` is the time that its times were compared with. */
  examineGrant(assertion: string): Promise<{ findings: Finding[]; time: Date }>;
  /** Deletes expired grants from now on, until it is closed. */
  deleteExpiredGrants(reportFailure: (error: unknown) => void, intervalMs?: number): void;
  close(): void;
};

/** Opens the identity provider; creates its keys at the first start. */
export async function openIdentityProvider({
  database,
  addresses,
  scopePrefix,
  trustedIssuers,
  keys: location,
  clock = () => new Date(),
  grantTime = (_assertion, now) => now,
  fault = () => ({}),
}: IdentityProviderSettings): Promise<IdentityProvider> {
  const keys = await openKeyRing(location, 'identity-provider', clock);
  const findIssuers = () => addresses.all.map(issuerAt);
  const rules: Omit<IdentityProviderRules, 'issuer' | 'issuers' | 'audience' | 'audiences'> = {
    scopePrefix,
    trustedIssuers: trustedIssuers.map(readPemCertificate),
    findClient: async (clientId) => (await database.query(findClient(clientId)))[0],
    findSealOwner: (identifier, clientId) => findSealOwner(database, identifier, clientId),
    isConsumed: async (use, now) => (await database.query(findGrantUse(use, now))).length > 0,
    consume: makeConsume(database),
    keys,
    grantTime,
    fault,
  };
  /** The rules for a request to one of the addresses, which errors name first. */
  const rulesAt = (address: string): IdentityProviderRules => ({
    ...rules,
    issuer: issuerAt(address),
    issuers: findIssuers(),
    audience: address,
    audiences: [address, ...addresses.all].flatMap(exchangeAudiences),
  });
  const findFirst = () => addresses.all[0] ?? '';
  let timer: NodeJS.Timeout | undefined;

  return {
    issuer: issuerAt(findFirst()),
    findIssuers,
    findKey: findKeyIn(keys),
    getIdentityProviderKeys: () => getIdentityProviderKeys(keys),
    getIdentityProviderMetadata: (address) =>
      getIdentityProviderMetadata(issuerAt(address), scopePrefix),
    requestAccessToken: (form, tokenId, admitClient, address) =>
      requestAccessToken(form, rulesAt(address), admitClient, clock(), tokenId),
    examineGrant: async (assertion) => {
      const time = grantTime(assertion, clock());
      return { findings: await examineGrant(assertion, rulesAt(findFirst()), time), time };
    },
    deleteExpiredGrants: (reportFailure, intervalMs = DELETE_INTERVAL_MS) => {
      timer = setInterval(() => {
        database.query(deleteExpiredGrants(clock())).catch(reportFailure);
      }, intervalMs).unref();
    },
    close: () => {
      clearInterval(timer);
      keys.close();
    },
  };
}

/** The identity provider of a service with this address. */
function issuerAt(address: string): string {
  return `${address}/idp`;
}

/** Consumes grants; those that arrive while others are committed share the next commit. */
function makeConsume(database: Database): IdentityProviderRules['consume'] {
  const keyOf = ({ clientId, jti }: Pick<GrantUse, 'clientId' | 'jti'>) =>
    JSON.stringify([clientId, jti]);
  const batch = new Batch<GrantUse, boolean>(
    async (uses) => {
      const consumed = await database.query(consumeGrants(uses));
      const keys = new Set(consumed.map(keyOf));
      return uses.map((use) => keys.has(keyOf(use)));
    },
    // The second of two with one key sees that the first has consumed it.
    { keys: (use) => [keyOf(use)], ownerOf: ({ clientId }) => clientId, maxInFlight: 2 },
  );
  return (use) => batch.submit(use);
}

async function findSealOwner(
  database: Database,
  identifier: string,
  clientId: string,
): Promise<SealOwner | undefined> {
  const organisation = await getOrganisation(database, identifier);
  if (organisation === undefined) return undefined;
  const { kind, blocked = false, grantedScopes = [], clients = [] } = organisation;
  const client = clients.find(({ client_id: id }) => id.toLowerCase() === clientId);
  return { kind, blocked: blocked || client?.blocked === true, granted: grantedScopes };
}
