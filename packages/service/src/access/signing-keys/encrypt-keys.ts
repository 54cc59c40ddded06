// Encrypts the text of a key file with a passphrase: JWE (RFC 7516), the key by PBES2 (RFC 7518, section 4.8).
import { CompactEncrypt, compactDecrypt, errors } from 'jose';

const ALGORITHM = 'PBES2-HS512+A256KW';
const ENCRYPTION = 'A256GCM';

/** Iterations of the hash of the passphrase: an attempt to guess it takes a fifth of a second. */
const ITERATIONS = 210_000;

/** Maximum iterations that a file may require, so that a manipulated file cannot occupy a server for hours. */
const MAX_ITERATIONS = 2_000_000;

/** Encrypts and authenticates a text with the passphrase. */
export function encryptText(text: string, passphrase: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
    .setKeyManagementParameters({ p2c: ITERATIONS })
    .encrypt(new TextEncoder().encode(passphrase));
}

/** The text; `undefined` if the passphrase differs or the text was changed. */
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
    // WebCrypto throws its own error if the key cannot be unwrapped.
    if (error instanceof errors.JOSEError || error instanceof DOMException) return undefined;
    throw error;
  }
}
