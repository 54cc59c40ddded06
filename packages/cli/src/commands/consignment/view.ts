// `landfall consignment view`: shows the history of a house consignment as a timeline.
import type { HouseConsignment, HouseConsignmentEvent, Landfall } from '@landfall/client';
import { isUuid } from '@landfall/contract';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { cutToWidth, displayWidth } from '../../output/display-width.js';
import { nextCommand } from '../../output/next-command.js';
import {
  type Colours,
  coloursFor,
  print,
  printable,
  printJson,
  readableTime,
} from '../../output/output.js';
import { terminalWidth, wrap } from '../../output/wrap.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { addFilterOptions, type FilterOptions, toFilters } from './filter-options.js';
import { findConsignments } from './find-consignments.js';

type ViewOptions = IdentityOptions & FilterOptions & { json?: true };

/** Adds the command. */
export function addConsignmentView(group: Command): void {
  const command = onlyReads(group.command('view'))
    .description('show the history of a house consignment')
    .argument('[id]', 'id of the house consignment; without it, the options below select one');
  addServiceOptions(command, 'authority');
  addJsonOption(addFilterOptions(command)).addHelpText('after', examples).action(view);
}

const examples = `
Examples:
  $ landfall consignment view --document HC001 --type N740
  $ landfall consignment view 0198c0de-7000-7000-8000-000000000001 --json`;

async function view(id: string | undefined, options: ViewOptions): Promise<void> {
  const filters = toFilters(options);
  const filtered = Object.keys(filters).length > 0;
  if ((id !== undefined) === filtered) {
    throw new UsageError('give either the id of a house consignment or options that select one');
  }
  if (id !== undefined && !isUuid(id)) {
    throw new UsageError('the id must be a UUID; to select by document use --document');
  }
  const { client } = await openService(options);
  const house = id === undefined ? await findOne(client, filters, options) : undefined;
  const events = await client.getHouseConsignmentHistory(id ?? house?.id ?? '');
  if (options.json) return printJson(events);
  if (house !== undefined) print(headline(house));
  for (const line of timeline(events, coloursFor())) print(line);
}

/** Finds the matching consignment; if several match, the error lists them. */
async function findOne(
  client: Landfall,
  filters: ReturnType<typeof toFilters>,
  options: ViewOptions,
): Promise<HouseConsignment> {
  const { found } = await findConsignments(client, filters, { limit: 10 });
  const [one, ...others] = found;
  if (one === undefined) throw new CommandFailedError('no matching house consignments');
  if (others.length === 0) return one;
  const choices = found.map(
    (house) =>
      `  ${nextCommand(['consignment', 'view', house.id], options)}   # ${headline(house)}`,
  );
  throw new CommandFailedError(
    `several house consignments match; choose one:\n${choices.join('\n')}`,
  );
}

function headline({
  transportDocumentHouseLevel: { documentNumber, type },
  entrySummaryDeclarationMRN: ens,
  houseConsignmentMRN,
  state,
}: HouseConsignment): string {
  const mrn = ens === undefined ? `MRN ${houseConsignmentMRN}` : `ENS ${ens}`;
  return printable(`${documentNumber} ${type}, ${mrn}: ${state}`);
}

/** One line per event: time, event, organisation, details. Details that do not fit the terminal are on further lines. */
function timeline(events: readonly HouseConsignmentEvent[], colours: Colours): string[] {
  const who = events.map(({ organisation, client }) =>
    organisation === undefined
      ? 'Landfall'
      : client === undefined
        ? organisation
        : `${organisation} (${client})`,
  );
  const width = Math.max(...who.map((text) => displayWidth(text)));
  const available = terminalWidth();
  return events.flatMap(({ at, event, requestId, details = {} }, index) => {
    const notes = [
      ...describeDetails(details),
      ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ];
    const by = printable(who[index] ?? '');
    const cells = [
      readableTime(at),
      colours.bold(event.padEnd(EVENT_WIDTH)),
      cutToWidth(by, available - BY_COLUMN),
    ];
    const detail = printable(notes.join(', '));
    if (BY_COLUMN + width + 2 + displayWidth(detail) > available) {
      const lines = wrap(detail, available - EVENT_COLUMN);
      return [cells.join('  '), ...lines.map((line) => ' '.repeat(EVENT_COLUMN) + line)];
    }
    const padding = ' '.repeat(width - displayWidth(by));
    return [`${cells.join('  ')}${padding}  ${detail}`.trimEnd()];
  });
}

const EVENT_WIDTH = 'PRE_NOTIFIED'.length;
/** Where the event and the organisation begin, after a time to the second. */
const EVENT_COLUMN = '2026-01-01 12:00:00Z  '.length;
const BY_COLUMN = EVENT_COLUMN + EVENT_WIDTH + 2;

function describeDetails(details: Record<string, unknown>): string[] {
  return Object.entries(details).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return name === 'routing' || name === 'level' ? text : `${name} ${text}`;
  });
}
