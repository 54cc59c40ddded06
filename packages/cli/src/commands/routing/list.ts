// `landfall routing list`: reads routing signals once, or waits for them.
import type { RoutingSignal } from '@landfall/client';
import { type Command, Option } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { firstPresentation, nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { routingColumns } from './routing-table.js';

type ListOptions = IdentityOptions & {
  marker?: string;
  limit?: number;
  wait?: number;
  json?: true;
};

/** Adds the command. */
export function addRoutingList(group: Command): void {
  const command = group.command('list').description('list routing signals, oldest first');
  addServiceOptions(command, 'carrier')
    .option('--marker <id>', 'only signals after this one (id of the last signal read)')
    .option('--limit <number>', 'maximum number of signals (1 to 1000)', wholeNumber(1, 1000))
    .addOption(
      new Option(
        '--wait <seconds>',
        'if there are no new signals, wait up to this long (1 to 60)',
      ).argParser(wholeNumber(1, 60)),
    );
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Examples:
  $ landfall routing list
  $ landfall routing list --as forwarder --wait 20 --json`;

async function list(options: ListOptions): Promise<void> {
  const { marker, limit, wait } = options;
  const { client } = await openService(options);
  const query = { ...(marker && { marker }), ...(limit && { limit }) };
  const { entries, next } = await client.readRoutingSignals(query, { waitSeconds: wait });
  if (options.json) return printJson(entries);
  const last = entries.at(-1);
  if (last === undefined) return print(emptyText(options));
  printTable(routingColumns, entries);
  print('');
  print(`${next === undefined ? 'Later signals' : 'More signals'}: ${after(last, options)}`);
}

/** The command that reads the signals after this one. */
export function after({ routingResult }: RoutingSignal, options: IdentityOptions): string {
  return nextCommand(['routing', 'list', '--marker', routingResult.id], options);
}

function emptyText(options: ListOptions): string {
  const { as: name, marker } = options;
  if (marker === undefined) {
    return `No routing signals for ${name} yet. Present pre-notified goods first: ${nextCommand(firstPresentation(), options)}`;
  }
  const words = ['routing', 'follow', '--marker', marker];
  return `No new signals after this marker. To wait for them: ${nextCommand(words, options)}`;
}
