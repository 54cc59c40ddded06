// Formats the command to run next, ready to copy and run in the same shell.
import { basename, dirname, join, relative } from 'node:path';

/** The default data folder of a playground. */
export const DEFAULT_DATA_FOLDER = '.landfall';

/** A presentation that every new playground accepts. */
export function firstPresentation(): string[] {
  return 'present house-consignment --document HC001 --type N740'.split(' ');
}

/** The settings to repeat: those that a command was given, or the data folder of a playground. */
type Target = { data?: string; repeated?: readonly string[] };

/** The command line that runs `words` with the settings of this run. */
export function nextCommand(
  words: readonly string[],
  { data = DEFAULT_DATA_FOLDER, repeated }: Target = {},
): string {
  return [
    commandName(process.argv[1] ?? '', process.env),
    ...[...words, ...(repeated ?? (data === DEFAULT_DATA_FOLDER ? [] : ['--data', data]))].map(
      quote,
    ),
  ].join(' ');
}

/** How this command was called: by npm, which sets a variable, or by the path of the script. */
export function commandName(script: string, environment: NodeJS.ProcessEnv): string {
  const byNpm = environment.npm_lifecycle_event !== undefined;
  if (byNpm || dirname(script).endsWith(join('node_modules', '.bin'))) return 'npx landfall';
  const name = basename(script);
  return name.endsWith('.js') ? `node ${quote(relative('', script))}` : 'landfall';
}

function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
