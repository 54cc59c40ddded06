// `landfall snapshot create`: takes a snapshot of a playground.
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  readSnapshotName,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { callPlayground } from '../../service/playground-control.js';

/** Adds the command. */
export function addSnapshotCreate(group: Command): void {
  const command = group
    .command('create')
    .description('take a snapshot of a playground: its data, clock and scenarios')
    .argument(
      '<name>',
      'letters, digits, ".", "_" and "-"; one of the same name is replaced',
      readSnapshotName,
    );
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(create);
}

const examples = `
Snapshots end with the playground. There may be 20.

Examples:
  $ landfall snapshot create presented
  $ landfall snapshot restore presented`;

async function create(name: string, options: IdentityOptions & { json?: true }): Promise<void> {
  const taken = await callPlayground(options, {
    name: 'snapshot create',
    result: 'snapshot',
    method: 'POST',
    path: '/snapshots',
    body: { name },
  });
  if (options.json) return printJson(taken);
  print(`Took the snapshot ${taken.name}.`);
  print(`To return to it: ${nextCommand(['snapshot', 'restore', taken.name], options)}`);
}
