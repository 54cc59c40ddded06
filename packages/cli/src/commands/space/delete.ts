// `landfall space delete`: deletes a space of a hosted playground, as its operator.
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { callPlayground } from '../../service/playground-control.js';

/** Adds the command. */
export function addSpaceDelete(group: Command): void {
  const command = group
    .command('delete')
    .description('delete a space of a hosted playground, with its goods and keys')
    .argument('<name>', 'the name of the space');
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(deleteSpace);
}

const examples = `
It needs the control secret of the playground. Nothing restores the space.

Examples:
  $ landfall space delete space-1a2b3c4d5e6f --url https://customs-test.example`;

async function deleteSpace(
  name: string,
  options: IdentityOptions & { json?: true },
): Promise<void> {
  await callPlayground(options, {
    name: 'space delete',
    result: 'nothing',
    method: 'DELETE',
    path: '/spaces/{name}',
    parameters: { name },
  });
  if (options.json) return printJson({ deleted: name });
  print(`Deleted ${name}.`);
}
