// `landfall consignment list`: finds house consignments by document, transport, organisation, state or time.
import { mrnOf } from '@landfall/client';
import { type HouseConsignment, HouseConsignmentState } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { type Colours, print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import {
  addDecisionOptions,
  addFilterOptions,
  type FilterOptions,
  filterWords,
  limitOption,
  limitWords,
  toFilters,
} from './filter-options.js';
import { findConsignments } from './find-consignments.js';

type ListOptions = IdentityOptions &
  FilterOptions & { limit: number; marker?: string; json?: true };

/** Adds the command. */
export function addConsignmentList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'find house consignments: state, presenter, routing and last signal',
  );
  addServiceOptions(command, 'authority');
  addDecisionOptions(addFilterOptions(command))
    .option('--organisation <id>', 'declarant, representative or presenter')
    .addOption(new Option('--state <state>', 'current state').choices(HouseConsignmentState.enum))
    .option('--office <reference>', 'customs office of first entry')
    .option('--from <time>', 'pre-notified at or after this time, such as 2026-01-31T06:00:00Z')
    .option('--to <time>', 'pre-notified before this time')
    .addOption(limitOption())
    .option('--marker <id>', 'only results after this house consignment (its id)');
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
States: PRE_NOTIFIED (neither presented nor decided), DECIDED (not presented yet), PRESENTED (not decided yet),
SIGNALLED (presented and decided, signal issued). "added after presentation": its declaration, master consignment,
container or receptacle was presented before it was added; present it separately. --json prints one array with all
results.

Examples:
  $ landfall consignment list --document HC001
  $ landfall consignment list --container JARU0000010 --json
  $ landfall consignment list --state PRESENTED --office NO351001 --limit 1000`;

async function list(options: ListOptions): Promise<void> {
  const { limit, marker, json } = options;
  const { client } = await openService(options);
  const { found, next } = await findConsignments(client, toFilters(options), { limit, marker });
  const more = next === undefined ? undefined : nextPage(next, options);
  if (json) {
    printJson(found);
    return reportMore(more, options);
  }
  if (found.length === 0) return print('No matching house consignments.');
  printTable(consignmentColumns, found);
  reportMore(more, options);
  const [first] = found;
  if (first !== undefined) {
    print(
      `${more === undefined ? '\n' : ''}History: ${nextCommand(['consignment', 'view', first.id], options)}`,
    );
  }
}

function nextPage(marker: string, options: ListOptions): string {
  const words = ['consignment', 'list', ...filterWords(options), ...limitWords(options.limit)];
  return nextCommand([...words, '--marker', marker], options);
}

/** The columns of a table of house consignments. */
export const consignmentColumns: readonly Column<HouseConsignment>[] = [
  { heading: 'document', value: (house) => house.transportDocumentHouseLevel.documentNumber },
  { heading: 'type', value: (house) => house.transportDocumentHouseLevel.type },
  { heading: 'MRN', value: mrnOf },
  {
    heading: 'receptacle, containers',
    value: ({ receptacleId, containerId = [] }) =>
      [receptacleId, ...containerId].filter((id) => id !== undefined).join(' ') || '-',
  },
  {
    heading: 'state',
    value: ({ state, addedAfterPresentation: missed }) =>
      missed === undefined ? state : `${state} (added after presentation)`,
    colour: colourOf,
  },
  {
    heading: 'routing',
    value: ({ routing = '-', routingControlLocation: location }) =>
      location === undefined ? routing : `${routing} (${location})`,
  },
  {
    heading: 'presented',
    value: ({ presented }) =>
      presented === undefined ? '-' : `${readableTime(presented.at)} by ${presented.by}`,
  },
  {
    heading: 'last signal',
    value: ({ lastSignal }) => (lastSignal === undefined ? '-' : readableTime(lastSignal.at)),
  },
  { heading: 'id', value: ({ id }) => id },
];

function colourOf({ state }: HouseConsignment, colours: Colours): (text: string) => string {
  if (state === 'SIGNALLED') return colours.green;
  return state === 'PRESENTED' ? colours.yellow : String;
}
