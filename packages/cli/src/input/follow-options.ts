// Options shared by the commands that follow a feed.
import { isUuid } from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addJsonLinesOption, utcTime, wholeNumber } from './options.js';

/** The options of following. */
export type FollowingOptions = {
  marker: string;
  since?: Date;
  store?: string;
  limit?: number;
  json?: true;
};

/** Where a command begins to follow. */
export type Beginning = {
  /** The plural of what is followed, such as `signals`. */
  entries: string;
  /** The plural of what `--limit` counts; default: the entries. */
  counted?: string;
  /** What a marker is, such as `id of a signal`. */
  marker: string;
  /** The other values of `--marker`, the default first, each with its meaning. */
  words: readonly (readonly [word: string, meaning: string])[];
};

/** Adds `--marker`, `--since`, `--store`, `--limit` and `--json`. */
export function addFollowingOptions(
  command: Command,
  { entries, counted = entries, marker, words }: Beginning,
): Command {
  const meanings = words.map(([word, meaning]) => `"${word}": ${meaning}`).join('; ');
  const start = new Option('--marker <id>', `start after this ${marker}; ${meanings}`)
    .argParser((text) => readMarker(text, marker, words))
    .default(words[0]?.[0]);
  const since = new Option(
    '--since <time>',
    `start with the first of the ${entries} at or after this time in UTC, such as 2026-01-31T06:00:00Z`,
  )
    .argParser(utcTime)
    .conflicts('marker');
  command
    .addOption(start)
    .addOption(since)
    .option(
      '--store <file>',
      'keep the position in this file and resume from it; --marker or --since is used if it has none',
    )
    .option('--limit <number>', `stop after this many ${counted}`, wholeNumber(1, 999_999_999));
  return addJsonLinesOption(command);
}

function readMarker(text: string, marker: string, words: Beginning['words']): string {
  if (isUuid(text) || words.some(([word]) => word === text)) return text;
  const quoted = words.map(([word]) => `"${word}"`).join(' or ');
  throw new InvalidArgumentError(`It must be the ${marker} (a UUID), or ${quoted}.`);
}
