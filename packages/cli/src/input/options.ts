// Options shared by several commands: identity, data folder, address, --json.
import {
  playgroundIdentities,
  SNAPSHOT_NAME,
  SNAPSHOT_NAME_RULE,
  toTheSecond,
} from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_DATA_FOLDER } from '../output/next-command.js';

/** The settings of a command that calls the service. */
export type IdentityOptions = {
  as: string;
  data: string;
  /** A file of credentials, instead of an identity of a playground. */
  credentials?: string;
  url?: string;
  /** Show each request and response. */
  debug?: true;
  /** Whether tokens may be sent over http to other machines. */
  allowHttp?: boolean;
  /** How long a response may take, in seconds. */
  timeout?: number;
  /** The options that the next command has to repeat. */
  repeated?: readonly string[];
};

const names = playgroundIdentities.map(({ name }) => name).join(', ');

/** Adds the options of every command that calls the service. */
export function addServiceOptions(command: Command, defaultName: string): Command {
  return command
    .addOption(
      new Option('--as <name>', `identity of a playground to act as: ${names}`)
        .argParser(readName)
        .env('LANDFALL_AS')
        .default(defaultName),
    )
    .addOption(
      new Option(
        '--credentials <file>',
        'file of credentials to act with, instead of an identity of a playground',
      ).env('LANDFALL_CREDENTIALS'),
    )
    .addOption(
      new Option('--profile <name>', 'profile with settings (default: see landfall profile)').env(
        'LANDFALL_PROFILE',
      ),
    )
    .addOption(dataOption())
    .addOption(
      new Option('--url <address>', 'base address of the service (default: from the credentials)')
        .argParser(readAddress)
        .env('LANDFALL_URL'),
    )
    .addOption(
      new Option(
        '--timeout <seconds>',
        'how long a response may take (1 to 3600; default: 30, for uploads 300)',
      ).argParser(wholeNumber(1, 3600)),
    )
    .addOption(
      new Option(
        '--allow-http',
        'send tokens over http to another machine, where everybody on the way can read them',
      ).env('LANDFALL_ALLOW_HTTP'),
    )
    .option('--debug', 'show each request and response on stderr, without secrets');
}

/** Adds `--json`, for commands that print one document. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print the result as one JSON document');
}

/** Adds `--json`, for commands that print results as they come. */
export function addJsonLinesOption(command: Command): Command {
  return command.option('--json', 'print each result as one line of JSON (NDJSON)');
}

/** The option `--data`. */
export function dataOption(): Option {
  return new Option('--data <folder>', 'data folder of the playground')
    .argParser(readFolder)
    .env('LANDFALL_DATA')
    .default(DEFAULT_DATA_FOLDER);
}

/** Parses a folder. An option that follows `--data` by mistake is none: `--data --help` made a folder of that name. */
function readFolder(text: string): string {
  if (!text.startsWith('-')) return text;
  throw new InvalidArgumentError('A folder whose name begins with a hyphen is written as ./-name.');
}

/** The option `--office`, which a profile can set. */
export function officeOption(): Option {
  return new Option('--office <code>', 'customs office of presentation, code list CL141')
    .env('LANDFALL_OFFICE')
    .default('NO351001');
}

/** Parses a name that becomes part of a file name, so it must not contain a path. */
export function readName(text: string): string {
  if (!/^[A-Za-z0-9][\w-]*$/.test(text)) {
    throw new InvalidArgumentError('A name consists of letters, digits and hyphens.');
  }
  return text;
}

/** Parses the name of a snapshot, by the rule of the playground. */
export function readSnapshotName(text: string): string {
  if (SNAPSHOT_NAME.test(text)) return text;
  throw new InvalidArgumentError(`A name has ${SNAPSHOT_NAME_RULE.replaceAll('`', '"')}.`);
}

/** Parses an address and removes trailing slashes. */
export function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:8080.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('It must not have a user or a password.');
  }
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
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

/** A parser of an instant in UTC, such as `2026-05-04T08:00:00Z`; a day that does not exist is refused. */
export function utcTime(text: string): Date {
  const time = new Date(text);
  // Date takes the 30th of February as the 2nd of March.
  const isWritten = !Number.isNaN(time.getTime()) && text.endsWith('Z');
  if (isWritten && time.toISOString().startsWith(text.slice(0, 'yyyy-mm-dd'.length))) return time;
  throw new InvalidArgumentError('It must be a time in UTC such as 2026-05-04T08:00:00Z.');
}

/** This time to the second, as messages have times. */
export function utcNow(): string {
  return toTheSecond(new Date());
}
