// `landfall push rotate`: replaces the secret of a subscription.
import { OLD_SECRET_HOURS } from '@landfall/contract';
import type { Command } from 'commander';
import { openService } from '../../service/open-service.js';
import { addOnePushCommand, type PushOptions, showSubscription } from './push.js';

/** Adds the command. */
export function addPushRotate(group: Command): void {
  addOnePushCommand(group, 'rotate', 'replace the secret or key of a subscription')
    .addHelpText('after', examples)
    .action(rotate);
}

const examples = `
Deliveries are signed with the one before as well for ${OLD_SECRET_HOURS} hours: give the receiver both until then.

Examples:
  $ landfall push rotate 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11`;

async function rotate(id: string, options: PushOptions): Promise<void> {
  const { client } = await openService(options);
  showSubscription(await client.rotateSubscriptionSecret(id), options);
}
