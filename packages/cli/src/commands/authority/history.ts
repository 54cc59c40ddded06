// `landfall authority history`: shows the history of a house consignment as a timeline.
import {
  compileCheck,
  type HouseConsignment,
  HouseConsignmentEvent,
  operations,
  UUID_PATTERN,
} from '@landfall/contract';
import type { Command } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession, type Session } from '../../http/credentials.js';
import { readText } from '../../http/reach-service.js';
import { readMessages } from '../../http/read-message.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { type Colours, coloursFor, print, printable, readableTime } from '../../output/output.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { addFilterOptions, toFilters } from './find.js';
import { findConsignments } from './find-consignments.js';

type HistoryOptions = IdentityOptions & Parameters<typeof toFilters>[0] & { json?: true };

/** Adds the command. */
export function addAuthorityHistory(group: Command): void {
  const command = group
    .command('history')
    .description('show the history of a house consignment')
    .argument('[id]', 'id of the house consignment; without it, the options below select one');
  addIdentityOptions(command, { defaultName: 'authority' });
  addJsonOption(addFilterOptions(command)).addHelpText('after', examples).action(history);
}

const examples = `
Examples:
  $ landfall authority history --document HC001 --type N740
  $ landfall authority history 0198c0de-7000-7000-8000-000000000001 --json`;

const idPattern = new RegExp(UUID_PATTERN);
const { operationId } = operations.getHouseConsignmentHistory;

async function history(id: string | undefined, options: HistoryOptions): Promise<void> {
  const filters = toFilters(options);
  const filtered = Object.values(filters).some((value) => value !== undefined);
  if ((id !== undefined) === filtered) {
    throw new UsageError('give either the id of a house consignment or options that select one');
  }
  if (id !== undefined && !idPattern.test(id)) {
    throw new UsageError('the id must be a UUID; to select by document use --document');
  }
  const session = await openSession(options);
  const house = id === undefined ? await findOne(session, filters, options) : undefined;
  const response = await callService(session, operations.getHouseConsignmentHistory, {
    parameters: { id: id ?? house?.id ?? '' },
  });
  const text = await readText(response);
  if (options.json) return print(text);
  const check = compileCheck<HouseConsignmentEvent>(HouseConsignmentEvent);
  const events = readMessages(text, check, operationId);
  if (house !== undefined) print(headline(house));
  for (const line of timeline(events, coloursFor())) print(line);
}

/** Finds the matching consignment; if several match, the error lists them. */
async function findOne(
  session: Session,
  filters: ReturnType<typeof toFilters>,
  options: HistoryOptions,
): Promise<HouseConsignment> {
  const { found } = await findConsignments(session, filters, { limit: 10 });
  const [one, ...others] = found;
  if (one === undefined) throw new CommandFailedError('no matching house consignments');
  if (others.length === 0) return one;
  const choices = found.map(
    (house) =>
      `  ${nextCommand(['authority', 'history', house.id], options)}   # ${headline(house)}`,
  );
  throw new CommandFailedError(
    `several house consignments match; choose one:\n${choices.join('\n')}`,
  );
}

function headline({
  transportDocumentHouseLevel: { documentNumber, type },
  entrySummaryDeclarationMRN: mrn,
  state,
}: HouseConsignment): string {
  return printable(`${documentNumber} ${type}, ENS ${mrn}: ${state}`);
}

/** One line per event: time, event, organisation, details. */
function timeline(events: readonly HouseConsignmentEvent[], colours: Colours): string[] {
  const who = events.map(({ organisation, client }) =>
    organisation === undefined
      ? 'Landfall'
      : client === undefined
        ? organisation
        : `${organisation} (${client})`,
  );
  const width = Math.max(...who.map((text) => text.length));
  return events.map(({ at, event, requestId, details = {} }, index) => {
    const notes = [
      ...describeDetails(details),
      ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ];
    const cells = [
      readableTime(at),
      colours.bold(event.padEnd('PRE_NOTIFIED'.length)),
      printable(who[index] ?? '').padEnd(width),
      printable(notes.join(', ')),
    ];
    return cells.join('  ').trimEnd();
  });
}

function describeDetails(details: Record<string, unknown>): string[] {
  return Object.entries(details).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return name === 'routing' || name === 'level' ? text : `${name} ${text}`;
  });
}
