// `landfall snapshot delete`: deletes a snapshot of a playground.
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  readSnapshotName,
} from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { callPlayground } from '../../service/playground-control.js';

/** Adds the command. */
export function addSnapshotDelete(group: Command): void {
  const command = group
    .command('delete')
    .description('delete a snapshot of a playground')
    .argument('<name>', 'the name of the snapshot', readSnapshotName);
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(deleteSnapshot);
}

const examples = `
Examples:
  $ landfall snapshot delete presented`;

async function deleteSnapshot(
  name: string,
  options: IdentityOptions & { json?: true },
): Promise<void> {
  await callPlayground(options, {
    name: 'snapshot delete',
    result: 'nothing',
    method: 'DELETE',
    path: '/snapshots/{name}',
    parameters: { name },
  });
  if (options.json) return printJson({ deleted: name });
  print(`Deleted ${name}.`);
}
