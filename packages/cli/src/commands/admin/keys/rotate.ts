// `landfall admin keys rotate`: adds a new signing key and retires the current one.
import type { KeyPurpose } from '@landfall/service';
import { options as configuration } from '@landfall/service/config';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../../../input/options.js';
import { report } from '../../../output/output.js';
import {
  addFolderOptions,
  explainKeysFailure,
  type FolderOptions,
  findKeysFolder,
  findPassphrase,
  keyPurposes,
} from './keys-folder.js';
import { showKeys } from './show-keys.js';

type RotateOptions = FolderOptions & {
  purpose: KeyPurpose;
  keep?: number;
  lead: number;
  atOnce?: true;
  json?: true;
};

/** Adds the command. */
export function addAdminKeysRotate(keys: Command): void {
  addFolderOptions(keys.command('rotate'))
    .description('replace the current signing key; running servers notice within seconds')
    .addOption(
      new Option('--purpose <purpose>', 'which keys').choices(keyPurposes).default('customs-token'),
    )
    .addOption(
      new Option(
        '--keep <seconds>',
        'how long the old keys remain valid after the new key starts signing (default: token lifetime)',
      ).argParser(wholeNumber(0, 86_400)),
    )
    .addOption(
      new Option('--lead <seconds>', 'how long the new key is published before it signs')
        .argParser(wholeNumber(0, 86_400))
        .default(300),
    )
    .addOption(
      new Option(
        '--at-once',
        'revoke the old keys and every token they signed now: if a key is compromised',
      ).conflicts(['keep', 'lead']),
    )
    .option('--json', 'print the result as one JSON document')
    .addHelpText('after', examples)
    .action(rotate);
}

const examples = `
Tokens signed by the old keys remain valid until they expire, unless --at-once is given. Encrypted keys need their
passphrase in LANDFALL_KEYS_PASSPHRASE or LANDFALL_KEYS_PASSPHRASE_FILE. If servers have their own copies of the
key files, copy the new files to them before the new key starts signing.

Examples:
  $ landfall admin keys rotate
  $ landfall admin keys rotate --at-once`;

async function rotate(options: RotateOptions, command: Command): Promise<void> {
  const { purpose, atOnce, lead } = options;
  const folder = findKeysFolder(options, command);
  const { listKeys, rotateKeys } = await import('@landfall/service');
  try {
    const location = { folder, passphrase: await findPassphrase(), purpose, now: new Date() };
    // rotateKeys creates keys where there are none; here that would mean a wrong folder, which listKeys refuses.
    await listKeys(location);
    const keep = options.keep ?? (await tokenLifetime(purpose));
    const overlap = atOnce ? { keep: 0, lead: 0 } : { keep, lead };
    const listed = await rotateKeys({ ...location, ...overlap });
    report(`rotated the keys in ${folder}`);
    showKeys(
      listed.map((key) => ({ purpose, ...key })),
      options,
    );
  } catch (error) {
    throw explainKeysFailure(error, folder, purpose);
  }
}

/** The longest lifetime of a token, in seconds. */
async function tokenLifetime(purpose: KeyPurpose): Promise<number> {
  if (purpose === 'identity-provider') {
    return (await import('@landfall/playground')).ACCESS_TOKEN_LIFETIME;
  }
  const { tokenLifetime } = configuration;
  const text = process.env[tokenLifetime.variable];
  return text === undefined || text === '' ? tokenLifetime.default : tokenLifetime.read(text);
}
