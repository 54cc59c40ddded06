// `landfall space list`: the spaces of a hosted playground, for its operator.
import type { ControlResult } from '@landfall/contract';
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { coloursFor, print, printJson } from '../../output/output.js';
import { Table } from '../../output/table.js';
import { terminalWidth } from '../../output/wrap.js';
import { callPlayground } from '../../service/playground-control.js';

type Space = ControlResult<'spaces'>['spaces'][number];

/** Adds the command. */
export function addSpaceList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list the spaces of a hosted playground, for its operator',
  );
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
It needs the control secret of the playground. It shows who has a space and how it is used, not what is in it.

Examples:
  $ landfall space list --url https://customs-test.example
  $ landfall space list --json`;

async function list(options: IdentityOptions & { json?: true }): Promise<void> {
  const { spaces } = await callPlayground(options, {
    name: 'space list',
    result: 'spaces',
    method: 'GET',
    path: '/spaces',
  });
  if (options.json) return printJson(spaces);
  if (spaces.length === 0) return print('No spaces.');
  const table = new Table<Space>(
    [
      { heading: 'space', value: ({ name }) => name },
      { heading: 'organisation', value: ({ organisation }) => organisation },
      { heading: 'address', value: ({ address }) => address },
      { heading: 'made', value: ({ createdAt }) => createdAt },
      { heading: 'used', value: ({ usedAt }) => usedAt },
      { heading: 'MB', value: ({ bytes }) => String(Math.ceil(bytes / 1_048_576)) },
    ],
    { rows: spaces, colours: coloursFor(), maxWidth: terminalWidth() },
  );
  print(table.heading());
  for (const space of spaces) print(table.row(space));
}
