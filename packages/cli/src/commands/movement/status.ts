// `landfall movement status`: the statuses of requests about movement messages.
import type { MovementStatus } from '@landfall/client';
import {
  isUuid,
  keysOf,
  type ModeName,
  type MovementSubject,
  movementSubjectCodes,
} from '@landfall/contract';
import { Argument, type Command, Option } from 'commander';
import { addFollowingOptions, type FollowingOptions } from '../../input/follow-options.js';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, printText, report } from '../../output/output.js';
import { openTable, printTable, reportCut } from '../../output/table.js';
import { UsageError } from '../../process/exit.js';
import { followFeed } from '../../service/follow-feed.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { modeOption } from './mode-option.js';
import {
  movementStatusColumns,
  showMovementStatus,
  statusDetails,
} from './show-movement-statuses.js';

const DEFAULT_LIMIT = 1000;

/** Adds `view`. */
export function addMovementStatusView(group: Command): void {
  const command = onlyReads(group.command('view'))
    .description('show the status of one request about a movement message, or of an arrival')
    .addArgument(
      new Argument('<subject>', 'level of the message, or transport-arrival').choices(
        keysOf(movementSubjectCodes),
      ),
    )
    .argument('<requestId>', 'id of the request');
  addServiceOptions(command, 'carrier').addOption(modeOption().makeOptionMandatory(false));
  addJsonOption(command)
    .addHelpText(
      'after',
      `
The mode is needed but for an arrival.

Examples:
  $ landfall movement status view house-consignment 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01 --mode road
  $ landfall movement status view transport-arrival 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01`,
    )
    .action(view);
}

async function view(
  subject: MovementSubject,
  requestId: string,
  options: IdentityOptions & { mode?: ModeName; json?: true },
): Promise<void> {
  if (!isUuid(requestId)) {
    const level = subject === 'transport-arrival' ? 'transport' : subject;
    const words = ['movement', 'show', level, requestId, '--mode', options.mode ?? 'MODE'];
    throw new UsageError(`a requestId is a UUID; for the message: ${nextCommand(words, options)}`);
  }
  const { mode } = options;
  if (subject !== 'transport-arrival' && mode === undefined) {
    throw new UsageError('the option --mode is needed for the status of a message');
  }
  const { client } = await openService(options);
  const status =
    subject === 'transport-arrival' || mode === undefined
      ? await client.getArrivalStatus(requestId)
      : await client.getMovementStatus(mode, subject, requestId);
  if (options.json) printJson(status);
  else showMovementStatus(status);
}

type ListOptions = IdentityOptions & { limit: number; marker?: string; json?: true };

/** Adds `list`. */
export function addMovementStatusList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list the statuses of requests about movement messages of all modes, oldest first',
  );
  addServiceOptions(command, 'carrier')
    .addOption(
      new Option('--limit <number>', 'maximum number of requests (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <requestId>', 'only requests after this one');
  addJsonOption(command)
    .addHelpText(
      'after',
      `
Examples:
  $ landfall movement status list
  $ landfall movement status list --as forwarder --json`,
    )
    .action(list);
}

async function list(options: ListOptions): Promise<void> {
  const { limit, marker } = options;
  const { client } = await openService(options);
  const { found, next } = await readPages(async (query) => client.listMovementStatuses(query), {
    limit,
    marker,
  });
  if (options.json) printJson(found);
  else if (found.length > 0) printTable(movementStatusColumns, found, statusDetails);
  else if (marker !== undefined) print('No requests after this marker.');
  else print(`No requests of ${options.as} about movement messages yet.`);
  const last = found.at(-1)?.requestId;
  if (next === undefined || last === undefined) return;
  const words = [
    ...(limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)]),
    ...['--marker', last],
  ];
  const command = nextCommand(['movement', 'status', 'list', ...words], options);
  reportMore(command, { ...options, what: 'More requests' });
}

type FollowOptions = IdentityOptions & FollowingOptions;

/** Adds `follow`. */
export function addMovementStatusFollow(group: Command): void {
  const command = onlyReads(group.command('follow')).description(
    'print statuses of requests about movement messages as they are recorded',
  );
  addServiceOptions(command, 'carrier');
  addFollowingOptions(command, {
    entries: 'statuses',
    marker: 'requestId',
    words: [['start', 'with the first status']],
  })
    .addHelpText(
      'after',
      `
After a lost connection, it resumes after the last status. With --store, so does the next run.

Examples:
  $ landfall movement status follow
  $ landfall movement status follow --store movements.position --json`,
    )
    .action(follow);
}

async function follow(options: FollowOptions): Promise<void> {
  const { marker, json } = options;
  const { client } = await openService(options);
  const table = openTable(movementStatusColumns);
  let last: MovementStatus | undefined;
  await followFeed((settings) => client.followMovementStatuses(settings), {
    ...options,
    what: `the statuses of movement messages of ${options.as}`,
    noun: 'status',
    findStart: async () => (marker === 'start' ? undefined : marker),
    startAgain: followCommand('start', options),
    begin: () => {
      if (!json) print(table.heading());
    },
    check: (entry) => client.check('listMovementStatuses', entry),
    handle: async (status) => {
      const lines = json ? [JSON.stringify(status)] : [table.row(status), ...statusDetails(status)];
      await printText(lines.map((line) => `${line}\n`).join(''));
      last = status;
    },
  });
  reportCut(table);
  if (last !== undefined && options.store === undefined) {
    report(`later statuses: ${followCommand(last.requestId, options)}`);
  }
}

/** The command line that follows after a marker, as the same identity. */
function followCommand(marker: string, options: IdentityOptions): string {
  return nextCommand(['movement', 'status', 'follow', '--marker', marker], options);
}
