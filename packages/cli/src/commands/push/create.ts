// `landfall push create`: subscribes a receiver to a feed.
import type { SubscribedFeed, SubscriptionSignature } from '@landfall/client';
import { keysOf, subscriptionSignatures } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { utcTime } from '../../input/options.js';
import { openService } from '../../service/open-service.js';
import { addPushCommand, feedArgument, type PushOptions, showSubscription } from './push.js';

type CreateOptions = PushOptions & {
  marker?: string;
  since?: Date;
  signature?: SubscriptionSignature;
};

/** Adds the command. */
export function addPushCreate(group: Command): void {
  addPushCommand(group, 'create', 'send a feed to a receiver')
    .addArgument(feedArgument())
    .argument('<receiver>', 'address of the receiver, such as https://receiver.example/hooks')
    .option('--marker <id>', 'begin after this entry; default: with what is new from now on')
    .addOption(
      new Option(
        '--since <time>',
        'begin with the first entry at or after this time in UTC, such as 2026-01-31T06:00:00Z',
      )
        .argParser(utcTime)
        .conflicts('marker'),
    )
    .addOption(
      new Option('--signature <version>', 'v1: with a secret; v1a: with a public key').choices(
        keysOf(subscriptionSignatures),
      ),
    )
    .addHelpText('after', examples)
    .action(create);
}

const examples = `
Entries are sent once the receiver has repeated a challenge, which it gets within a second. The secret is shown this once.
To try a receiver that the service cannot reach: landfall push listen

Examples:
  $ landfall push create routing https://receiver.example/hooks
  $ landfall push create goods-items https://receiver.example/hooks --as statistics --signature v1a`;

async function create(feed: SubscribedFeed, url: string, options: CreateOptions): Promise<void> {
  const { marker, since, signature } = options;
  const { client } = await openService(options);
  const created = await client.createSubscription({
    feed,
    url,
    ...(marker !== undefined && { marker }),
    ...(since !== undefined && { since: since.toISOString() }),
    ...(signature !== undefined && { signature }),
  });
  showSubscription(created, options);
}
