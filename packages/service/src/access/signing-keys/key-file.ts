// The file that a set of signing keys is kept in: readable by its owner alone, replaced as a whole.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { makeFolder } from '../../files/make-folder.js';
import type { KeyPurpose, PrivateJwk, SigningKey } from './signing-key.js';

/** The file does not hold signing keys. */
export class UnreadableKeyFileError extends Error {
  readonly code = 'UNREADABLE_KEY_FILE';
  override name = 'UnreadableKeyFileError';
}

/** Where the keys for a purpose are kept. */
export function keyFile(folder: string, purpose: KeyPurpose): string {
  return join(folder, `${purpose}.json`);
}

/**
 * The keys of a file.
 *
 * @throws UnreadableKeyFileError
 */
export async function readKeys(file: string): Promise<SigningKey[]> {
  const text = await readFile(file, 'utf8');
  try {
    const { keys } = JSON.parse(text);
    if (Array.isArray(keys) && keys.every(isSigningKey)) return keys;
  } catch {
    // The parser's own message quotes the text, which is a private key.
  }
  throw new UnreadableKeyFileError(`${file} does not hold signing keys`);
}

/** The keys of a file, which is made with the first key when it is not there. */
export async function readOrMakeKeys(
  file: string,
  makeFirst: () => Promise<SigningKey[]>,
): Promise<SigningKey[]> {
  try {
    return await readKeys(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const whole = await writeBeside(file, await makeFirst());
  try {
    // Unlike a rename, a link fails when another server has made the file meanwhile: then its keys count.
    await link(whole, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(whole, { force: true });
  }
  return readKeys(file);
}

/** Replaces the keys of a file: readers see the old ones or the new ones, never a part. */
export async function writeKeys(file: string, keys: readonly SigningKey[]): Promise<void> {
  await rename(await writeBeside(file, keys), file);
}

/** A fresh P-256 key; its kid is its thumbprint (RFC 7638). */
export async function makeKey(): Promise<Pick<SigningKey, 'kid' | 'privateKey'>> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // The cast is true because the key was just made on that curve.
  const jwk = privateKey.export({ format: 'jwk' }) as PrivateJwk;
  return { kid: await calculateJwkThumbprint(jwk), privateKey: jwk };
}

async function writeBeside(file: string, keys: readonly SigningKey[]): Promise<string> {
  await makeFolder(dirname(file), 0o700);
  const beside = `${file}.${randomUUID()}`;
  await writeFile(beside, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: 0o600 });
  return beside;
}

function isSigningKey(value: unknown): value is SigningKey {
  if (typeof value !== 'object' || value === null) return false;
  // The cast is true because an object may have any of these members, or none.
  const { kid, signsFrom, privateKey } = value as Partial<SigningKey>;
  return (
    typeof kid === 'string' && typeof signsFrom === 'string' && typeof privateKey?.d === 'string'
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
