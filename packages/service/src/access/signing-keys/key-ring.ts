// The signing keys of a running server. They are read again when their file changes.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { type KeyLocation, keyFile, parseKeys, readKeyText } from './key-file.js';
import { openKeys } from './rotate-keys.js';
import { encodePart, signToken } from './sign-token.js';
import { type KeyPurpose, publishedKeys, type SigningKey, signingKey } from './signing-key.js';
import { type Warn, watchKeyFile } from './watch-key-file.js';

/** The algorithm with which our own tokens are signed. */
export const TOKEN_ALGORITHM = 'ES256';

/** The type in the header of our own tokens (RFC 9068). */
export const TOKEN_TYPE = 'at+jwt';

/** A public key as it is published. */
export type PublishedKey = {
  kty: string;
  crv: string;
  x: string;
  y: string;
  kid: string;
  alg: string;
  use: 'sig';
};

/** Published keys (RFC 7517). */
export type KeySet = { keys: PublishedKey[] };

/** Every key has ended: nothing can be signed until the keys are rotated. */
export class NoSigningKeyError extends Error {
  readonly code = 'NO_SIGNING_KEY';
  override name = 'NoSigningKeyError';

  constructor(path: string) {
    super(`every key in ${path} has ended: run "landfall admin keys rotate"`);
  }
}

/** The keys of one purpose. */
export type KeyRing = {
  sign(claims: JWTPayload): Promise<string>;
  /** The public key with that kid, while it is published. */
  find(kid: string): KeyObject | undefined;
  published(): PublishedKey[];
  /** Reads the file again. If that throws, the previous keys stay in use. */
  reload(): Promise<void>;
  /** Reads the file as the server does every few seconds. An unusable file is logged once for each change. */
  poll(): Promise<void>;
  close(): void;
};

/**
 * Opens the keys for a purpose, which are created at first start.
 *
 * @param readPassphrase gives the passphrase when the file has changed: it may have been encrypted with another one;
 * without it, that of the location stays
 * @param warn is called when the file was changed and cannot be used
 * @throws UnreadableKeyFileError
 * @throws NoSigningKeyError
 * @throws KeyPassphraseError
 */
export async function openKeyRing(
  location: KeyLocation,
  purpose: KeyPurpose,
  clock: () => Date,
  warn: Warn = () => undefined,
  readPassphrase = async () => location.passphrase,
): Promise<KeyRing> {
  const file = keyFile(location, purpose);
  let keys = (await openKeys(file, clock())).map(withObjects);
  if (publishedKeys(keys, clock()).length === 0) throw new NoSigningKeyError(file.path);
  /** The last text of the file. It rarely changes, and decrypting it is slow. */
  let read: string | undefined;

  const reload = async () => {
    const text = await readKeyText(file);
    if (text === read) return;
    keys = (await parseKeys({ ...file, passphrase: await readPassphrase() }, text)).map(
      withObjects,
    );
    read = text;
  };
  const watch = watchKeyFile(file.path, reload, warn);

  return {
    sign: async (claims) => {
      const key = signingKey(keys, clock());
      const held = keys.find(({ kid }) => kid === key?.kid);
      if (held === undefined) throw new NoSigningKeyError(file.path);
      return signToken(held.header, claims, held.signs);
    },
    find: (kid) => {
      const held = keys.find((key) => key.kid === kid);
      return held !== undefined && publishedKeys([held], clock()).length > 0
        ? held.verifies
        : undefined;
    },
    published: () => publishedKeys(keys, clock()).map(publish),
    reload,
    poll: watch.poll,
    close: watch.stop,
  };
}

/** Finds the key of a token by its `kid`, for jose. */
export function findKeyIn(keys: Pick<KeyRing, 'find'>): JWTVerifyGetKey {
  return ({ kid }) => {
    const key = kid === undefined ? undefined : keys.find(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}

type HeldKey = SigningKey & { header: string; signs: KeyObject; verifies: KeyObject };

function withObjects(key: SigningKey): HeldKey {
  const signs = createPrivateKey({ key: key.privateKey, format: 'jwk' });
  const header = encodePart({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: key.kid });
  return { ...key, header, signs, verifies: createPublicKey(signs) };
}

/** The public part of a key. */
export function publish({ kid, privateKey: { kty, crv, x, y } }: SigningKey): PublishedKey {
  return { kty, crv, x, y, kid, alg: TOKEN_ALGORITHM, use: 'sig' };
}
