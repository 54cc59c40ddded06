// `landfall status follow`: prints the statuses of presentation requests as they are recorded.
import type { ValidationStatus } from '@landfall/client';
import type { Command } from 'commander';
import { addFollowingOptions, type FollowingOptions } from '../../input/follow-options.js';
import { onlyReads } from '../../input/only-reads.js';
import { addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printText, report } from '../../output/output.js';
import { openTable, reportCut } from '../../output/table.js';
import { followFeed } from '../../service/follow-feed.js';
import { openService } from '../../service/open-service.js';
import { detailLines, statusColumns } from './show-statuses.js';

type FollowOptions = IdentityOptions & FollowingOptions;

/** Adds the command. */
export function addStatusFollow(group: Command): void {
  const command = onlyReads(group.command('follow')).description(
    'print statuses as they are recorded, until Ctrl-C or --limit',
  );
  addServiceOptions(command, 'carrier');
  addFollowingOptions(command, {
    entries: 'statuses',
    marker: 'requestId',
    words: [['start', 'with the first status']],
  })
    .addHelpText('after', examples)
    .action(follow);
}

const examples = `
After a lost connection, it resumes after the last status. With --store, so does the next run.

Examples:
  $ landfall status follow
  $ landfall status follow --store statuses.position --json`;

async function follow(options: FollowOptions): Promise<void> {
  const { marker, json } = options;
  const { client } = await openService(options);
  const table = openTable(statusColumns);
  let last: ValidationStatus | undefined;
  await followFeed((settings) => client.followStatuses(settings), {
    ...options,
    what: `the validation statuses of ${options.as}`,
    noun: 'status',
    findStart: async () => (marker === 'start' ? undefined : marker),
    startAgain: command('start', options),
    begin: () => {
      if (!json) print(table.heading());
    },
    check: (entry) => client.check('listValidationStatuses', entry),
    handle: async (status) => {
      const lines = json ? [JSON.stringify(status)] : [table.row(status), ...detailLines(status)];
      await printText(lines.map((line) => `${line}\n`).join(''));
      last = status;
    },
  });
  reportCut(table);
  if (last !== undefined && options.store === undefined) {
    report(`later statuses: ${command(last.requestId, options)}`);
  }
}

/** The command line that follows after a marker, as the same identity. */
function command(marker: string, options: IdentityOptions): string {
  return nextCommand(['status', 'follow', '--marker', marker], options);
}
