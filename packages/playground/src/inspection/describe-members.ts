// Describes the header and the claims of a token: what each is for, whether it must be there, and what its value names.
import { type PlaygroundCredentials, parseScope, scopes } from '@landfall/contract';
import { exchangeAudiences, readCertificate, type TokenKind } from '@landfall/service/tokens';
import { hasRepresentation } from '../identity-provider/check-representation.js';
import {
  claimMeanings,
  headerMeanings,
  type Meaning,
  REPRESENTATION,
  UNKNOWN,
} from './member-meanings.js';
import type { Jwt } from './read-jwt.js';

/** The names by which tokens of the playground are compared. */
export type KnownNames = {
  baseUrl: string;
  idpUrl: string;
  identities: readonly Pick<PlaygroundCredentials, 'name' | 'client_id' | 'organisation'>[];
  scopePrefix: string;
};

/** Whom a value names. */
export type Party = { kind: 'identity'; name: string } | { kind: 'identity-provider' | 'service' };

/** A scope, and the API that requires it; without one, it is not in the scope table. */
export type DescribedScope = { scope: string; name?: string; api?: string };

/** A certificate of x5c. */
export type DescribedCertificate = {
  subject: string;
  issuer: string;
  notBefore: string;
  notAfter: string;
};

/** A member of the header, or a claim. */
export type DescribedMember = Meaning & {
  name: string;
  /** As it is in the token; absent if the token lacks this member. */
  value?: unknown;
  /** The time that it is, ISO 8601 in UTC. */
  at?: string;
  /** Whom it names; empty if they are unknown to the playground. */
  parties?: Party[];
  scopes?: DescribedScope[];
  /** `null` for one that cannot be read; the first ten. */
  certificates?: (DescribedCertificate | null)[];
};

/** The claims that are times, in seconds since 1970. */
const TIMES = new Set(['iat', 'exp', 'nbf']);

/** The claims that name somebody. */
const PARTIES = new Set(['iss', 'aud', 'sub', 'client_id', 'consumer', 'resource']);

const MAX_CERTIFICATES = 10;

/** Describes the header: what is known first, then the rest in the order of the token. */
export function describeHeader(kind: TokenKind, { header }: Jwt): DescribedMember[] {
  return describe(
    header,
    headerMeanings(kind, header),
    () => UNKNOWN,
    ({ name, value }) =>
      name === 'x5c' && Array.isArray(value)
        ? { certificates: value.slice(0, MAX_CERTIFICATES).map(describeCertificate) }
        : {},
  );
}

/** Describes the claims: what is known first, then the rest in the order of the token. */
export function describeClaims(
  kind: TokenKind,
  { claims }: Jwt,
  known: KnownNames,
): DescribedMember[] {
  const meaningOf = (name: string) =>
    kind === 'grant' && hasRepresentation({ [name]: null }) ? REPRESENTATION : UNKNOWN;
  return describe(claims, claimMeanings(kind), meaningOf, ({ name, value }) => ({
    ...(TIMES.has(name) && describeTime(value)),
    ...(PARTIES.has(name) && { parties: partiesOf(value, known) }),
    ...(name === 'scope' && { scopes: describeScopes(value, known.scopePrefix) }),
  }));
}

/** What is required or recommended is listed too when the token lacks it. */
function describe(
  members: Readonly<Record<string, unknown>>,
  meanings: Readonly<Record<string, Meaning>>,
  meaningOfOther: (name: string) => Meaning,
  describeValue: (member: { name: string; value: unknown }) => Partial<DescribedMember>,
): DescribedMember[] {
  const listed = Object.entries(meanings).filter(
    ([name, { presence }]) =>
      Object.hasOwn(members, name) || presence === 'required' || presence === 'recommended',
  );
  const others = Object.keys(members).filter((name) => !Object.hasOwn(meanings, name));
  return [...listed, ...others.map((name): [string, Meaning] => [name, meaningOfOther(name)])].map(
    ([name, meaning]) => {
      if (!Object.hasOwn(members, name)) return { name, ...meaning };
      const value = members[name];
      return { name, value, ...meaning, ...describeValue({ name, value }) };
    },
  );
}

/** The end of the times that a Date can hold, in seconds since 1970. */
const LAST_TIME = 8.64e12;

function describeTime(value: unknown): { at?: string } {
  if (typeof value !== 'number' || Math.abs(value) > LAST_TIME) return {};
  return { at: new Date(value * 1000).toISOString() };
}

function partiesOf(value: unknown, { baseUrl, idpUrl, identities }: KnownNames): Party[] {
  const services = exchangeAudiences(baseUrl);
  return namesIn(value).flatMap((name): Party[] => {
    if (services.includes(name)) return [{ kind: 'service' }];
    if (name === idpUrl || name === `${idpUrl}/`) return [{ kind: 'identity-provider' }];
    const identity = identities.find(
      ({ client_id: clientId, organisation }) => name === clientId || name === organisation,
    );
    return identity === undefined ? [] : [{ kind: 'identity', name: identity.name }];
  });
}

/** The texts of a claim, and the `ID` of `consumer`. */
function namesIn(value: unknown): string[] {
  const named =
    typeof value === 'object' && value !== null && 'ID' in value ? [value.ID] : [value].flat();
  return named.filter((name) => typeof name === 'string');
}

function describeScopes(value: unknown, prefix: string): DescribedScope[] {
  if (typeof value !== 'string') return [];
  return value
    .split(' ')
    .filter((scope) => scope !== '')
    .map((scope) => {
      const parsed = parseScope(scope, prefix);
      return parsed === undefined
        ? { scope }
        : { scope, name: parsed.name, api: scopes[parsed.name].api };
    });
}

function describeCertificate(text: unknown): DescribedCertificate | null {
  const certificate =
    typeof text === 'string' ? readCertificate(text.replaceAll(/\s/g, '')) : undefined;
  if (certificate === undefined) return null;
  const { subject, issuer, notBefore, notAfter } = certificate;
  return {
    subject,
    issuer,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
  };
}
