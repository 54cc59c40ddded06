// `landfall routing-run results`: what has become of each house consignment of a run.
import { mrnOf, type RoutingRunResult, type RoutingRunStatus as Status } from '@landfall/client';
import { RoutingRunStatus } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
} from '../../input/options.js';
import { print, printText } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';

type ResultsOptions = IdentityOptions & { status?: Status; json?: true };

/** Adds the command. */
export function addRoutingRunResults(group: Command): void {
  const command = onlyReads(group.command('results'))
    .description('list what has become of each house consignment of a run')
    .argument('<id>', 'id of the run')
    .addOption(
      new Option('--status <status>', 'only those with a status').choices(RoutingRunStatus.enum),
    );
  addJsonLinesOption(addServiceOptions(command, 'authority'))
    .addHelpText('after', examples)
    .action(results);
}

const examples = `
Statuses: PENDING (nothing done yet), DECIDED, UNCHANGED (it had the routing already), CONFLICT (somebody has decided
since the run was created, or an officer's decision stands above it), REFUSED (the code says why).

Examples:
  $ landfall routing-run results 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11
  $ landfall routing-run results 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11 --status CONFLICT --json`;

const columns: Column<RoutingRunResult>[] = [
  { heading: 'MRN', value: (result) => mrnOf(result) || '-' },
  {
    heading: 'document',
    value: (result) => result.transportDocumentHouseLevel?.documentNumber ?? '-',
  },
  { heading: 'type', value: (result) => result.transportDocumentHouseLevel?.type ?? '-' },
  {
    heading: 'status',
    value: ({ status, code }) => (code === undefined ? status : `${status} ${code}`),
  },
  { heading: 'before', value: ({ before }) => routingOf(before) },
  { heading: 'after', value: ({ after }) => routingOf(after) },
  { heading: 'current', value: ({ current }) => routingOf(current) },
];

function routingOf(decision: RoutingRunResult['before']): string {
  if (decision === undefined) return '-';
  const { routing, routingControlLocation: location } = decision;
  return location === undefined ? routing : `${routing} (${location})`;
}

async function results(id: string, options: ResultsOptions): Promise<void> {
  const { client } = await openService(options);
  const { status, json } = options;
  const found: RoutingRunResult[] = [];
  const list = client.listRoutingRunResults(id, status && { status });
  for await (const { entries } of list.pages()) {
    if (json) await printText(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    else found.push(...entries);
  }
  if (json) return;
  if (found.length === 0) return print('No such results.');
  printTable(columns, found);
}
