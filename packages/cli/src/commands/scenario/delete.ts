// `landfall scenario delete`: deletes a scenario of a playground, or all.
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';
import { callPlayground } from '../../service/playground-control.js';

type DeleteOptions = IdentityOptions & { all?: true; json?: true };

/** Adds the command. */
export function addScenarioDelete(group: Command): void {
  const command = group
    .command('delete')
    .description('delete a scenario of a playground, or all')
    .argument('[id]', 'the id of the scenario')
    .option('--all', 'all scenarios');
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(deleteScenario);
}

const examples = `
Decisions that a scenario has already delayed still come; a reset of the playground cancels them.

Examples:
  $ landfall scenario delete 01a204b2-dade-759c-92ee-d5d2c544cdc6
  $ landfall scenario delete --all`;

async function deleteScenario(id: string | undefined, options: DeleteOptions): Promise<void> {
  if ((id === undefined) === (options.all === undefined)) {
    throw new UsageError('give either the id of a scenario or --all');
  }
  await callPlayground(options, {
    name: 'scenario delete',
    result: 'nothing',
    method: 'DELETE',
    path: id === undefined ? '/scenarios' : '/scenarios/{id}',
    ...(id !== undefined && { parameters: { id } }),
  });
  if (options.json) return printJson({ deleted: id ?? 'all' });
  print(id === undefined ? 'Deleted all scenarios.' : `Deleted ${id}.`);
}
