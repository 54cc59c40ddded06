// The passphrase that encrypts signing keys at rest, if the operator configures one.
import { readSecret, SecretError } from '../../files/read-secret.js';

/** The passphrase is invalid, missing, or differs from that with which the keys were encrypted. */
export class KeyPassphraseError extends Error {
  readonly code = 'KEY_PASSPHRASE';
  override name = 'KeyPassphraseError';
}

/** The configuration of the passphrase. An empty text means none. */
export type PassphraseSettings = {
  keysPassphrase: string;
  /** A file that contains it. */
  keysPassphraseFile: string;
};

/** The minimum length of a passphrase, in characters. */
const MIN_LENGTH = 12;

/** The variables that configure it, for messages. */
export const PASSPHRASE_VARIABLES = 'LANDFALL_KEYS_PASSPHRASE or LANDFALL_KEYS_PASSPHRASE_FILE';

/**
 * The configured passphrase, or the text of the configured file without line breaks at its end; `undefined` without
 * either, which leaves keys unencrypted.
 *
 * @throws KeyPassphraseError
 */
export async function readPassphrase({
  keysPassphrase,
  keysPassphraseFile,
}: PassphraseSettings): Promise<string | undefined> {
  const passphrase = await readSecret(
    'LANDFALL_KEYS_PASSPHRASE',
    keysPassphrase,
    keysPassphraseFile,
  ).catch((error: unknown) => {
    throw error instanceof SecretError ? new KeyPassphraseError(error.message) : error;
  });
  return passphrase === undefined ? undefined : checkPassphrase(passphrase);
}

/** The passphrase. Throws KeyPassphraseError if it is too short. */
export function checkPassphrase(
  passphrase: string,
  what = 'the passphrase of the signing keys (LANDFALL_KEYS_PASSPHRASE)',
): string {
  if (passphrase.length >= MIN_LENGTH) return passphrase;
  throw new KeyPassphraseError(`${what} must have ${MIN_LENGTH} characters or more`);
}
