// `landfall routing-run list`: lists routing runs.
import type { RoutingRun, RoutingRunState as State } from '@landfall/client';
import { RoutingRunState } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { addRoutingRunCommand, progressOf, type RoutingRunOptions } from './routing-run.js';

type ListOptions = RoutingRunOptions & { state?: State; newestFirst?: true };

/** Adds the command. */
export function addRoutingRunList(group: Command): void {
  onlyReads(addRoutingRunCommand(group, 'list', 'list all runs, the newest last'))
    .option('--newest-first', 'the newest first')
    .addOption(new Option('--state <state>', 'only those in a state').choices(RoutingRunState.enum))
    .addHelpText('after', examples)
    .action(list);
}

const examples = `
Examples:
  $ landfall routing-run list
  $ landfall routing-run list --state PAUSED --json
  $ landfall routing-run list --newest-first`;

const columns: Column<RoutingRun>[] = [
  { heading: 'id', value: ({ id }) => id },
  { heading: 'state', value: ({ state }) => state },
  { heading: 'created', value: ({ createdAt }) => readableTime(createdAt) },
  { heading: 'consignments', value: ({ houseConsignments }) => String(houseConsignments) },
  { heading: 'progress', value: progressOf },
  { heading: 'decides', value: ({ routing }) => routing ?? 'reversal' },
  { heading: 'reason', value: ({ reason }) => reason },
];

async function list(options: ListOptions): Promise<void> {
  const { client } = await openService(options);
  const { state, newestFirst } = options;
  const { found: runs } = await readPages((query) =>
    client.listRoutingRuns({
      ...query,
      ...(state && { state }),
      ...(newestFirst && { newestFirst }),
    }),
  );
  if (options.json) return printJson(runs);
  if (runs.length === 0) {
    return print(
      `No routing runs. Try: ${nextCommand(['routing-run', 'create', '--help'], options)}`,
    );
  }
  printTable(columns, runs);
}
