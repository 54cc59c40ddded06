// The passphrase that encrypts signing keys at rest, where the operator configures one.
import { readFile } from 'node:fs/promises';

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
  if (keysPassphrase !== '' && keysPassphraseFile !== '') {
    throw new KeyPassphraseError(`only one of ${PASSPHRASE_VARIABLES} may be set`);
  }
  if (keysPassphraseFile === '') return keysPassphrase === '' ? undefined : check(keysPassphrase);
  const text = await readFile(keysPassphraseFile, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : 'unreadable';
    throw new KeyPassphraseError(
      `the file in LANDFALL_KEYS_PASSPHRASE_FILE cannot be read: ${keysPassphraseFile} (${code})`,
    );
  });
  return check(text.replace(/[\r\n]+$/, ''));
}

function check(passphrase: string): string {
  if (passphrase.length >= MIN_LENGTH) return passphrase;
  throw new KeyPassphraseError(
    `the passphrase of the signing keys must have ${MIN_LENGTH} characters or more`,
  );
}
