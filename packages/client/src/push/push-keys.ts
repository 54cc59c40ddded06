// Secrets and public keys of subscriptions, and whether one of them has signed something (Standard Webhooks).
import { fromBase64 } from '../der/base64.js';
import { isError } from '../errors/is-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';

/** What verifies the signatures of a version. */
type PushKey = { version: string; key: CryptoKey; algorithm: string };

/** Bytes of an Ed25519 key, and the least and the most of a secret. */
const PUBLIC_KEY_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** More than a sender makes while secrets are replaced: what comes from anybody costs a bounded time. */
const MAX_SIGNATURES = 20;

/** @throws ConfigurationError for what is neither a secret nor a public key */
export function readPushKeys(secrets: string | readonly string[]): Promise<PushKey[]> {
  const given = typeof secrets === 'string' ? [secrets] : secrets;
  if (given.length === 0) throw new ConfigurationError('verifyPush needs at least one secret');
  return Promise.all(given.map(readKey));
}

async function readKey(secret: string, index: number): Promise<PushKey> {
  const name = `secret ${index + 1}`;
  const [, prefix, text = ''] = /^(whsec|whpk)_(\S+)$/.exec(secret) ?? [];
  if (prefix === undefined) {
    throw new ConfigurationError(`${name} begins neither with whsec_ nor with whpk_`);
  }
  const bytes = decode(text);
  const length = bytes?.length ?? 0;
  if (prefix === 'whsec') {
    if (bytes === undefined || length < MIN_SECRET_BYTES || length > MAX_SECRET_BYTES) {
      throw new ConfigurationError(
        `${name} must be whsec_ and ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes in base64`,
      );
    }
    return { version: 'v1', key: await importKey(bytes, hmac, name), algorithm: 'HMAC' };
  }
  if (bytes === undefined || length !== PUBLIC_KEY_BYTES) {
    throw new ConfigurationError(`${name} must be whpk_ and ${PUBLIC_KEY_BYTES} bytes in base64`);
  }
  return { version: 'v1a', key: await importKey(bytes, 'Ed25519', name), algorithm: 'Ed25519' };
}

const hmac = { name: 'HMAC', hash: 'SHA-256' };

async function importKey(
  bytes: Uint8Array<ArrayBuffer>,
  algorithm: typeof hmac | string,
  name: string,
): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  } catch (error) {
    const isUnknown = isError(error) && error.name === 'NotSupportedError';
    throw new ConfigurationError(
      isUnknown ? `this platform has no Ed25519, which ${name} needs` : `${name} is not a key`,
      { cause: error },
    );
  }
}

/**
 * Whether one of the keys has made one of the signatures. `crypto.subtle.verify` takes the same time whatever differs.
 *
 * @param signatures the header: `v1,` or `v1a,` and base64, separated by blanks; other versions are passed over
 */
export async function isSignedBy(
  keys: readonly PushKey[],
  signatures: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const signature of signatures.split(' ').slice(0, MAX_SIGNATURES)) {
    const [version, text = ''] = signature.split(',');
    const bytes = decode(text);
    if (bytes === undefined) continue;
    for (const { key, algorithm } of keys.filter((one) => one.version === version)) {
      if (await crypto.subtle.verify(algorithm, key, bytes, content)) return true;
    }
  }
  return false;
}

/** `undefined` for what is not base64. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}
