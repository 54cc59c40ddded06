// The passphrase that encrypts signing keys at rest, where the operator configures one.
import { readSecret, SecretError } from '../../files/read-secret.js';

/** The passphrase is not one, is missing, or is not the one that the keys were encrypted with. */
export class KeyPassphraseError extends Error {
  readonly code = 'KEY_PASSPHRASE';
  override name = 'KeyPassphraseError';
}

/** How it is configured; an empty text is none. */
export type PassphraseSettings = {
  keysPassphrase: string;
  /** A file that has it. */
  keysPassphraseFile: string;
};

/** The minimum length of a passphrase, in characters. */
const MIN_LENGTH = 12;

/** The variables that configure it, for messages. */
export const PASSPHRASE_VARIABLES = 'LANDFALL_KEYS_PASSPHRASE or LANDFALL_KEYS_PASSPHRASE_FILE';

/**
 * The passphrase: as it is configured, or the text of the file that is, without line breaks at its end; `undefined`
 * where there is neither, and keys are kept plain.
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
  return passphrase === undefined ? undefined : check(passphrase);
}

function check(passphrase: string): string {
  if (passphrase.length >= MIN_LENGTH) return passphrase;
  throw new KeyPassphraseError(
    `the passphrase of the signing keys must have ${MIN_LENGTH} characters or more`,
  );
}
