// `landfall push update`: changes the receiver of a subscription, or pauses and resumes it.
import type { SubscriptionChange } from '@landfall/client';
import { type Command, Option } from 'commander';
import { UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { addOnePushCommand, type PushOptions, showSubscription } from './push.js';

type UpdateOptions = PushOptions & {
  receiver?: string;
  state?: NonNullable<SubscriptionChange['state']>;
};

/** Adds the command. */
export function addPushUpdate(group: Command): void {
  addOnePushCommand(group, 'update', 'change the receiver of a subscription, pause or resume it')
    .option('--receiver <address>', 'another address: it is verified before it gets an entry')
    .addOption(
      new Option(
        '--state <state>',
        'PAUSED: nothing is sent; ACTIVE: it continues after the last confirmed entry, also after it was suspended',
      ).choices(['ACTIVE', 'PAUSED']),
    )
    .addHelpText('after', examples)
    .action(update);
}

const examples = `
Examples:
  $ landfall push update 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11 --state PAUSED
  $ landfall push update 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11 --receiver https://receiver.example/new`;

async function update(id: string, options: UpdateOptions): Promise<void> {
  const { receiver: url, state } = options;
  if (url === undefined && state === undefined) throw new UsageError('give --receiver or --state');
  const { client } = await openService(options);
  const change = { ...(url !== undefined && { url }), ...(state !== undefined && { state }) };
  showSubscription(await client.changeSubscription(id, change), options);
}
