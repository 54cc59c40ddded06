// Where the signing keys are, what they are encrypted with, and why they cannot be used.
import { join } from 'node:path';
import type { KeyPurpose } from '@landfall/service';
import { options as configuration } from '@landfall/service/config';
import type { Command } from 'commander';
import { CommandFailedError, codeOf } from './exit.js';
import { dataOption } from './identity-options.js';

/** What the options come to. */
export type FolderOptions = { data: string; keys?: string };

/** Adds `--data` and `--keys`. */
export function addFolderOptions(command: Command): Command {
  return command
    .addOption(dataOption())
    .option('--keys <folder>', 'folder of the keys (default: LANDFALL_KEYS, or keys in --data)');
}

/** The folder: as it is given, else as production has it, else the playground's. */
export function findKeysFolder({ keys, data }: FolderOptions, command: Command): string {
  const named = command.getOptionValueSource('data') === 'cli';
  const configured = process.env[configuration.keysFolder.variable];
  return keys ?? ((named ? undefined : configured) || join(data, 'keys'));
}

/** What the keys are encrypted with, as production has it. Throws KeyPassphraseError. */
export async function findPassphrase(): Promise<string | undefined> {
  const { readPassphrase } = await import('@landfall/service');
  const { keysPassphrase, keysPassphraseFile } = configuration;
  return readPassphrase({
    keysPassphrase: process.env[keysPassphrase.variable] ?? '',
    keysPassphraseFile: process.env[keysPassphraseFile.variable] ?? '',
  });
}

/** The error in a line; one that is not about the folder is given back as it is. */
export function explainKeysFailure(error: unknown, folder: string, purpose: KeyPurpose): unknown {
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
      return new CommandFailedError(noKeys(folder, purpose));
    case 'UNREADABLE_KEY_FILE':
    case 'KEY_PASSPHRASE':
    case 'CONFIG':
      return new CommandFailedError(error instanceof Error ? error.message : '');
    case 'EACCES':
    case 'EPERM':
    case 'ENOTDIR':
    case 'EROFS':
      return new CommandFailedError(`cannot use the keys in ${folder} (${code})`);
    default:
      return error;
  }
}

/** What to say where there are none. */
export function noKeys(folder: string, purpose?: KeyPurpose): string {
  const which = purpose === undefined ? '' : `${purpose} `;
  return `there are no ${which}keys in ${folder}; a server makes them when it first starts`;
}
