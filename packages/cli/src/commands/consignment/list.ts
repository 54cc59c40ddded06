// `landfall consignment list`: finds house consignments by document, transport, organisation, state or time.
import {
  type HouseConsignment,
  HouseConsignmentState,
  transportDocumentTypeCodes,
} from '@landfall/contract';
import { type Command, Option } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { type Colours, print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { type ConsignmentFilters, findConsignments } from './find-consignments.js';

type ListOptions = IdentityOptions &
  FilterOptions & { limit: number; marker?: string; json?: true };

/** The filter options; each is a member of the query. */
type FilterOptions = {
  mrn?: string;
  document?: string;
  type?: string;
  master?: string;
  receptacle?: string;
  container?: string;
  organisation?: string;
  state?: string;
  office?: string;
  from?: string;
  to?: string;
};

/** Adds the command. */
export function addConsignmentList(group: Command): void {
  const command = group
    .command('list')
    .description('find house consignments: state, presenter, routing and last signal');
  addServiceOptions(command, 'authority');
  addFilterOptions(command)
    .option('--organisation <id>', 'declarant, representative or presenter')
    .addOption(new Option('--state <state>', 'current state').choices(HouseConsignmentState.enum))
    .option('--office <reference>', 'customs office of first entry')
    .option('--from <time>', 'pre-notified at or after this time, such as 2026-01-31T06:00:00Z')
    .option('--to <time>', 'pre-notified before this time')
    .addOption(
      new Option('--limit <number>', 'maximum number of results (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(100),
    )
    .option('--marker <id>', 'only results after this house consignment (its id)');
  addJsonOption(command).addHelpText('after', examples).action(list);
}

/** Adds the filters that identify a house consignment. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--mrn <mrn>', 'MRN of the entry summary declaration')
    .option('--document <number>', 'number of the house document')
    .addOption(
      new Option('--type <code>', 'type of the house document, such as N740').choices([
        ...transportDocumentTypeCodes,
      ]),
    )
    .option('--master <number>', 'number of the master document')
    .option('--receptacle <id>', 'receptacle identifier')
    .option('--container <id>', 'container identifier');
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
  if (json) return printJson(found);
  if (found.length === 0) return print('No matching house consignments.');
  printTable(consignmentColumns, found);
  print('');
  if (next !== undefined) print(`More results: ${nextPage(next, options)}`);
  const [first] = found;
  if (first !== undefined) {
    print(`History: ${nextCommand(['consignment', 'view', first.id], options)}`);
  }
}

/** Converts options to members of the query. */
export function toFilters(options: FilterOptions): ConsignmentFilters {
  const { document, master, receptacle, container, ...others } = options;
  const { mrn, type, organisation, state, office, from, to } = others;
  const filters = {
    mrn,
    documentNumber: document,
    type,
    masterDocumentNumber: master,
    receptacleId: receptacle,
    containerId: container,
    organisation,
    state,
    office,
    from,
    to,
  };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  // The cast is true of the choices of --type and --state; the service validates the other filters.
  return Object.fromEntries(given) as ConsignmentFilters;
}

const filterOptions = [
  'mrn',
  'document',
  'type',
  'master',
  'receptacle',
  'container',
  'organisation',
  'state',
  'office',
  'from',
  'to',
] as const satisfies readonly (keyof FilterOptions)[];

function nextPage(marker: string, options: ListOptions): string {
  const words = filterOptions.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const limit = options.limit === 100 ? [] : ['--limit', String(options.limit)];
  return nextCommand(['consignment', 'list', ...words, ...limit, '--marker', marker], options);
}

/** The columns of a table of house consignments. */
export const consignmentColumns: readonly Column<HouseConsignment>[] = [
  { heading: 'document', value: (house) => house.transportDocumentHouseLevel.documentNumber },
  { heading: 'type', value: (house) => house.transportDocumentHouseLevel.type },
  { heading: 'MRN', value: (house) => house.entrySummaryDeclarationMRN },
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
