// `landfall push listen`: follows a feed and delivers it to a receiver that the service cannot reach.
import { createHash } from 'node:crypto';
import type { SubscribedFeed } from '@landfall/client';
import { subscribableFeeds } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { addFollowingOptions, type FollowingOptions } from '../../input/follow-options.js';
import { onlyReads } from '../../input/only-reads.js';
import { addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { beginWithin, withinOption } from '../../input/within.js';
import { nextCommand } from '../../output/next-command.js';
import { declareWork, print, printable, printText, report } from '../../output/output.js';
import { openTable, reportCut } from '../../output/table.js';
import { UsageError } from '../../process/exit.js';
import { followFeed } from '../../service/follow-feed.js';
import { openService } from '../../service/open-service.js';
import { followPortions } from './follow-portions.js';
import { LocalDeliveries } from './local-deliveries.js';
import { attemptColumns, DEFAULT_IDENTITY, feedNames } from './push.js';

type ListenOptions = IdentityOptions &
  FollowingOptions & { forwardTo: string; feed: SubscribedFeed; secret?: string; within?: number };

/** Adds the command. */
export function addPushListen(group: Command): void {
  const command = onlyReads(group.command('listen'))
    .description('deliver a feed to a receiver on this machine, without a subscription')
    .requiredOption('--forward-to <address>', 'address of the receiver')
    .addOption(
      new Option('--feed <feed>', 'the feed that is sent').choices(feedNames).default('routing'),
    )
    .addOption(
      new Option(
        '--secret <secret>',
        'whsec_ and 24 to 64 bytes in base64 to sign with; default: a new one, which is shown',
      ).env('LANDFALL_PUSH_SECRET'),
    );
  addServiceOptions(command, DEFAULT_IDENTITY);
  addFollowingOptions(command, {
    entries: 'entries',
    counted: 'deliveries',
    marker: 'id of an entry',
    words: [['start', 'with the first entry']],
  })
    .addOption(withinOption('end after this time, with exit code 5'))
    .addHelpText('after', examples)
    .action(listen);
}

const examples = `
It follows the feed with the token of the identity and delivers as the service does: first a challenge, then up to 100
entries at once, signed (v1), in order, and each delivery again until the receiver answers 2xx; after 1 s to 30 s, where
the service waits longer. With --store, the next run continues after the last delivery that was confirmed.

Examples:
  $ landfall push listen --forward-to http://localhost:3000/hooks
  $ landfall push listen --forward-to http://localhost:3000/hooks --feed goods-items --as statistics
  $ landfall push listen --forward-to http://localhost:3000/hooks --store hooks.position --json`;

async function listen(options: ListenOptions): Promise<void> {
  const { forwardTo: url, feed, marker, json } = options;
  const service = await import('@landfall/service/deliveries');
  const problem = service.findReceiverError(url, 'any');
  if (problem !== undefined || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`--forward-to ${problem ?? 'must begin with http:// or https://'}`);
  }
  const key =
    options.secret === undefined ? service.makeKey() : service.readSecretKey(options.secret);
  if (key === undefined) {
    throw new UsageError('--secret must be whsec_ and 24 to 64 bytes in base64');
  }
  declareWork();
  const { client, clientId } = await openService(options);
  const table = openTable(attemptColumns);
  const deliveries = new LocalDeliveries(service, {
    url,
    key,
    subscription: toId(`${client.baseUrl} ${clientId} ${feed} ${url}`),
    type: subscribableFeeds[feed].type,
    onAttempt: (attempt) => printText(`${json ? JSON.stringify(attempt) : table.row(attempt)}\n`),
  });
  if (options.secret === undefined) report(`secret: ${service.toSecret(key)}`);
  let last: string | undefined;
  try {
    await followFeed((settings) => followPortions(client, feed, settings), {
      ...options,
      what: `${feed} as ${options.as}, for ${printable(url)}`,
      noun: 'delivery',
      withinMs: beginWithin(options.within, json),
      findStart: async () => (marker === 'start' ? undefined : marker),
      startAgain: next(options, 'start'),
      begin: async (signal) => {
        if (!json) print(table.heading());
        await deliveries.verify(signal);
      },
      check: () => undefined,
      handle: async (portion, signal) => {
        await deliveries.deliver(portion, signal);
        last = portion.marker;
      },
    });
  } finally {
    deliveries.close();
  }
  reportCut(table);
  if (last !== undefined && options.store === undefined) {
    report(`later entries: ${next(options, last)}`);
  }
}

function next({ forwardTo, feed, ...options }: ListenOptions, marker: string): string {
  const words = ['--forward-to', forwardTo, '--feed', feed, '--marker', marker];
  return nextCommand(['push', 'listen', ...words], options);
}

/** An id that is the same in each run, so that the same entries have the same `webhook-id` (UUID version 8, RFC 9562). */
function toId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
