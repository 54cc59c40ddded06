// `landfall profile list`: lists the profiles.
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { type Profile, readConfig } from '../../settings/config.js';

/** Adds the command. */
export function addProfileList(group: Command): void {
  addJsonOption(onlyReads(group.command('list')).description('list the profiles'))
    .addHelpText('after', examples)
    .action(list);
}

const examples = `
Examples:
  $ landfall profile list`;

type NamedProfile = Profile & { name: string; current: boolean };

const columns: readonly Column<NamedProfile>[] = [
  { heading: 'name', value: ({ name }) => name, colour: (_, colours) => colours.cyan },
  { heading: 'used', value: ({ current }) => (current ? 'yes' : '-') },
  { heading: 'address', value: ({ url }) => url ?? '-' },
  { heading: 'office', value: ({ office }) => office ?? '-' },
  {
    heading: 'credentials',
    value: ({ credentials, as, data }) =>
      credentials ?? ([as, data].filter((text) => text !== undefined).join(' in ') || '-'),
  },
];

/** Prints the profiles; `--json` of the other verbs prints them as they are after the change. */
export async function list({ json }: { json?: true }): Promise<void> {
  const { current, profiles } = await readConfig();
  const named = Object.entries(profiles).map(([name, profile]) => ({
    name,
    current: name === current,
    ...profile,
  }));
  if (json) printJson(named);
  else if (named.length === 0) print('No profiles yet. To add one: landfall profile add --help');
  else printTable(columns, named);
}
