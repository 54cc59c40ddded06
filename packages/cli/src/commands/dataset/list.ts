// `landfall dataset list`: lists what can be presented in a running playground.
import {
  type PlaygroundPresentable as Presentable,
  type PresentationPath,
  presentationLevels,
} from '@landfall/contract';
import { type Command, Option } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  readName,
} from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { grouped, withProgress } from '../../output/progress.js';
import { type Column, printTable } from '../../output/table.js';
import { callPlayground } from '../../service/playground-control.js';
import { type ReadPages, readPages } from '../../service/read-pages.js';
import {
  addIdentifierOptions,
  type FilterOptions,
  filterWords,
  limitOption,
  limitWords,
  toFilters,
} from '../consignment/filter-options.js';
import { consignmentColumns } from '../consignment/list.js';

type ListOptions = IdentityOptions &
  FilterOptions &
  OwnFilters & { level: PresentationPath; limit: number; marker?: string; json?: true };

/** The options that the filters of house consignments do not have. */
const OWN_FILTERS = ['identity', 'presented', 'decided'] as const;

type OwnFilters = Partial<Record<(typeof OWN_FILTERS)[number], string>>;

type PresentableHouseConsignment = Extract<Presentable, { level: 'HOUSE_CONSIGNMENT' }>;
type PresentableGroup = Exclude<Presentable, PresentableHouseConsignment>;

/** Adds the command. */
export function addDatasetList(group: Command): void {
  const command = onlyReads(group.command('list'))
    .description('list what can be presented in a running playground')
    .addOption(
      new Option('--level <level>', 'what is listed')
        .choices(Object.keys(presentationLevels))
        .default('house-consignment'),
    )
    .addOption(
      new Option('--identity <name>', 'goods that this identity is expected to present').argParser(
        readName,
      ),
    )
    .addOption(new Option('--presented <value>', 'whether it is presented').choices(['yes', 'no']))
    .addOption(new Option('--decided <value>', 'whether it is decided').choices(['yes', 'no']));
  addIdentifierOptions(command)
    .addOption(limitOption())
    .option('--marker <text>', 'only entries after this one');
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
At a level above the house consignment, each entry has the numbers of its house consignments: all that match, presented,
decided. --identity: the declaration names its organisation as declarant, representative, carrier or presenter, or names
neither a carrier nor presenters.

Examples:
  $ landfall dataset list --presented no
  $ landfall dataset list --level receptacle --identity carrier
  $ landfall dataset list --level entry-summary-declaration --json`;

async function list(options: ListOptions): Promise<void> {
  const { found: entries, next } = await readEntries(options);
  if (options.json) printJson(entries);
  else if (entries.length === 0) print('Nothing matches.');
  else if (options.level === 'house-consignment') {
    printTable(consignmentColumns, entries.filter(isHouseConsignment));
  } else {
    printTable(groupColumns, entries.filter(isGroup));
  }
  if (next !== undefined) reportMore(nextPage(next, options), options);
}

/** Reads pages until `limit` entries are found or there are no more. */
function readEntries(options: ListOptions): Promise<ReadPages<Presentable>> {
  const { limit, marker } = options;
  const readPage = async (page: { limit?: number; marker?: string }) => {
    const { entries, next } = await callPlayground(options, {
      name: 'dataset list',
      result: 'page of the dataset',
      method: 'GET',
      path: '/dataset',
      query: toQuery(options, page),
    });
    return { entries, next: { marker: next } };
  };
  let count = 0;
  return withProgress(
    () => `${grouped(count)} found`,
    () =>
      readPages(readPage, {
        limit,
        marker,
        onPage: ({ length }) => {
          count = length;
        },
      }),
  );
}

function toQuery(options: ListOptions, page: { limit?: number; marker?: string }) {
  const { level, identity, presented, decided } = options;
  return {
    level: presentationLevels[level].level,
    identity,
    presented: presented && presented === 'yes',
    decided: decided && decided === 'yes',
    ...toFilters(options),
    ...page,
  };
}

function nextPage(marker: string, options: ListOptions): string {
  const level = options.level === 'house-consignment' ? [] : ['--level', options.level];
  const own = OWN_FILTERS.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const words = ['dataset', 'list', ...level, ...own, ...filterWords(options)];
  return nextCommand([...words, ...limitWords(options.limit), '--marker', marker], options);
}

const isHouseConsignment = (entry: Presentable): entry is PresentableHouseConsignment =>
  entry.level === 'HOUSE_CONSIGNMENT';
const isGroup = (entry: Presentable): entry is PresentableGroup => !isHouseConsignment(entry);

const groupColumns: readonly Column<PresentableGroup>[] = [
  { heading: 'reference', value: referenceOf },
  { heading: 'house consignments', value: ({ houseConsignments }) => grouped(houseConsignments) },
  { heading: 'presented', value: ({ presented }) => grouped(presented) },
  { heading: 'decided', value: ({ decided }) => grouped(decided) },
  { heading: 'master consignments', value: (entry) => grouped(entry.masterConsignments) },
  { heading: 'receptacles', value: ({ receptacles }) => grouped(receptacles) },
  { heading: 'containers', value: ({ containers }) => grouped(containers) },
];

function referenceOf(entry: PresentableGroup): string {
  switch (entry.level) {
    case 'ENTRY_SUMMARY_DECLARATION':
      return entry.mrn;
    case 'MASTER_CONSIGNMENT': {
      const { documentNumber, type } = entry.transportDocumentMasterLevel;
      return `${documentNumber} ${type}`;
    }
    case 'RECEPTACLE':
      return entry.receptacleId;
    case 'CONTAINER':
      return entry.containerId;
  }
}
