// The folder of the signing keys, its passphrase, and errors of both.
import { join } from 'node:path';
import type { KeyPurpose } from '@landfall/service';
import { options as configuration } from '@landfall/service/config';
import type { Command } from 'commander';
import { dataOption } from '../../../input/options.js';
import { CommandFailedError, codeOf } from '../../../process/exit.js';
import type { PurposeKey } from './show-keys.js';

/** What keys are for: one set for each purpose. */
export const keyPurposes = ['customs-token', 'identity-provider'] as const;

/** The parsed options. */
export type FolderOptions = { data: string; keys?: string };

/** Adds `--data` and `--keys`. */
export function addFolderOptions(command: Command): Command {
  return command
    .addOption(dataOption())
    .option(
      '--keys <folder>',
      'folder of the signing keys (default: LANDFALL_KEYS, or "keys" in --data)',
    );
}

/** The folder: `--keys`, else that of an explicit `--data`, else LANDFALL_KEYS, else that of the default `--data`. */
export function findKeysFolder({ keys, data }: FolderOptions, command: Command): string {
  const explicitData = command.getOptionValueSource('data') === 'cli';
  const configured = process.env[configuration.keysFolder.variable];
  return keys ?? ((explicitData ? undefined : configured) || join(data, 'keys'));
}

/** The passphrase of the keys, from the environment. Throws KeyPassphraseError. */
export async function findPassphrase(): Promise<string | undefined> {
  const { readPassphrase } = await import('@landfall/service');
  const { keysPassphrase, keysPassphraseFile } = configuration;
  return readPassphrase({
    keysPassphrase: process.env[keysPassphrase.variable] ?? '',
    keysPassphraseFile: process.env[keysPassphraseFile.variable] ?? '',
  });
}

/** The keys for a purpose, which the listed ones name. Throws what `explainKeysFailure` explains. */
export async function listPurpose(
  folder: string,
  purpose: KeyPurpose,
  now: Date,
): Promise<PurposeKey[]> {
  // Imported here so that other commands start without loading the server.
  const { listKeys } = await import('@landfall/service');
  const listed = await listKeys({ folder, passphrase: await findPassphrase(), purpose, now });
  return listed.map((key) => ({ purpose, ...key }));
}

/** Explains an error of the key folder; any other error is returned unchanged. */
export function explainKeysFailure(error: unknown, folder: string, purpose?: KeyPurpose): unknown {
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
      return new CommandFailedError(noKeys(folder, purpose));
    case 'UNREADABLE_KEY_FILE':
    case 'KEY_PASSPHRASE':
    case 'KEYS_CHANGED':
    case 'CONFIG':
      return new CommandFailedError(error instanceof Error ? error.message : '');
    default:
      // Not allowed, read-only, a full disk and so on: the code of the system says which.
      return error instanceof Error && 'syscall' in error
        ? new CommandFailedError(`cannot use the keys in ${folder} (${code})`)
        : error;
  }
}

/** The message when a folder has no keys. */
export function noKeys(folder: string, purpose?: KeyPurpose): string {
  const which = purpose === undefined ? '' : `${purpose} `;
  return `no ${which}keys in ${folder}; a server creates them when it first starts`;
}
