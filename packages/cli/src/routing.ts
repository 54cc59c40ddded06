// `landfall routing`: reads whether consignments go to control or to entry: once, with waiting, or as they come.
import { operations, type RoutingSignal } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { callService } from './call-service.js';
import { openSession, type Session } from './credentials.js';
import { followFeed } from './follow-feed.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from './identity-options.js';
import { firstPresentation, nextCommand } from './next-command.js';
import { coloursFor, print, tell } from './output.js';
import { hasNextPage, readText } from './reach-service.js';
import { readMessage, readMessages } from './read-message.js';
import { routingColumns, routingSignalCheck } from './routing-table.js';
import { firstStopSignal } from './stop-signal.js';
import { headingLine, rowLine, tableLines } from './table.js';

type RoutingOptions = IdentityOptions & {
  marker?: string;
  limit?: number;
  follow?: true;
  wait?: number;
  json?: true;
};

const { operationId } = operations.readRoutingSignals;

/** Adds the verb. */
export function addRouting(program: Command): void {
  const command = program
    .command('routing')
    .description('read routing signals: whether consignments go to control or to entry');
  addIdentityOptions(command, { defaultName: 'carrier' })
    .option('--marker <id>', 'only signals after this one (the id of the last one read)')
    .option('--limit <number>', 'at most so many (1 to 1000)', wholeNumber(1, 1000))
    .option('--follow', 'print signals as they come, until Ctrl-C or --limit')
    .addOption(
      new Option('--wait <seconds>', 'when there is nothing new, wait for it so long (1 to 60)')
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
With --json the array comes as the service sent it; with --follow --json, one signal a line.

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
    `${hasNextPage(response) ? 'There may be more' : 'What comes after'}: ${after(last, options)}`,
  );
}

async function follow(session: Session, options: RoutingOptions): Promise<void> {
  const { marker, limit = Number.POSITIVE_INFINITY, json } = options;
  const check = routingSignalCheck();
  const colours = coloursFor();
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  void firstStopSignal().then(stop);
  tell(`following the routing signals of ${options.as}; Ctrl-C stops`);
  if (!json) print(headingLine(routingColumns, colours));

  const events = followFeed(session, {
    operation: operations.readRoutingSignals,
    marker,
    signal: stopped.signal,
    tellLost: (why) => tell(`${why}; connecting again`),
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
  if (last !== undefined) tell(`what comes after: ${after(last, options)}`);
}

/** The command that reads on after a signal. */
function after({ routingResult }: RoutingSignal, options: RoutingOptions): string {
  return nextCommand(['routing', '--as', options.as, '--marker', routingResult.id], options);
}

function emptyText(options: RoutingOptions): string {
  const { as: name, marker } = options;
  if (marker === undefined) {
    return `${name} has no routing signals yet: present goods that are pre-notified, and read again. Try: ${nextCommand(firstPresentation(name), options)}`;
  }
  const words = ['routing', '--as', name, '--marker', marker, '--follow'];
  return `Nothing new after this marker. To wait for it: ${nextCommand(words, options)}`;
}
