// Finds the keys, certificates and clients to check a token against: from a playground or from options.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaygroundCredentials } from '@landfall/contract';
import type { OfflineKnowledge } from '@landfall/playground';
import type { KeyPurpose } from '@landfall/service';
import { codeOf, UsageError } from '../../process/exit.js';
import { findPassphrase } from '../admin/keys/keys-folder.js';
import { readPlaygroundCredentials } from './playground-credentials.js';

/** The options that select what to check against. */
export type DoctorOptions = {
  data: string;
  aud?: string;
  trust?: string[];
  jwks?: string;
  scopePrefix: string;
};

/** Finds the sources. With `aud` the playground is ignored, because it has other issuers and clients. */
export async function findTrustedSources(
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
  const credentials = await readPlaygroundCredentials(folder);
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

/** The last certificate of each chain is the root that the playground trusts. */
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
    const location = { folder: join(folder, 'keys'), passphrase: await findPassphrase() };
    return { keys: await readPublishedKeys({ ...location, purpose, now: new Date() }) };
  } catch {
    // Without keys the signature rule is reported as open.
    return undefined;
  }
}

async function readCertificates(file: string): Promise<string[]> {
  const parts = (await readOption('--trust', file)).split('-----');
  const found = parts.flatMap((part, at) =>
    parts[at - 1] === 'BEGIN CERTIFICATE'
      ? [`-----BEGIN CERTIFICATE-----${part}-----END CERTIFICATE-----`]
      : [],
  );
  if (found.length === 0) throw new UsageError(`--trust: ${file} contains no certificate (PEM)`);
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
    // Invalid JSON is reported like any other file that is not a key set.
  }
  throw new UsageError(`--jwks: ${file} is not a key set (JSON with an array "keys")`);
}

async function readOption(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file} (${codeOf(error)})`);
  }
}
