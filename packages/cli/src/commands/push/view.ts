// `landfall push view`: shows a subscription and how far it is.
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { openService } from '../../service/open-service.js';
import { addOnePushCommand, type PushOptions, showSubscription } from './push.js';

/** Adds the command. */
export function addPushView(group: Command): void {
  onlyReads(addOnePushCommand(group, 'view', 'show a subscription, its state and how far it is'))
    .addHelpText('after', examples)
    .action(view);
}

const examples = `
Examples:
  $ landfall push view 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11`;

async function view(id: string, options: PushOptions): Promise<void> {
  const { client } = await openService(options);
  showSubscription(await client.getSubscription(id), options);
}
