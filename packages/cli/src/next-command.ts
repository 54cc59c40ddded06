// The command to run next, written so that it can be copied and run where this one was run.
import { basename, dirname, join, relative } from 'node:path';

/** Where a playground keeps its data unless told otherwise. */
export const DEFAULT_DATA_FOLDER = '.landfall';

/** A presentation that every new playground accepts: what to try first. */
export function firstPresentation(name = 'carrier'): string[] {
  return `present house-consignment --as ${name} --document HC001 --type N740`.split(' ');
}

/** What decides which playground a command speaks to. */
type Target = { data?: string; url?: string };

/** The command line that runs `words`, with the data folder and address of this run. */
export function nextCommand(
  words: readonly string[],
  { data = DEFAULT_DATA_FOLDER, url }: Target = {},
): string {
  return [
    commandName(process.argv[1] ?? '', process.env),
    ...[
      ...words,
      ...(data === DEFAULT_DATA_FOLDER ? [] : ['--data', data]),
      ...(url === undefined ? [] : ['--url', url]),
    ].map(quote),
  ].join(' ');
}

/** How this command was called: npm says so in the environment, else the path of the script does. */
export function commandName(script: string, environment: NodeJS.ProcessEnv): string {
  const byNpm = environment.npm_lifecycle_event !== undefined;
  if (byNpm || dirname(script).endsWith(join('node_modules', '.bin'))) return 'npx landfall';
  const name = basename(script);
  return name.endsWith('.js') ? `node ${quote(relative('', script))}` : 'landfall';
}

function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
