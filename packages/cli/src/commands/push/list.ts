// `landfall push list`: lists subscriptions.
import type { Subscription } from '@landfall/client';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { addPushCommand, type PushOptions } from './push.js';

/** Adds the command. */
export function addPushList(group: Command): void {
  onlyReads(addPushCommand(group, 'list', 'list the subscriptions of this organisation'))
    .addHelpText('after', examples)
    .action(list);
}

const examples = `
Examples:
  $ landfall push list
  $ landfall push list --json`;

const columns: readonly Column<Subscription>[] = [
  { heading: 'id', value: ({ id }) => id },
  { heading: 'state', value: ({ state, reason }) => [state, reason].filter(Boolean).join(' ') },
  { heading: 'feed', value: ({ feed }) => feed },
  { heading: 'pending', value: ({ pending }) => String(pending) },
  {
    heading: 'confirmed',
    value: ({ confirmedAt }) => (confirmedAt === undefined ? '-' : readableTime(confirmedAt)),
  },
  { heading: 'receiver', value: ({ url }) => url },
];

async function list(options: PushOptions): Promise<void> {
  const { client } = await openService(options);
  const found = await client.listSubscriptions();
  if (options.json) return printJson(found);
  if (found.length > 0) return printTable(columns, found);
  print(`No subscriptions. Try: ${nextCommand(['push', 'create', '--help'], options)}`);
}
