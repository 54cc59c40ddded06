// `landfall routing`: reads routing signals once, waits for them, or follows them.
import { operations, type RoutingSignal } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession, type Session } from '../../http/credentials.js';
import { followFeed } from '../../http/follow-feed.js';
import { nextPageQuery, readText } from '../../http/reach-service.js';
import { readMessage, readMessages } from '../../http/read-message.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { firstPresentation, nextCommand } from '../../output/next-command.js';
import { coloursFor, print, report } from '../../output/output.js';
import { headingLine, rowLine, tableLines } from '../../output/table.js';
import { firstStopSignal } from '../../process/stop.js';
import { routingColumns, routingSignalCheck } from './routing-table.js';

type RoutingOptions = IdentityOptions & {
  marker?: string;
  limit?: number;
  follow?: true;
  wait?: number;
  json?: true;
};

const { operationId } = operations.readRoutingSignals;

/** Adds the command. */
export function addRouting(program: Command): void {
  const command = program
    .command('routing')
    .description('read routing signals: whether consignments go to control or to entry');
  addIdentityOptions(command, { defaultName: 'carrier' })
    .option('--marker <id>', 'only signals after this one (id of the last signal read)')
    .option('--limit <number>', 'maximum number of signals (1 to 1000)', wholeNumber(1, 1000))
    .option('--follow', 'print signals as they are issued, until Ctrl-C or --limit')
    .addOption(
      new Option('--wait <seconds>', 'if there are no new signals, wait up to this long (1 to 60)')
        .argParser(wholeNumber(1, 60))
        .conflicts('follow'),
    );
  addJsonOption(command)
    .addHelpText('after', examples)
    .action(async (options: RoutingOptions) => {
      const session = await openSession(options);
      await (options.follow ? follow(session, options) : readOnce(session, options));
    });
}

const examples = `
--json prints the array unchanged; with --follow, one signal per line.

Examples:
  $ landfall routing --as carrier
  $ landfall routing --as carrier --follow
  $ landfall routing --as carrier --wait 20 --json`;

async function readOnce(session: Session, options: RoutingOptions): Promise<void> {
  const { marker, limit, wait } = options;
  const response = await callService(session, operations.readRoutingSignals, {
    query: { marker, limit },
    ...(wait === undefined ? {} : { headers: { Prefer: `wait=${wait}` }, wait }),
  });
  const text = await readText(response);
  if (options.json) return print(text);
  const signals = readMessages(text, routingSignalCheck(), operationId);
  const last = signals.at(-1);
  if (last === undefined) return print(emptyText(options));
  for (const line of tableLines(routingColumns, signals, coloursFor())) print(line);
  print('');
  print(
    `${nextPageQuery(response) === undefined ? 'Later signals' : 'More signals'}: ${after(last, options)}`,
  );
}

async function follow(session: Session, options: RoutingOptions): Promise<void> {
  const { marker, limit = Number.POSITIVE_INFINITY, json } = options;
  const check = routingSignalCheck();
  const colours = coloursFor();
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  void firstStopSignal().then(stop);
  report(`following the routing signals of ${options.as}; press Ctrl-C to stop`);
  if (!json) print(headingLine(routingColumns, colours));

  const events = followFeed(session, {
    operation: operations.readRoutingSignals,
    marker,
    signal: stopped.signal,
    onLost: (reason) => report(`${reason}; reconnecting`),
  });
  let last: RoutingSignal | undefined;
  let seen = 0;
  for await (const { data } of events) {
    last = readMessage(data, check, operationId);
    print(json ? data : rowLine(routingColumns, last, colours));
    seen += 1;
    if (seen >= limit) break;
  }
  stop();
  if (last !== undefined) report(`later signals: ${after(last, options)}`);
}

/** The command that reads the signals after this one. */
function after({ routingResult }: RoutingSignal, options: RoutingOptions): string {
  return nextCommand(['routing', '--as', options.as, '--marker', routingResult.id], options);
}

function emptyText(options: RoutingOptions): string {
  const { as: name, marker } = options;
  if (marker === undefined) {
    return `No routing signals for ${name} yet. Present pre-notified goods first: ${nextCommand(firstPresentation(name), options)}`;
  }
  const words = ['routing', '--as', name, '--marker', marker, '--follow'];
  return `No new signals after this marker. To wait for them: ${nextCommand(words, options)}`;
}
