// `landfall feed tail`: prints goods-item messages as they are published.
import {
  compileGoodsItemCheck,
  type GoodsItemMessage,
  operations,
  UUID_PATTERN,
} from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { callService } from './call-service.js';
import { openSession, type Session } from './credentials.js';
import { followFeed } from './follow-feed.js';
import { goodsItemColumns } from './goods-item-table.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from './identity-options.js';
import { nextCommand } from './next-command.js';
import { coloursFor, print, printText, tell } from './output.js';
import { readMessage } from './read-message.js';
import { ServiceRefusedError } from './service-refused-error.js';
import { firstStopSignal } from './stop-signal.js';
import { headingLine, rowLine } from './table.js';

type TailOptions = IdentityOptions & { from: string; limit?: number; json?: true };

const operation = operations.listGoodsItems;

/** Adds the verb. */
export function addFeedTail(group: Command): void {
  const command = group
    .command('tail')
    .description('print goods-item messages as they are published, until Ctrl-C or --limit');
  addIdentityOptions(command, { defaultName: 'statistics' })
    .addOption(
      new Option(
        '--from <marker>',
        'after this eventId; "start": from the oldest that is kept; "now": only what comes',
      )
        .argParser(readFrom)
        .default('now'),
    )
    .option('--limit <number>', 'stop after so many', wholeNumber(1, 999_999_999));
  addJsonOption(command).addHelpText('after', examples).action(tail);
}

const examples = `
With --json, one message a line, as it was published. When the connection is lost, it goes on after the last one.

Examples:
  $ landfall feed tail
  $ landfall feed tail --from start --json >messages.ndjson
  $ landfall feed tail --from 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01`;

async function tail(options: TailOptions): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, json } = options;
  const session = await openSession(options);
  const marker = await findMarker(session, options.from);
  const check = compileGoodsItemCheck();
  const colours = coloursFor();
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  void firstStopSignal().then(stop);
  tell(`following the goods-item stream as ${options.as}; Ctrl-C stops`);
  if (!json) print(headingLine(goodsItemColumns, colours));

  const events = followFeed(session, {
    operation,
    marker,
    signal: stopped.signal,
    tellLost: (why) => tell(`${why}; connecting again`),
  });
  let last: GoodsItemMessage | undefined;
  let seen = 0;
  try {
    for await (const { data } of events) {
      last = readMessage(data, check, operation.operationId);
      await printText(`${json ? data : rowLine(goodsItemColumns, last, colours)}\n`);
      seen += 1;
      if (seen >= limit) break;
    }
  } catch (error) {
    if (error instanceof ServiceRefusedError && /\(MARKER_EXPIRED\)/.test(error.message)) {
      tell(`Start again from the items that stand: ${command(['current'], options)}`);
    }
    throw error;
  }
  stop();
  if (last !== undefined) {
    tell(`what comes after: ${command(['tail', '--from', last.metadata.eventId], options)}`);
  }
}

/** The command line of another verb of this group, as the same identity. */
function command([verb = '', ...words]: string[], options: IdentityOptions): string {
  return nextCommand(['feed', verb, '--as', options.as, ...words], options);
}

/** What is published last at this moment is known to the list of the items that stand. */
async function findMarker(session: Session, from: string): Promise<string | undefined> {
  if (from === 'start') return undefined;
  if (from !== 'now') return from;
  const response = await callService(session, operations.listCurrentGoodsItems, {
    query: { limit: 1 },
  });
  await response.body?.cancel();
  return response.headers.get('landfall-marker') ?? undefined;
}

const eventId = new RegExp(UUID_PATTERN);

function readFrom(text: string): string {
  if (text !== 'start' && text !== 'now' && !eventId.test(text)) {
    throw new InvalidArgumentError('It is an eventId, "start" or "now".');
  }
  return text;
}
