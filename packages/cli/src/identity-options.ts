// The options that every client verb takes: who to be, and which playground to speak to.
import { playgroundIdentities } from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_DATA_FOLDER } from './next-command.js';

/** What the options come to. */
export type IdentityOptions = { as: string; data: string; url?: string };

const names = playgroundIdentities.map(({ name }) => name).join(', ');

/** Adds `--as`, `--data` and `--url`; without a default name, `--as` must be given unless it is optional. */
export function addIdentityOptions(
  command: Command,
  { defaultName, optional = false }: { defaultName?: string; optional?: boolean } = {},
): Command {
  const as = new Option('--as <name>', `who to act as: ${names}`).argParser(readName);
  return command
    .addOption(
      defaultName === undefined ? as.makeOptionMandatory(!optional) : as.default(defaultName),
    )
    .addOption(dataOption())
    .addOption(
      new Option(
        '--url <address>',
        'base address of the service (default: the one in the credentials)',
      ).argParser(readAddress),
    );
}

/** Adds `--json`. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', "print the service's answer as it came");
}

/** The option for the data folder. */
export function dataOption(): Option {
  return new Option('--data <folder>', 'data folder of the playground')
    .env('LANDFALL_DATA')
    .default(DEFAULT_DATA_FOLDER);
}

/** The name becomes part of a file name, so it may not lead elsewhere. */
function readName(text: string): string {
  if (!/^[A-Za-z0-9][\w-]*$/.test(text)) {
    throw new InvalidArgumentError('A name is letters, digits and hyphens.');
  }
  return text;
}

/** Reads an address; a slash at its end is left out. */
export function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It is not an address such as http://127.0.0.1:8080.');
  }
  return text.replace(/\/+$/, '');
}

/** Makes a reader of whole numbers between two bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}
