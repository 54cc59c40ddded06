// `landfall routing follow`: prints routing signals as they are issued, and can run a command for each.
import type { RoutingSignal } from '@landfall/client';
import { type Command, Option } from 'commander';
import { addFollowingOptions, type FollowingOptions } from '../../input/follow-options.js';
import { onlyReads } from '../../input/only-reads.js';
import { addServiceOptions, type IdentityOptions, wholeNumber } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printText, report } from '../../output/output.js';
import { openTable, reportCut } from '../../output/table.js';
import { UsageError } from '../../process/exit.js';
import { followFeed } from '../../service/follow-feed.js';
import { openService } from '../../service/open-service.js';
import { after } from './list.js';
import { routingColumns } from './routing-table.js';
import { runForSignal } from './run-for-signal.js';

type FollowOptions = IdentityOptions &
  FollowingOptions & { bell?: true; exec?: string; execTimeout?: number };

/** How long a command may run for each signal by default, in seconds. */
const EXEC_TIMEOUT_S = 60;

/** Adds the command. */
export function addRoutingFollow(group: Command): void {
  const command = onlyReads(group.command('follow')).description(
    'print routing signals as they are issued, until Ctrl-C or --limit',
  );
  addServiceOptions(command, 'carrier');
  addFollowingOptions(command, {
    entries: 'signals',
    marker: 'id of a signal',
    words: [['start', 'with the first signal']],
  })
    .option('--bell', 'ring the bell of the terminal for each TO_CONTROL')
    .option(
      '--exec <command>',
      'run this command in a shell for each signal: JSON on its standard input, members in LANDFALL_SIGNAL_...',
    )
    .addOption(
      new Option(
        '--exec-timeout <seconds>',
        `end the command after this long (default: ${EXEC_TIMEOUT_S})`,
      ).argParser(wholeNumber(1, 86_400)),
    )
    .addHelpText('after', examples)
    .action(follow);
}

const examples = `
After a lost connection, it resumes after the last signal. With --store, so does the next run: it misses no signal,
and repeats one only if the process was killed while it handled that signal.

--exec runs one command at a time. The position is saved when it has ended with exit code 0; otherwise following stops,
and the next run begins with the same signal. What the command prints goes to standard error. It has in its environment:
  LANDFALL_SIGNAL_ID, LANDFALL_SIGNAL_ROUTING (such as TO_CONTROL or TO_ENTRY), LANDFALL_SIGNAL_LOCATION (of the control),
  LANDFALL_SIGNAL_ISSUED, LANDFALL_SIGNAL_DOCUMENT, LANDFALL_SIGNAL_DOCUMENT_TYPE, LANDFALL_SIGNAL_MRN,
  LANDFALL_SIGNAL_RECEPTACLE, LANDFALL_SIGNAL_CONTAINERS (separated by spaces)
Quote them: "$LANDFALL_SIGNAL_DOCUMENT".

Examples:
  $ landfall routing follow
  $ landfall routing follow --as forwarder --json
  $ landfall routing follow --store signals.position --bell
  $ landfall routing follow --store signals.position --exec './release.sh "$LANDFALL_SIGNAL_DOCUMENT"'`;

async function follow(options: FollowOptions): Promise<void> {
  const { marker, json, bell, exec, execTimeout } = options;
  if (execTimeout !== undefined && exec === undefined) {
    throw new UsageError('--exec-timeout needs --exec');
  }
  const { client } = await openService(options);
  const table = openTable(routingColumns);
  let last: RoutingSignal | undefined;
  await followFeed((settings) => client.followRouting(settings), {
    ...options,
    what: `the routing signals of ${options.as}`,
    noun: 'signal',
    findStart: async () => (marker === 'start' ? undefined : marker),
    startAgain: nextCommand(['routing', 'follow', '--marker', 'start'], options),
    begin: () => {
      if (!json) print(table.heading());
    },
    check: (entry) => client.check('readRoutingSignals', entry),
    handle: async (signal) => {
      await printText(`${json ? JSON.stringify(signal) : table.row(signal)}\n`);
      if (bell && signal.routingResult.routing === 'TO_CONTROL') ring();
      if (exec !== undefined) await runForSignal(exec, signal, execTimeout ?? EXEC_TIMEOUT_S);
      last = signal;
    },
  });
  reportCut(table);
  if (last !== undefined && options.store === undefined) {
    report(`later signals: ${after(last, options)}`);
  }
}

/** Standard output may be a file or a program, which has no bell. */
function ring(): void {
  if (process.stderr.isTTY === true) process.stderr.write('\u0007');
}
