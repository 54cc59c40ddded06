// `landfall keys`: the keys that tokens are signed with: where each is in its life, and a fresh one behind them.
import type { KeyPurpose, ListedKey } from '@landfall/service';
import { options as configuration } from '@landfall/service/config';
import { type Command, Option } from 'commander';
import { CommandFailedError, codeOf } from './exit.js';
import { wholeNumber } from './identity-options.js';
import {
  addFolderOptions,
  explainKeysFailure,
  type FolderOptions,
  findKeysFolder,
  findPassphrase,
  noKeys,
} from './keys-folder.js';
import { coloursFor, print, readableTime, tell } from './output.js';
import { type Column, tableLines } from './table.js';

type KeysOptions = FolderOptions & { purpose?: KeyPurpose; json?: true };
type RotateOptions = KeysOptions & { keep?: number; lead: number; atOnce?: true };

const purposes = ['customs-token', 'identity-provider'] as const;

/** Adds the verb. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('the keys that tokens are signed with');
  addFolderOptions(keys.command('list'))
    .description('list the keys: never what is secret of them')
    .addOption(new Option('--purpose <purpose>', 'only those for it').choices(purposes))
    .option('--json', 'print an array and nothing else')
    .addHelpText('after', listExamples)
    .action(list);
  addFolderOptions(keys.command('rotate'))
    .description('put a fresh key behind the one in use; running servers notice within seconds')
    .addOption(
      new Option('--purpose <purpose>', 'which keys').choices(purposes).default('customs-token'),
    )
    .addOption(
      new Option('--keep <seconds>', 'longest life of a token (default: as configured)').argParser(
        wholeNumber(0, 86_400),
      ),
    )
    .addOption(
      new Option('--lead <seconds>', 'how long the fresh key is published before it signs')
        .argParser(wholeNumber(0, 86_400))
        .default(300),
    )
    .addOption(
      new Option(
        '--at-once',
        'the old keys end now, with every token they signed: when others have got hold of one',
      ).conflicts(['keep', 'lead']),
    )
    .option('--json', 'print an array and nothing else')
    .addHelpText('after', rotateExamples)
    .action(rotate);
}

const listExamples = `
Examples:
  $ landfall keys list
  $ landfall keys list --purpose customs-token --json`;

const rotateExamples = `
Keys that are encrypted need their passphrase, by LANDFALL_KEYS_PASSPHRASE or LANDFALL_KEYS_PASSPHRASE_FILE.
Tokens that were given out go on being taken, unless --at-once ends them. Servers that have copies of the key
files need the new ones before the fresh key signs.

Examples:
  $ landfall keys rotate
  $ landfall keys rotate --at-once`;

async function list(options: KeysOptions, command: Command): Promise<void> {
  const folder = findKeysFolder(options, command);
  const { listKeys } = await import('@landfall/service');
  const shown: (ListedKey & { purpose: KeyPurpose })[] = [];
  const now = new Date();
  for (const purpose of options.purpose === undefined ? purposes : [options.purpose]) {
    const listing = findPassphrase().then((passphrase) =>
      listKeys({ folder, passphrase, purpose, now }),
    );
    const listed = await listing.catch((error: unknown) => {
      // Without our own identity provider there are no keys of one.
      if (options.purpose === undefined && codeOf(error) === 'ENOENT') return [];
      throw explainKeysFailure(error, folder, purpose);
    });
    shown.push(...listed.map((key) => ({ purpose, ...key })));
  }
  if (shown.length === 0) throw new CommandFailedError(noKeys(folder));
  show(shown, options);
}

async function rotate(options: RotateOptions & { purpose: KeyPurpose }, command: Command) {
  const { purpose, atOnce, lead } = options;
  const folder = findKeysFolder(options, command);
  const { listKeys, rotateKeys } = await import('@landfall/service');
  try {
    const place = { folder, passphrase: await findPassphrase(), purpose, now: new Date() };
    // Rotating makes keys where there are none; here that would be a folder that was named wrongly.
    await listKeys(place);
    const keep = options.keep ?? (await lifetimeOf(purpose));
    const overlap = atOnce ? { keep: 0, lead: 0 } : { keep, lead };
    const listed = await rotateKeys({ ...place, ...overlap });
    tell(`rotated the keys in ${folder}`);
    show(
      listed.map((key) => ({ purpose, ...key })),
      options,
    );
  } catch (error) {
    throw explainKeysFailure(error, folder, purpose);
  }
}

/** The longest life of a token, in seconds. */
async function lifetimeOf(purpose: KeyPurpose): Promise<number> {
  if (purpose === 'identity-provider') {
    return (await import('@landfall/service')).ACCESS_TOKEN_LIFETIME;
  }
  const { variable, standard, read } = configuration.tokenLifetime;
  const text = process.env[variable];
  return text === undefined || text === '' ? standard : read(text);
}

const columns: readonly Column<ListedKey & { purpose: KeyPurpose }>[] = [
  { heading: 'purpose', value: ({ purpose }) => purpose },
  { heading: 'state', value: ({ state }) => state },
  { heading: 'signs from', value: ({ signsFrom }) => readableTime(signsFrom) },
  { heading: 'ends', value: ({ endsAt }) => (endsAt === undefined ? '-' : readableTime(endsAt)) },
  { heading: 'kid', value: ({ kid }) => kid },
];

function show(keys: (ListedKey & { purpose: KeyPurpose })[], { json }: { json?: true }): void {
  const lines = json ? [JSON.stringify(keys, null, 2)] : tableLines(columns, keys, coloursFor());
  for (const line of lines) print(line);
}
