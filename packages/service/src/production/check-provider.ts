// Checks what an identity provider publishes and issues, with the rules of the token exchange.
import { GRANT_ALGORITHMS } from '@landfall/contract';
import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK } from 'jose';
import { examineToken, type Finding } from '../access/examine-token.js';
import { OAuthRefusalError, quoteValue } from '../access/oauth-refusal.js';
import { isAway, readRemoteJson } from '../access/read-remote-json.js';
import { readKeySet } from '../access/remote-keys.js';
import { checkForm } from '../access/verify-subject-token.js';
import { isError, reasonOf } from '../native-error.js';
import { isProtected } from './check-safety.js';

/** The settings of the service that the provider is for; what is not set is not compared. */
export type ProviderSettings = {
  issuer?: string;
  jwksUrl?: string;
  baseUrl?: string;
  scopePrefix: string;
  acceptsTrials?: boolean;
};

/**
 * The result for each rule, and whether an address that is needed did not respond: then what it publishes is not known. One
 * that responds with something else has broken a rule.
 */
export type ProviderCheck = { findings: Finding[]; isUnreachable: boolean };

/** RSA keys with fewer bits verify nothing. */
const MIN_RSA_BITS = 2048;

/** Checks a token as the exchange does, rule by rule. Its keys are read from `jwksUrl`. */
export async function checkProviderToken(
  token: string,
  settings: ProviderSettings,
  now: Date,
): Promise<ProviderCheck> {
  const { jwksUrl, issuer, baseUrl, scopePrefix, acceptsTrials = false } = settings;
  try {
    checkForm(token);
  } catch (error) {
    if (!(error instanceof OAuthRefusalError)) throw error;
    return {
      findings: [{ ...broken('form', error.message), code: error.error }],
      isUnreachable: false,
    };
  }
  const read = jwksUrl === undefined ? undefined : await tryToRead(jwksUrl);
  const findings = await examineToken(
    token,
    'access-token',
    {
      scopePrefix,
      acceptsTrials,
      ...(issuer !== undefined && { issuer }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(read?.keys !== undefined && { keys: read.keys }),
    },
    now,
  );
  return {
    findings: [
      ...(read === undefined ? [] : [keySetFinding(read)]),
      holds('form', 'a signed JWT in compact form'),
      ...findings,
    ],
    isUnreachable: read?.isAway === true,
  };
}

/** Checks what the issuer at an address publishes: discovery, key set, and what the console's sign-in needs. */
export async function checkProviderAddress(
  address: string,
  settings: Pick<ProviderSettings, 'issuer' | 'jwksUrl'>,
): Promise<ProviderCheck> {
  const discovered = await discover(address);
  const { metadata } = discovered;
  const findings: Finding[] = [
    metadata === undefined
      ? // Without discovery the service works: it is given the address of the key set.
        {
          ...broken('discovery', discovered.detail),
          holds: settings.jwksUrl === undefined ? false : null,
        }
      : holds('discovery', discovered.detail),
  ];
  if (metadata !== undefined) {
    findings.push(checkIssuer('issuer', metadata.issuer, address));
  }
  if (settings.issuer !== undefined) {
    findings.push(checkIssuer('LANDFALL_IDP_ISSUER', metadata?.issuer ?? address, settings.issuer));
  }
  const published = textOf(metadata?.jwks_uri);
  if (metadata !== undefined) findings.push(checkKeysAddress(published));
  if (settings.jwksUrl !== undefined && published !== undefined) {
    findings.push(
      published === settings.jwksUrl
        ? holds('LANDFALL_IDP_JWKS_URL', 'it is jwks_uri')
        : broken('LANDFALL_IDP_JWKS_URL', `it is ${settings.jwksUrl} and jwks_uri is ${published}`),
    );
  }
  const jwksUrl = settings.jwksUrl ?? published;
  const read = jwksUrl === undefined ? undefined : await tryToRead(jwksUrl);
  if (read !== undefined) findings.push(keySetFinding(read));
  if (read?.keys !== undefined) findings.push(...(await checkKeys(read.keys)));
  if (metadata !== undefined) findings.push(...checkSignIn(metadata));
  return {
    findings,
    isUnreachable: read?.isAway === true || (settings.jwksUrl === undefined && discovered.isAway),
  };
}

type Read = { url: string; keys?: JSONWebKeySet; reason: string; isAway: boolean };

async function tryToRead(url: string): Promise<Read> {
  try {
    return { url, keys: await readKeySet(url), reason: '', isAway: false };
  } catch (error) {
    return { url, reason: reasonOf(error), isAway: isAway(error) };
  }
}

function keySetFinding({ url, keys, reason }: Read): Finding {
  if (keys === undefined) return broken('key-set', `${url} was not read: ${reason}`);
  const count = keys.keys.length;
  return count === 0
    ? broken('key-set', `${url} has no key`)
    : holds('key-set', `${url} has ${count === 1 ? 'one key' : `${count} keys`}`);
}

type Metadata = Readonly<Record<string, unknown>>;

/** The addresses of OpenID Connect Discovery, section 4, and of RFC 8414, section 3.1. */
function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/oauth-authorization-server`,
  ];
}

/** `isAway`: no address has responded. */
async function discover(
  issuer: string,
): Promise<{ metadata?: Metadata; detail: string; isAway: boolean }> {
  const failures: string[] = [];
  let isGone = true;
  for (const url of new Set(metadataAddresses(issuer))) {
    try {
      const metadata = await readMetadata(url);
      return { metadata, detail: `read from ${url}`, isAway: false };
    } catch (error) {
      failures.push(`${url}: ${reasonOf(error)}`);
      isGone &&= isAway(error);
    }
  }
  return { detail: `not read: ${failures.join('; ')}`, isAway: isGone };
}

async function readMetadata(url: string): Promise<Metadata> {
  const value = await readRemoteJson(url, 'the metadata');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('no object of JSON');
  }
  // The cast is true because an object may have any members of unknown kind.
  return value as Metadata;
}

/** With or without a slash at the end, as the exchange compares issuers. */
function checkIssuer(rule: string, found: unknown, wanted: string): Finding {
  const isSame = typeof found === 'string' && withoutSlash(found) === withoutSlash(wanted);
  return isSame
    ? holds(rule, `issuer is ${quoteValue(found)}`)
    : broken(rule, `issuer is ${quoteValue(found)} and must be ${quoteValue(wanted)}`);
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}

function checkKeysAddress(published: string | undefined): Finding {
  if (published === undefined) return broken('jwks_uri', 'not given');
  return isProtected(published)
    ? holds('jwks_uri', published)
    : broken('jwks_uri', `${published} must begin with https:// (or be on this machine)`);
}

/** Whether each key that signs can be used, found as the exchange finds it, and with which algorithms. */
async function checkKeys(set: JSONWebKeySet): Promise<Finding[]> {
  const find = createLocalJWKSet(set);
  const signing = set.keys.filter(({ use }) => use === undefined || use === 'sig');
  const verified = await Promise.all(signing.map((key) => algorithmsOf(key, find)));
  const all = GRANT_ALGORITHMS.filter((name) => verified.some(({ names }) => names.includes(name)));
  const faults = verified.flatMap(({ fault }) => fault ?? []);
  const unused = set.keys.length - signing.length;
  const others = unused === 0 ? '' : `; ${unused} for other uses`;
  return [
    all.length === 0
      ? broken('algorithms', `no key verifies ${GRANT_ALGORITHMS.join(', ')}`)
      : holds('algorithms', `the keys verify ${all.join(', ')}${others}`),
    ...(faults.length === 0 ? [] : [broken('keys', faults.join('; '))]),
  ];
}

async function algorithmsOf(
  key: JWK,
  find: ReturnType<typeof createLocalJWKSet>,
): Promise<{ names: string[]; fault?: string }> {
  const names: string[] = [];
  const name = `the key ${quoteValue(key.kid)}`;
  let reason = 'its type or alg is none that is accepted';
  for (const alg of GRANT_ALGORITHMS) {
    try {
      const imported = await importJWK(key, alg);
      const bits = 'algorithm' in imported ? bitsOf(imported.algorithm) : undefined;
      if (bits !== undefined && bits < MIN_RSA_BITS) {
        reason = `it has ${bits} bits and needs ${MIN_RSA_BITS}`;
        continue;
      }
      await find({ alg, ...(key.kid !== undefined && { kid: key.kid }) });
      names.push(alg);
    } catch (error) {
      if (!isError(error)) throw error;
      if ('code' in error && error.code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') {
        reason = 'another key has the same kid, or none';
      }
    }
  }
  return names.length > 0 ? { names } : { names, fault: `${name} is not used: ${reason}` };
}

function bitsOf(algorithm: object): number | undefined {
  return 'modulusLength' in algorithm && typeof algorithm.modulusLength === 'number'
    ? algorithm.modulusLength
    : undefined;
}

/** What people need who sign in to the console; clients do not need it. */
function checkSignIn(metadata: Metadata): Finding[] {
  const has = (name: string) => textOf(metadata[name]) !== undefined;
  const methods = metadata.code_challenge_methods_supported;
  const faults = [
    ...['authorization_endpoint', 'token_endpoint']
      .filter((name) => !has(name))
      .map((name) => `no ${name}`),
    ...(Array.isArray(methods) && methods.includes('S256')
      ? []
      : ['code_challenge_methods_supported lacks S256']),
  ];
  const limits = [
    ...(has('end_session_endpoint') ? [] : ['signing out does not sign out there']),
    ...(metadata.backchannel_logout_supported === true
      ? []
      : ['signing out there ends sessions within minutes only']),
  ];
  const detail = [...faults, ...limits].join('; ');
  return [
    faults.length === 0
      ? holds(
          'console-sign-in',
          detail === '' ? 'code flow with PKCE, and logout' : `code flow with PKCE; ${detail}`,
        )
      : { ...broken('console-sign-in', detail), holds: null },
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function holds(rule: string, detail: string): Finding {
  return { rule, holds: true, code: null, detail };
}

function broken(rule: string, detail: string): Finding {
  return { rule, holds: false, code: null, detail };
}
