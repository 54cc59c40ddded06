// `landfall admin keys change-passphrase`: encrypts the signing keys with another passphrase.
import type { Command } from 'commander';
import { report } from '../../../output/output.js';
import { CommandFailedError } from '../../../process/exit.js';
import {
  addFolderOptions,
  explainKeysFailure,
  type FolderOptions,
  findKeysFolder,
  findPassphrase,
  keyPurposes,
  noKeys,
} from './keys-folder.js';

type ChangeOptions = FolderOptions & { newPassphraseFile: string };

/** Adds the command. */
export function addAdminKeysChangePassphrase(keys: Command): void {
  addFolderOptions(keys.command('change-passphrase'))
    .description('encrypt the signing keys with another passphrase; no token ends')
    .requiredOption(
      '--new-passphrase-file <file>',
      'file that contains the new passphrase, of 12 characters or more',
    )
    .addHelpText('after', examples)
    .action(change);
}

const examples = `
The passphrase until now is in LANDFALL_KEYS_PASSPHRASE or LANDFALL_KEYS_PASSPHRASE_FILE; keys without one are encrypted.
All key files are opened before the first is replaced. If it is interrupted, run it again with the same two passphrases.
Running servers keep their keys, and read the file of LANDFALL_KEYS_PASSPHRASE_FILE again: put the new passphrase into it
next. A server that starts before that does not find the passphrase, and ends with the reason.

Example:
  $ landfall admin keys change-passphrase --new-passphrase-file /run/secrets/landfall-keys.new
  $ mv /run/secrets/landfall-keys.new /run/secrets/landfall-keys`;

async function change(options: ChangeOptions, command: Command): Promise<void> {
  const folder = findKeysFolder(options, command);
  const { changeKeyPassphrase, readSecret, SecretError } = await import('@landfall/service');
  const file = options.newPassphraseFile;
  const next = await readSecret('--new-passphrase', '', file).catch((error: unknown) => {
    if (!(error instanceof SecretError)) throw error;
    throw new CommandFailedError(
      error.message.replaceAll('--new-passphrase_FILE', '--new-passphrase-file'),
    );
  });
  const passphrase = await findPassphrase().catch((error: unknown) => {
    throw explainKeysFailure(error, folder);
  });
  const location = { folder, passphrase, purposes: keyPurposes };
  const found = await changeKeyPassphrase({ ...location, next: next ?? '' }).catch(
    (error: unknown) => {
      throw explainKeysFailure(error, folder);
    },
  );
  if (found.length === 0) throw new CommandFailedError(noKeys(folder));
  for (const { purpose, isChanged } of found) {
    report(
      isChanged
        ? `encrypted the ${purpose} keys in ${folder} with the new passphrase`
        : `the ${purpose} keys in ${folder} have the new passphrase already`,
    );
  }
}
