// `landfall push delete`: ends a subscription.
import type { Command } from 'commander';
import { print, printable, printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import { addOnePushCommand, type PushOptions } from './push.js';

/** Adds the command. */
export function addPushDelete(group: Command): void {
  addOnePushCommand(group, 'delete', 'end a subscription, with its secrets and attempts')
    .addHelpText('after', examples)
    .action(deleteSubscription);
}

const examples = `
Examples:
  $ landfall push delete 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11`;

async function deleteSubscription(id: string, options: PushOptions): Promise<void> {
  const { client } = await openService(options);
  await client.deleteSubscription(id);
  if (options.json) return printJson({ deleted: id });
  print(printable(`Deleted ${id}.`));
}
