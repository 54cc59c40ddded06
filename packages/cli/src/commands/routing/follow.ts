// `landfall routing follow`: prints routing signals as they are issued.
import type { RequestOptions, RoutingSignal } from '@landfall/client';
import type { Command } from 'commander';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { print, printable, report } from '../../output/output.js';
import { openTable, reportCut } from '../../output/table.js';
import { abortOnStop } from '../../process/stop.js';
import { followPages } from '../../service/follow-pages.js';
import { openService } from '../../service/open-service.js';
import { after } from './list.js';
import { routingColumns } from './routing-table.js';

type FollowOptions = IdentityOptions & { marker?: string; limit?: number; json?: true };

/** Adds the command. */
export function addRoutingFollow(group: Command): void {
  const command = group
    .command('follow')
    .description('print routing signals as they are issued, until Ctrl-C or --limit');
  addServiceOptions(command, 'carrier')
    .option('--marker <id>', 'only signals after this one (id of the last signal read)')
    .option('--limit <number>', 'stop after this many signals', wholeNumber(1, 999_999_999));
  addJsonLinesOption(command).addHelpText('after', examples).action(follow);
}

const examples = `
Starts with the first signal, or after --marker. After a lost connection, it resumes after the last signal.

Examples:
  $ landfall routing follow
  $ landfall routing follow --as forwarder --json`;

async function follow(options: FollowOptions): Promise<void> {
  const { marker: start, limit = Number.POSITIVE_INFINITY, json } = options;
  const { client } = await openService(options);
  const table = openTable(routingColumns);
  const stopped = abortOnStop();
  report(`following the routing signals of ${options.as}; press Ctrl-C to stop`);
  if (!json) print(table.heading());

  const feed = {
    read: (marker: string | undefined, request: RequestOptions) =>
      client.readRoutingSignals(marker === undefined ? {} : { marker }, request),
    markerOf: ({ routingResult }: RoutingSignal) => routingResult.id,
  };
  const signals = followPages(feed, {
    marker: start,
    signal: stopped.signal,
    onLost: (reason) => report(`${printable(reason)}; reconnecting`),
  });
  let last: RoutingSignal | undefined;
  let seen = 0;
  for await (const signal of signals) {
    last = signal;
    print(json ? JSON.stringify(signal) : table.row(signal));
    seen += 1;
    if (seen >= limit) break;
  }
  stopped.abort();
  reportCut(table);
  if (last !== undefined) report(`later signals: ${after(last, options)}`);
}
