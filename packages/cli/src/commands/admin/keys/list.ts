// `landfall admin keys list`: lists the signing keys and the state of each.
import type { KeyPurpose } from '@landfall/service';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../../input/only-reads.js';
import { CommandFailedError, codeOf } from '../../../process/exit.js';
import {
  addFolderOptions,
  explainKeysFailure,
  type FolderOptions,
  findKeysFolder,
  keyPurposes,
  listPurpose,
  noKeys,
} from './keys-folder.js';
import { type PurposeKey, showKeys } from './show-keys.js';

type ListOptions = FolderOptions & { purpose?: KeyPurpose; json?: true };

/** Adds the command. */
export function addAdminKeysList(keys: Command): void {
  addFolderOptions(onlyReads(keys.command('list')))
    .description('list the signing keys; secrets are never shown')
    .addOption(new Option('--purpose <purpose>', 'only keys for this purpose').choices(keyPurposes))
    .option('--json', 'print the result as one JSON document')
    .addHelpText('after', examples)
    .action(list);
}

const examples = `
Examples:
  $ landfall admin keys list
  $ landfall admin keys list --purpose customs-token --json`;

async function list(options: ListOptions, command: Command): Promise<void> {
  const folder = findKeysFolder(options, command);
  const found: PurposeKey[] = [];
  const now = new Date();
  for (const purpose of options.purpose === undefined ? keyPurposes : [options.purpose]) {
    try {
      found.push(...(await listPurpose(folder, purpose, now)));
    } catch (error) {
      // A server with an external identity provider has no identity provider keys.
      if (options.purpose === undefined && codeOf(error) === 'ENOENT') continue;
      throw explainKeysFailure(error, folder, purpose);
    }
  }
  if (found.length === 0) throw new CommandFailedError(noKeys(folder));
  showKeys(found, options);
}
