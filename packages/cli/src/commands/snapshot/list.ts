// `landfall snapshot list`: the snapshots of a playground.
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { callPlayground } from '../../service/playground-control.js';

/** Adds the command. */
export function addSnapshotList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list the snapshots of a playground',
  );
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Examples:
  $ landfall snapshot list
  $ landfall snapshot list --json`;

async function list(options: IdentityOptions & { json?: true }): Promise<void> {
  const { snapshots } = await callPlayground(options, {
    name: 'snapshot list',
    result: 'snapshots',
    method: 'GET',
    path: '/snapshots',
  });
  if (options.json) return printJson(snapshots);
  if (snapshots.length === 0) return print('No snapshots.');
  for (const { name, takenAt } of snapshots) print(`${name}  ${takenAt}`);
}
