// The file of a set of signing keys: readable only by its owner, replaced as a whole, and encrypted if a passphrase is
// configured.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { makeFolder } from '../../files/make-folder.js';
import { NotAFileError, openFile } from '../../files/open-file.js';
import { codeOf } from '../../native-error.js';
import { decryptText, encryptText } from './encrypt-keys.js';
import { KeyPassphraseError, PASSPHRASE_VARIABLES } from './key-passphrase.js';
import type { KeyPurpose, PrivateJwk, SigningKey } from './signing-key.js';

/** The file does not contain signing keys. */
export class UnreadableKeyFileError extends Error {
  readonly code = 'UNREADABLE_KEY_FILE';
  override name = 'UnreadableKeyFileError';
}

/** The keys were changed by somebody else while they were encrypted anew. */
export class KeysChangedError extends Error {
  readonly code = 'KEYS_CHANGED';
  override name = 'KeysChangedError';

  constructor(path: string) {
    super(`the keys in ${path} were changed meanwhile: run the command again`);
  }
}

/** The folder of the signing keys and their passphrase. Without one they are not encrypted. */
export type KeyLocation = { folder: string; passphrase?: string | undefined };

/** One file of keys. */
export type KeyFile = { path: string; passphrase: string | undefined };

/** The file with the keys for a purpose. */
export function keyFile({ folder, passphrase }: KeyLocation, purpose: KeyPurpose): KeyFile {
  return { path: join(folder, `${purpose}.json`), passphrase };
}

/**
 * The text of the file, which shows whether it has changed.
 *
 * @throws UnreadableKeyFileError if it is not a regular file
 */
export async function readKeyText({ path }: KeyFile): Promise<string> {
  const handle = await openFile(path).catch((error: unknown) => {
    throw error instanceof NotAFileError ? new UnreadableKeyFileError(error.message) : error;
  });
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/**
 * The keys of a file.
 *
 * @throws UnreadableKeyFileError
 * @throws KeyPassphraseError if they are encrypted, and not with this passphrase
 */
export async function readKeys(file: KeyFile): Promise<SigningKey[]> {
  return parseKeys(file, await readKeyText(file));
}

/** The keys in the text of a file. Throws as `readKeys` does. */
export async function parseKeys(file: KeyFile, text: string): Promise<SigningKey[]> {
  const { encrypted } = parse(text) ?? {};
  const plain = typeof encrypted === 'string' ? await decrypt(encrypted, file) : text;
  const { keys } = parse(plain) ?? {};
  if (Array.isArray(keys) && keys.length === 0) {
    throw new UnreadableKeyFileError(
      `${file.path} holds no key: restore it, or remove it to have a new key made`,
    );
  }
  if (Array.isArray(keys) && keys.every(isSigningKey)) return keys;
  throw new UnreadableKeyFileError(`${file.path} does not hold signing keys`);
}

async function decrypt(encrypted: string, { path, passphrase }: KeyFile): Promise<string> {
  if (passphrase === undefined) {
    throw new KeyPassphraseError(
      `the keys in ${path} are encrypted: set ${PASSPHRASE_VARIABLES} to their passphrase`,
    );
  }
  const text = await decryptText(encrypted, passphrase);
  if (text !== undefined) return text;
  throw new KeyPassphraseError(
    `the keys in ${path} cannot be decrypted: the passphrase is another one, or the file is damaged`,
  );
}

/** The members of an object; the parser's own message would quote the text, which is a private key. */
function parse(text: string): { encrypted?: unknown; keys?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The keys of a file. A missing file is created with a first key. If there is a passphrase, an unencrypted file is
 * replaced by an encrypted one.
 */
export async function readOrMakeKeys(
  file: KeyFile,
  makeFirst: () => Promise<SigningKey[]>,
): Promise<SigningKey[]> {
  try {
    return await readAndEncrypt(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const whole = await writeBeside(file, await makeFirst());
  try {
    // Unlike a rename, a link fails if another server has created the file meanwhile. Then its keys are used.
    await link(whole, file.path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(whole, { force: true });
  }
  return readKeys(file);
}

async function readAndEncrypt(file: KeyFile): Promise<SigningKey[]> {
  const text = await readKeyText(file);
  const keys = await parseKeys(file, text);
  if (file.passphrase === undefined || parse(text)?.encrypted !== undefined) return keys;
  // Encrypting takes time. Keys that were rotated meanwhile are kept, and encrypted at the next start.
  await replaceUnchanged(file, text, await writeBeside(file, keys));
  return keys;
}

/**
 * Changes the keys of a file. What another process has changed meanwhile is kept: `change` is then called again, with those
 * keys.
 *
 * @returns the changed keys
 */
export async function changeKeys(
  file: KeyFile,
  change: (keys: SigningKey[]) => SigningKey[],
): Promise<SigningKey[]> {
  for (;;) {
    const text = await readKeyText(file);
    const keys = change(await parseKeys(file, text));
    if (await replaceUnchanged(file, text, await writeBeside(file, keys))) return keys;
  }
}

/** Replaces a file by the one beside it if it still has this text; returns whether it had. */
async function replaceUnchanged({ path }: KeyFile, text: string, beside: string): Promise<boolean> {
  try {
    // No work of this process is done in between, and there is no time for that of another one.
    if (readFileSync(path, 'utf8') !== text) return false;
    renameSync(beside, path);
    return true;
  } finally {
    await rm(beside, { force: true });
  }
}

/** Replaces the keys of a file. Readers see either the old or the new keys, never a part. */
export async function writeKeys(file: KeyFile, keys: readonly SigningKey[]): Promise<void> {
  await rename(await writeBeside(file, keys), file.path);
}

/** Keys that were encrypted anew, in a file beside theirs. */
export type Replacement = {
  /** Throws KeysChangedError if they were rotated meanwhile. */
  replace(): Promise<void>;
  /** Removes the file beside, if it has not taken their place. */
  discard(): Promise<void>;
};

/**
 * Encrypts the keys of a file with another passphrase, plain ones too, and changes nothing yet.
 *
 * @returns `undefined` if the file has it already: an interrupted change is repeated
 * @throws KeyPassphraseError if they are encrypted with neither
 */
export async function encryptAnew(
  file: KeyFile,
  passphrase: string,
): Promise<Replacement | undefined> {
  const text = await readKeyText(file);
  const changed = { ...file, passphrase };
  const isEncrypted = parse(text)?.encrypted !== undefined;
  if (isEncrypted && (await parseKeys(changed, text).catch(() => undefined)) !== undefined) {
    return undefined;
  }
  const beside = await writeBeside(changed, await parseForChange(file, text));
  return {
    replace: async () => {
      if (!(await replaceUnchanged(file, text, beside))) throw new KeysChangedError(file.path);
    },
    discard: () => rm(beside, { force: true }),
  };
}

/** The keys; an error says that there are two passphrases, of which none is right. */
async function parseForChange(file: KeyFile, text: string): Promise<SigningKey[]> {
  try {
    return await parseKeys(file, text);
  } catch (error) {
    if (!(error instanceof KeyPassphraseError) || file.passphrase === undefined) throw error;
    throw new KeyPassphraseError(
      `the keys in ${file.path} have neither the passphrase of ${PASSPHRASE_VARIABLES} nor the new one, or the file is damaged: nothing was changed`,
    );
  }
}

/** A fresh P-256 key; its kid is its thumbprint (RFC 7638). */
export async function makeKey(): Promise<Pick<SigningKey, 'kid' | 'privateKey'>> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // The cast is true because the key was just made on that curve.
  const jwk = privateKey.export({ format: 'jwk' }) as PrivateJwk;
  return { kid: await calculateJwkThumbprint(jwk), privateKey: jwk };
}

async function writeBeside(file: KeyFile, keys: readonly SigningKey[]): Promise<string> {
  const { path, passphrase } = file;
  const text = JSON.stringify({ keys }, null, 2);
  const kept =
    passphrase === undefined
      ? text
      : JSON.stringify({ encrypted: await encryptText(text, passphrase) }, null, 2);
  await makeFolder(dirname(path), 0o700);
  const beside = `${path}.${randomUUID()}`;
  try {
    // A power cut leaves the whole file or the one before.
    await writeFile(beside, `${kept}\n`, { mode: 0o600, flush: true });
  } catch (error) {
    // On a full disk, no part of a key is left.
    await rm(beside, { force: true });
    throw error;
  }
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
  return codeOf(error) === 'ENOENT';
}
