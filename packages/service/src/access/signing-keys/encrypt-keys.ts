// Encrypts the text of a key file with a passphrase: JWE (RFC 7516), the key by PBES2 (RFC 7518, section 4.8).
import { CompactEncrypt, compactDecrypt, errors } from 'jose';

const ALGORITHM = 'PBES2-HS512+A256KW';
const ENCRYPTION = 'A256GCM';

/** How often the passphrase is hashed: each attempt takes a fifth of a second. */
const ITERATIONS = 210_000;

/** The maximum for a file, so that a changed file cannot make a server hash for hours. */
const MAX_ITERATIONS = 2_000_000;

/** Encrypts and authenticates a text with the passphrase. */
export function encryptText(text: string, passphrase: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
    .setKeyManagementParameters({ p2c: ITERATIONS })
    .encrypt(new TextEncoder().encode(passphrase));
}

/** The text; `undefined` when the passphrase is another one or the text was changed. */
export async function decryptText(
  encrypted: string,
  passphrase: string,
): Promise<string | undefined> {
  try {
    const { plaintext } = await compactDecrypt(encrypted, new TextEncoder().encode(passphrase), {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
      maxPBES2Count: MAX_ITERATIONS,
    });
    return new TextDecoder().decode(plaintext);
  } catch (error) {
    // WebCrypto throws its own error where the key cannot be unwrapped.
    if (error instanceof errors.JOSEError || error instanceof DOMException) return undefined;
    throw error;
  }
}
