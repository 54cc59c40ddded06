// `landfall snapshot restore`: returns a playground to a snapshot, or to its start.
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  readSnapshotName,
} from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';
import { callPlayground } from '../../service/playground-control.js';

type RestoreOptions = IdentityOptions & { start?: true; json?: true };

/** Adds the command. */
export function addSnapshotRestore(group: Command): void {
  const command = group
    .command('restore')
    .description('return a playground to a snapshot, or to its start')
    .argument('[name]', 'the name of the snapshot', readSnapshotName)
    .option('--start', 'the data, clock and scenarios of the start');
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(restore);
}

const examples = `
Requests in progress are cut off, and recorded requests are forgotten. Snapshots that were taken later are deleted.

Examples:
  $ landfall snapshot restore presented
  $ landfall snapshot restore --start`;

async function restore(name: string | undefined, options: RestoreOptions): Promise<void> {
  if ((name === undefined) === (options.start === undefined)) {
    throw new UsageError('give either the name of a snapshot or --start');
  }
  await callPlayground(options, {
    name: 'snapshot restore',
    result: 'nothing',
    method: 'POST',
    path: '/reset',
    ...(name !== undefined && { query: { snapshot: name } }),
  });
  if (options.json) return printJson({ restored: name ?? 'start' });
  print(name === undefined ? 'Returned to the start.' : `Returned to the snapshot ${name}.`);
}
