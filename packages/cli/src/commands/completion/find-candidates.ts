// Finds what may come next on a command line, from the commands themselves.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { playgroundIdentities } from '@landfall/contract';
import type { Argument, Command, Option } from 'commander';
import { DEFAULT_DATA_FOLDER } from '../../output/next-command.js';
import { readConfig } from '../../settings/config.js';

/** A word that may come next, and what it means. */
export type Candidate = { word: string; description: string };

/**
 * The words that may replace the last one, which may be incomplete or empty. None where a file, a number or a text is
 * expected.
 */
export async function findCandidates(
  program: Command,
  words: readonly string[],
): Promise<Candidate[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const position = walk(program, before);
  const found = await listCandidates(position, current, givenValue(before, '--data'));
  return found.filter(({ word }) => word.startsWith(current));
}

/** The command that the words have reached, and what they have used. */
type Position = {
  command: Command;
  /** How many arguments of the command were given. */
  count: number;
  used: readonly Option[];
  /** The option that takes the next word as its value. */
  expecting: Option | undefined;
};

function walk(program: Command, words: readonly string[]): Position {
  let position: Position = { command: program, count: 0, used: [], expecting: undefined };
  for (const word of words) position = step(position, word);
  return position;
}

function step({ command, count, used, expecting }: Position, word: string): Position {
  // Bash separates an option, the equals sign and the value.
  if (word === '=') return { command, count, used, expecting };
  if (expecting !== undefined) return { command, count, used, expecting: undefined };
  if (word.startsWith('-')) {
    const option = findOption(command, word);
    if (option === undefined) return { command, count, used, expecting };
    const takesNext = (option.required || option.optional) && !word.includes('=');
    return { command, count, used: [...used, option], expecting: takesNext ? option : undefined };
  }
  const child = command.commands.find((each) => each.name() === word);
  return child === undefined
    ? { command, count: count + 1, used, expecting: undefined }
    : { command: child, count: 0, used: [], expecting: undefined };
}

function findOption(command: Command, word: string): Option | undefined {
  const [flag] = word.split('=', 1);
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

async function listCandidates(
  { command, count, used, expecting }: Position,
  current: string,
  data: string | undefined,
): Promise<Candidate[]> {
  if (expecting !== undefined) {
    return valuesOf(expecting, data);
  }
  const option = current.includes('=') ? findOption(command, current) : undefined;
  if (option !== undefined) {
    const values = await valuesOf(option, data);
    return values.map((value) => ({ ...value, word: `${option.long}=${value.word}` }));
  }
  if (current.startsWith('-')) {
    const help = command.createHelp();
    return help
      .visibleOptions(command)
      .filter((each) => !used.includes(each) || each.variadic)
      .flatMap(({ long, description }) => (long == null ? [] : [{ word: long, description }]));
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[count] ?? (last?.variadic ? last : undefined);
  const children = command.commands.map((child) => ({
    word: child.name(),
    description: child.description(),
  }));
  return [
    ...(count === 0 ? children : []),
    ...(argument ? await choicesOf(argument, command) : []),
  ];
}

/** The values of an option: its choices, or what this user has. */
async function valuesOf(option: Option, data: string | undefined): Promise<Candidate[]> {
  if (option.long === '--as' || option.long === '--identity') return listIdentities(data);
  if (option.long === '--profile') return listProfiles();
  return (option.argChoices ?? []).map((word) => ({ word, description: '' }));
}

async function choicesOf(argument: Argument, command: Command): Promise<Candidate[]> {
  const isProfile = command.parent?.name() === 'profile' && command.name() !== 'add';
  if (isProfile) return listProfiles();
  return (argument.argChoices ?? []).map((word) => ({ word, description: '' }));
}

/** The identities of the playground in the data folder; those of every playground if it has none. */
async function listIdentities(given: string | undefined): Promise<Candidate[]> {
  const folder = given ?? process.env.LANDFALL_DATA ?? DEFAULT_DATA_FOLDER;
  const files = await readdir(join(folder, 'credentials')).catch(() => []);
  const names = files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []));
  const standard = playgroundIdentities.map(({ name }) => name);
  return (names.length > 0 ? names.sort() : standard).map((word) => ({ word, description: '' }));
}

async function listProfiles(): Promise<Candidate[]> {
  // A configuration that cannot be read is reported by the command, not while its line is written.
  const { profiles } = await readConfig().catch(() => ({ profiles: {} }));
  return Object.entries(profiles).map(([word, { credentials, as }]) => ({
    word,
    description: credentials ?? as ?? '',
  }));
}

function givenValue(words: readonly string[], flag: string): string | undefined {
  const index = words.lastIndexOf(flag);
  return index === -1 ? undefined : words[index + 1];
}
