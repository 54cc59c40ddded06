// `landfall movement list`: lists the movement messages of an organisation.
import type { MovementSummary } from '@landfall/client';
import { keysOf, type ModeName, type MovementLevel, movementStates } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { levelArgument, modeOption } from './mode-option.js';
import { keyOfMovement } from './show-movement.js';

/** The filters, each with the member of the query that it becomes. */
const filters = {
  document: 'documentNumber',
  type: 'type',
  carrier: 'carrierId',
  means: 'identificationNumber',
  state: 'state',
} as const;

type ListOptions = IdentityOptions & {
  mode: ModeName;
  state?: MovementSummary['state'];
  limit: number;
  marker?: string;
  json?: true;
} & { [Name in Exclude<keyof typeof filters, 'state'>]?: string };

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addMovementList(group: Command): void {
  const command = onlyReads(group.command('list'))
    .description('list the movement messages of this organisation, newest first')
    .addArgument(levelArgument('<level>', 'level of the messages'));
  addServiceOptions(command, 'carrier')
    .addOption(modeOption())
    .option('--document <number>', 'only messages with this transport document')
    .option('--type <code>', 'only messages whose document has this type, such as N730')
    .option('--carrier <id>', 'only messages that name this carrier')
    .option('--means <id>', 'only transports with this means of transport, such as a plate')
    .addOption(
      new Option('--state <state>', 'only messages in this state').choices(keysOf(movementStates)),
    )
    .addOption(
      new Option('--limit <number>', 'maximum number of messages (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <mrn>', 'only messages after this one');
  addJsonOption(command).addHelpText('after', help).action(list);
}

const help = `
Examples:
  $ landfall movement list house-consignment --mode road
  $ landfall movement list house-consignment --mode road --document H1 --type N730
  $ landfall movement list transport --mode road --means AB12345 --state CURRENT`;

const columns: readonly Column<MovementSummary>[] = [
  { heading: 'MRN', value: ({ mrn }) => mrn },
  { heading: 'state', value: ({ state }) => state },
  { heading: 'key', value: keyOfMovement },
  { heading: 'complete', value: ({ complete }) => completeness(complete) },
  { heading: 'lodged', value: ({ lodgedAt }) => readableTime(lodgedAt) },
  {
    heading: 'replaced',
    value: ({ replacedAt }) => (replacedAt === undefined ? '-' : readableTime(replacedAt)),
  },
];

function completeness(complete: boolean | undefined): string {
  if (complete === undefined) return '-';
  return complete ? 'yes' : 'no';
}

async function list(level: MovementLevel, options: ListOptions): Promise<void> {
  const { mode, limit, marker } = options;
  const { client } = await openService(options);
  const filter = Object.fromEntries(keysOf(filters).map((name) => [filters[name], options[name]]));
  const { found, next } = await readPages(
    async (query) => client.listMovements(mode, level, { ...query, ...filter }),
    { limit, marker },
  );
  if (options.json) printJson(found);
  else if (found.length > 0) printTable(columns, found);
  else print(emptyText(level, options));
  const last = found.at(-1)?.mrn;
  if (next === undefined || last === undefined) return;
  const words = [
    ...keysOf(filters).flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [`--${name}`, value];
    }),
    ...(limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)]),
  ];
  const command = ['movement', 'list', level, '--mode', mode, ...words, '--marker', last];
  reportMore(nextCommand(command, options), { ...options, what: 'More messages' });
}

function emptyText(level: MovementLevel, options: ListOptions): string {
  const { as: name, mode, marker } = options;
  if (marker !== undefined) return 'No messages after this marker.';
  if (keysOf(filters).some((filter) => options[filter] !== undefined)) {
    return `No messages of ${name} match.`;
  }
  const words = ['movement', 'lodge', level, '--mode', mode, '--file', 'FILE'];
  return `No messages of ${name} yet. Lodge one: ${nextCommand(words, options)}`;
}
