// The signing keys of a running server: they sign, verify and are published; a changed file is noticed.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { keyFile, readKeys } from './key-file.js';
import { openKeys } from './rotate-keys.js';
import { type KeyPurpose, publishedKeys, type SigningKey, signingKey } from './signing-key.js';

/** The algorithm that our own tokens are signed with. */
export const TOKEN_ALGORITHM = 'ES256';

/** The type in the header of our own tokens (RFC 9068). */
export const TOKEN_TYPE = 'at+jwt';

/** How often the file is looked at, in milliseconds. */
const RELOAD_INTERVAL = 20_000;

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

/** The keys of one purpose. */
export type KeyRing = {
  sign(claims: JWTPayload): Promise<string>;
  /** The public key of that name, while it is published. */
  find(kid: string): KeyObject | undefined;
  published(): PublishedKey[];
  reload(): Promise<void>;
  close(): void;
};

/** Opens the keys for a purpose, which are made at first start. */
export async function openKeyRing(
  folder: string,
  purpose: KeyPurpose,
  clock: () => Date,
): Promise<KeyRing> {
  const file = keyFile(folder, purpose);
  let keys = (await openKeys(file, clock())).map(withObjects);

  const reload = async () => {
    keys = (await readKeys(file)).map(withObjects);
  };
  // A file that cannot be read now does not take away the keys that were read before.
  const timer = setInterval(() => reload().catch(() => undefined), RELOAD_INTERVAL);
  timer.unref();

  return {
    sign: (claims) => {
      const key = signingKey(keys, clock());
      const held = keys.find(({ kid }) => kid === key?.kid);
      if (held === undefined) throw new Error(`${file} has no key that signs now`);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: held.kid })
        .sign(held.signs);
    },
    find: (kid) => {
      const held = keys.find((key) => key.kid === kid);
      return held !== undefined && publishedKeys([held], clock()).length > 0
        ? held.verifies
        : undefined;
    },
    published: () => publishedKeys(keys, clock()).map(publish),
    reload,
    close: () => clearInterval(timer),
  };
}

type HeldKey = SigningKey & { signs: KeyObject; verifies: KeyObject };

function withObjects(key: SigningKey): HeldKey {
  const signs = createPrivateKey({ key: key.privateKey, format: 'jwk' });
  return { ...key, signs, verifies: createPublicKey(signs) };
}

/** The public part of a key. */
export function publish({ kid, privateKey: { kty, crv, x, y } }: SigningKey): PublishedKey {
  return { kty, crv, x, y, kid, alg: TOKEN_ALGORITHM, use: 'sig' };
}
