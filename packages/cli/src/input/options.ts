// Options shared by several commands: identity, data folder, address, --json.
import { playgroundIdentities } from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_DATA_FOLDER } from '../output/next-command.js';

/** The parsed options. */
export type IdentityOptions = { as: string; data: string; url?: string };

const names = playgroundIdentities.map(({ name }) => name).join(', ');

/** Adds `--as`, `--data` and `--url`. Without a default name, `--as` is required unless it is optional. */
export function addIdentityOptions(
  command: Command,
  { defaultName, optional = false }: { defaultName?: string; optional?: boolean } = {},
): Command {
  const as = new Option('--as <name>', `identity to act as: ${names}`).argParser(readName);
  return command
    .addOption(
      defaultName === undefined ? as.makeOptionMandatory(!optional) : as.default(defaultName),
    )
    .addOption(dataOption())
    .addOption(
      new Option(
        '--url <address>',
        'base address of the service (default: from the credentials)',
      ).argParser(readAddress),
    );
}

/** Adds `--json`. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print the JSON response unchanged');
}

/** The option `--data`. */
export function dataOption(): Option {
  return new Option('--data <folder>', 'data folder of the playground')
    .env('LANDFALL_DATA')
    .default(DEFAULT_DATA_FOLDER);
}

/** The name becomes part of a file name, so it must not contain a path. */
function readName(text: string): string {
  if (!/^[A-Za-z0-9][\w-]*$/.test(text)) {
    throw new InvalidArgumentError('A name consists of letters, digits and hyphens.');
  }
  return text;
}

/** Parses an address and removes trailing slashes. */
export function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:8080.');
  }
  return text.replace(/\/+$/, '');
}

/** Makes a parser of whole numbers from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return number;
  };
}
