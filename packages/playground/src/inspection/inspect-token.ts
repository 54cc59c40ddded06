// Inspects a token with the keys and registrations of the playground: each member with its meaning, each rule with advice.
import type { PlaygroundCredentials } from '@landfall/contract';
import { readPublishedKeys } from '@landfall/service';
import type { KeyLocation, OwnAddresses } from '@landfall/service/assembly';
import {
  customsIssuer,
  examineToken,
  type Finding,
  recogniseToken,
  type TokenKind,
} from '@landfall/service/tokens';
import type { IdentityProvider } from '../identity-provider/identity-provider.js';
import { adviceFor } from '../identity-provider/token-advice.js';
import {
  type DescribedMember,
  describeClaims,
  describeHeader,
  type KnownNames,
} from './describe-members.js';
import { readJwt } from './read-jwt.js';

/** What a token is compared with. */
export type Verifiers = Omit<KnownNames, 'identities' | 'baseUrl' | 'idpUrl'> & {
  /** The addresses of the service. */
  addresses: Pick<OwnAddresses, 'all'>;
  identities: readonly PlaygroundCredentials[];
  identityProvider: Pick<IdentityProvider, 'examineGrant' | 'getIdentityProviderKeys'>;
  /** Where the keys of the service are. */
  keys: KeyLocation;
};

/** What a token is, and which rules it keeps. */
export type Inspection = {
  kind: TokenKind;
  /** The time that its times were compared with, ISO 8601 in UTC. */
  comparedAt: string;
  header: DescribedMember[];
  claims: DescribedMember[];
  /** One for each rule, in the order in which the verifier refuses. */
  findings: (Finding & { advice: string | null })[];
};

/**
 * Inspects a token of any kind, as `landfall token doctor` does. Nothing is consumed or kept.
 *
 * @param text JWT in compact form
 * @throws ValidationFailedError if it is not a JWT
 */
export async function inspectToken(
  text: string,
  verifiers: Verifiers,
  now: Date,
): Promise<Inspection> {
  const jwt = readJwt(text);
  const kind = recogniseToken(jwt.token);
  const baseUrl = findAddress(jwt.claims.iss, verifiers.addresses.all);
  const known = { ...verifiers, baseUrl, idpUrl: `${baseUrl}/idp` };
  const { findings, time } =
    kind === 'grant'
      ? await verifiers.identityProvider.examineGrant(jwt.token)
      : { findings: await examine(jwt.token, kind, known, now), time: now };
  return {
    kind,
    comparedAt: time.toISOString(),
    header: describeHeader(kind, jwt),
    claims: describeClaims(kind, jwt, known),
    findings: findings.map((finding) => ({ ...finding, advice: adviceFor(kind, finding) })),
  };
}

/** The address of the service that issued a token, or the first one. */
function findAddress(issuer: unknown, [first = '', ...others]: readonly string[]): string {
  const issued = (address: string) =>
    issuer === `${address}/idp` || issuer === customsIssuer(address);
  return others.find(issued) ?? first;
}

async function examine(
  token: string,
  kind: Exclude<TokenKind, 'grant'>,
  { identityProvider, keys: location, baseUrl, idpUrl, scopePrefix }: Verifiers & KnownNames,
  now: Date,
): Promise<Finding[]> {
  const keys =
    kind === 'access-token'
      ? identityProvider.getIdentityProviderKeys()
      : { keys: await readPublishedKeys({ ...location, purpose: 'customs-token', now }) };
  return examineToken(token, kind, { baseUrl, issuer: idpUrl, keys, scopePrefix }, now);
}
