// What a grant or a token is held against: the playground of a data folder, or what the options name.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaygroundCredentials } from '@landfall/contract';
import type { KeyPurpose, OfflineKnowledge } from '@landfall/service';
import { readAllCredentials } from './credentials.js';
import { codeOf, UsageError } from './exit.js';
import { findPassphrase } from './keys-folder.js';

/** The options that say what to hold it against. */
export type DoctorOptions = {
  data: string;
  aud?: string;
  trust?: string[];
  jwks?: string;
  scopePrefix: string;
};

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Gathers what is known. With `aud` the playground is left aside: it trusts other issuers and has other clients. */
export async function gatherKnowledge(
  token: string,
  options: DoctorOptions,
): Promise<OfflineKnowledge> {
  const { aud, trust = [], jwks, scopePrefix } = options;
  const trusted = (await Promise.all(trust.map(readCertificates))).flat();
  const playground = aud === undefined ? await readPlayground(token, options.data) : {};
  return {
    scopePrefix,
    ...playground,
    ...(aud === undefined ? {} : { issuer: aud, baseUrl: aud }),
    ...(trusted.length === 0 ? {} : { trustedIssuers: trusted }),
    ...(jwks === undefined ? {} : { keys: await readKeySet(jwks) }),
  };
}

async function readPlayground(token: string, folder: string): Promise<Partial<OfflineKnowledge>> {
  const credentials = await readAllCredentials(folder);
  const [first] = credentials;
  if (first === undefined) return {};
  const keys = await readPlaygroundKeys(token, folder);
  return {
    issuer: first.idp_url,
    baseUrl: first.base_url,
    credentials,
    trustedIssuers: rootsOf(credentials),
    ...(keys === undefined ? {} : { keys }),
  };
}

/** The chains that the playground writes lead up to its root, which it trusts. */
function rootsOf(credentials: readonly PlaygroundCredentials[]): string[] {
  return [...new Set(credentials.flatMap(({ x5c }) => x5c.slice(-1)))];
}

async function readPlaygroundKeys(
  token: string,
  folder: string,
): Promise<OfflineKnowledge['keys']> {
  const { readPublishedKeys, recogniseToken } = await import('@landfall/service');
  const purpose: KeyPurpose =
    recogniseToken(token) === 'access-token' ? 'identity-provider' : 'customs-token';
  try {
    const place = { folder: join(folder, 'keys'), passphrase: await findPassphrase() };
    return { keys: await readPublishedKeys({ ...place, purpose, now: new Date() }) };
  } catch {
    // Without them the signature of a token stays open, which is then told.
    return undefined;
  }
}

async function readCertificates(file: string): Promise<string[]> {
  const found = (await readOption('--trust', file)).match(certificate);
  if (found === null) throw new UsageError(`--trust: there is no certificate (PEM) in ${file}`);
  return found;
}

async function readKeySet(file: string): Promise<NonNullable<OfflineKnowledge['keys']>> {
  const text = await readOption('--jwks', file);
  try {
    const set: unknown = JSON.parse(text);
    if (typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys)) {
      return { keys: set.keys };
    }
  } catch {
    // Not JSON is no key set either.
  }
  throw new UsageError(`--jwks: ${file} is not a key set`);
}

async function readOption(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file} (${codeOf(error)})`);
  }
}
