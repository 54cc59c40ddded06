// `landfall routing list`: reads routing signals once, or waits for them.
import type { RoutingSignal } from '@landfall/client';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { firstPresentation, nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { routingColumns } from './routing-table.js';

type ListOptions = IdentityOptions & {
  marker?: string;
  limit: number;
  wait?: number;
  json?: true;
};

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addRoutingList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list routing signals, oldest first',
  );
  addServiceOptions(command, 'carrier')
    .option('--marker <id>', 'only signals after this one (id of the last signal read)')
    .addOption(
      new Option('--limit <number>', 'maximum number of signals (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
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
  let waitSeconds = wait;
  const { found, next } = await readPages(
    (query) => {
      const page = client.readRoutingSignals(query, { waitSeconds });
      // What follows the first signals is there already.
      waitSeconds = undefined;
      return page;
    },
    { limit, marker },
  );
  if (options.json) printJson(found);
  const last = found.at(-1);
  if (last === undefined) {
    if (!options.json) print(emptyText(options));
    return;
  }
  if (!options.json) printTable(routingColumns, found);
  if (next !== undefined) {
    const limited = limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)];
    reportMore(after(last, options, limited), { ...options, what: 'More signals' });
  } else if (!options.json) print(`\nLater signals: ${after(last, options)}`);
}

/** The command that reads the signals after this one. */
export function after(
  { routingResult }: RoutingSignal,
  options: IdentityOptions,
  words: readonly string[] = [],
): string {
  return nextCommand(['routing', 'list', ...words, '--marker', routingResult.id], options);
}

function emptyText(options: ListOptions): string {
  const { as: name, marker } = options;
  if (marker === undefined) {
    return `No routing signals for ${name} yet. Present pre-notified goods first: ${nextCommand(firstPresentation(), options)}`;
  }
  const words = ['routing', 'follow', '--marker', marker];
  return `No new signals after this marker. To wait for them: ${nextCommand(words, options)}`;
}
