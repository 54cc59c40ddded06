// `landfall routing-run create`: decides on many house consignments.
import type { NewRoutingRun } from '@landfall/client';
import { DecidedRouting, HouseConsignmentState } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { readFileOrInput } from '../../input/read-file.js';
import { UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import {
  addDecisionOptions,
  addFilterOptions,
  type FilterOptions,
  toFilters,
} from '../consignment/filter-options.js';
import {
  addNewRunOptions,
  addRoutingRunCommand,
  type NewRunOptions,
  showStarted,
} from './routing-run.js';

type CreateOptions = NewRunOptions &
  FilterOptions & { ids?: string; routing: string; location?: string };

/** Adds the command. */
export function addRoutingRunCreate(group: Command): void {
  const command = addRoutingRunCommand(
    group,
    'create',
    'decide on all house consignments that match filters, in the background',
  );
  addDecisionOptions(addFilterOptions(command))
    .option('--organisation <id>', 'declarant, representative or presenter')
    .addOption(
      new Option('--state <state>', 'current state').choices(
        HouseConsignmentState.enum.filter((state) => state !== 'WITHDRAWN'),
      ),
    )
    .option('--office <reference>', 'customs office of first entry')
    .option('--from <time>', 'pre-notified at or after this time, such as 2026-01-31T06:00:00Z')
    .option('--to <time>', 'pre-notified before this time')
    .option('--ids <file>', 'instead of filters: a file with one id per line; - reads stdin')
    .addOption(
      new Option('--routing <routing>', 'the decision')
        .choices(DecidedRouting.enum)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--location <location>', 'where the control takes place, with TO_CONTROL').choices(
        ['ON_ENTRY', 'AFTER_ENTRY'],
      ),
    );
  addNewRunOptions(command).addHelpText('after', examples).action(create);
}

const examples = `
The list is fixed when the run is created. What somebody has decided since then stays, and is a CONFLICT in the results;
so is the decision of an officer, if a system creates the run. A run goes on after a restart of the servers. What a
routing profile has decided is taken back with --routing-profile and --routing UNDECIDED.

Examples:
  $ landfall routing-run create --office NO351001 --state PRESENTED --routing TO_ENTRY --reason "engine away" --preview
  $ landfall routing-run create --office NO351001 --state PRESENTED --routing TO_ENTRY --reason "engine away" \\
      --expected-count 42 --wait
  $ landfall routing-run create --ids ids.txt --routing TO_CONTROL --location ON_ENTRY --reason "tip 17"`;

async function create(options: CreateOptions): Promise<void> {
  const { client } = await openService(options);
  const { routing, location, reason, expectedCount, preview } = options;
  // The cast is true of the choices of --routing, --location, --type and --state; the service validates the rest.
  const run = {
    select: await readSelection(options),
    routing,
    routingControlLocation: location,
    reason,
    expectedCount,
    preview,
  } as NewRoutingRun;
  await showStarted(client, await client.createRoutingRun(run), options);
}

async function readSelection({ ids, ...options }: CreateOptions): Promise<object> {
  const filters = toFilters(options);
  if (ids === undefined) return filters;
  if (Object.keys(filters).length > 0) {
    throw new UsageError('routing-run create takes either --ids or filters, not both');
  }
  const lines = (await readFileOrInput(ids)).split('\n').map((line) => line.trim());
  return { houseConsignmentIds: lines.filter((line) => line !== '') };
}
