// `landfall authority transport list`: lists the transports that are expected and have arrived.
import type { ExpectedTransport, ListTransportsQuery } from '@landfall/client';
import { keysOf, modes, movementStates } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../../input/options.js';
import { reportMore } from '../../../output/more-results.js';
import { nextCommand } from '../../../output/next-command.js';
import { print, printJson, readableTime } from '../../../output/output.js';
import { type Column, printTable } from '../../../output/table.js';
import { openService } from '../../../service/open-service.js';
import { readPages } from '../../../service/read-pages.js';

/** The filters, each with the member of the query that it becomes. */
const filters = {
  mode: 'mode',
  means: 'identificationNumber',
  office: 'office',
  state: 'state',
  from: 'from',
  to: 'to',
} as const;

type ListOptions = IdentityOptions & {
  expected?: true;
  arrived?: true;
  limit: number;
  marker?: string;
  json?: true;
} & { [Name in keyof typeof filters]?: string };

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addAuthorityTransportList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list the transports that are expected, have arrived or have ended, by their estimated arrival',
  );
  addServiceOptions(command, 'authority')
    .addOption(new Option('--mode <mode>', 'only this mode of transport').choices(keysOf(modes)))
    .option('--means <id>', 'only this means of transport as it was lodged, such as a plate')
    .option('--office <code>', 'only this customs office: of arrival, until then of first entry')
    .addOption(
      new Option('--expected', 'only current transports that have not arrived').conflicts([
        'arrived',
        'state',
      ]),
    )
    .option('--arrived', 'only transports that have arrived')
    .addOption(
      new Option('--state <state>', 'only transports in this state').choices(
        keysOf(movementStates),
      ),
    )
    .option('--from <time>', 'only what is estimated to arrive at this time or later')
    .option('--to <time>', 'only what is estimated to arrive before this time')
    .addOption(
      new Option('--limit <number>', 'maximum number of transports (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <marker>', 'only transports after this marker, as the page before gave it');
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Without --from, the list begins with the first transport that is kept.

Examples:
  $ landfall authority transport list --expected --office NO371001
  $ landfall authority transport list --means AB12345
  $ landfall authority transport list --mode air --arrived --from 2026-05-04T00:00:00Z --to 2026-05-05T00:00:00Z`;

const columns: readonly Column<ExpectedTransport>[] = [
  { heading: 'MRN', value: ({ mrn }) => mrn },
  { heading: 'state', value: ({ state }) => state },
  { heading: 'mode', value: ({ mode }) => mode },
  {
    heading: 'means',
    value: ({ identificationNumber, conveyanceReferenceNumber }) =>
      [identificationNumber, conveyanceReferenceNumber].flatMap((name) => name ?? []).join(' '),
  },
  {
    heading: 'estimated',
    value: ({ estimatedDateAndTimeOfArrival }) => readableTime(estimatedDateAndTimeOfArrival),
  },
  {
    heading: 'arrived',
    value: ({ arrivedAt }) => (arrivedAt === undefined ? '-' : readableTime(arrivedAt)),
  },
  {
    heading: 'office',
    value: ({ customsOfficeOfArrival, customsOfficeOfFirstEntry }) =>
      customsOfficeOfArrival ?? customsOfficeOfFirstEntry,
  },
  {
    heading: 'carrier',
    value: ({ carrier, carrierIdentificationNumber }) => carrier ?? carrierIdentificationNumber,
  },
];

async function list(options: ListOptions): Promise<void> {
  const { limit, marker } = options;
  const { client } = await openService(options);
  const given = keysOf(filters).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // Safe cast: the choices of the options are those of the query; the service checks the others.
  const query = {
    ...Object.fromEntries(given.map(([name, value]) => [filters[name], value])),
    ...(options.expected && { state: 'CURRENT', arrived: false }),
    ...(options.arrived && { arrived: true }),
  } as ListTransportsQuery;
  const { found, next } = await readPages(
    async (page) => client.listTransports({ ...query, ...page }),
    { limit, marker },
  );
  if (options.json) printJson(found);
  else if (found.length > 0) printTable(columns, found);
  else print(marker === undefined ? 'No transports match.' : 'No transports after this marker.');
  if (next === undefined) return;
  const words = [
    ...given.flatMap(([name, value]) => [`--${name}`, value]),
    ...(options.expected ? ['--expected'] : []),
    ...(options.arrived ? ['--arrived'] : []),
    ...(limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)]),
  ];
  const command = ['authority', 'transport', 'list', ...words, '--marker', next];
  reportMore(nextCommand(command, options), { ...options, what: 'More transports' });
}
