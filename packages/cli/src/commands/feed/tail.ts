// `landfall feed tail`: follows the goods-item stream.
import {
  compileGoodsItemCheck,
  type GoodsItemMessage,
  operations,
  UUID_PATTERN,
} from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession, type Session } from '../../http/credentials.js';
import { followFeed } from '../../http/follow-feed.js';
import { readMessage } from '../../http/read-message.js';
import { ServiceRefusedError } from '../../http/service-refused-error.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printText, report } from '../../output/output.js';
import { headingLine, rowLine } from '../../output/table.js';
import { firstStopSignal } from '../../process/stop.js';
import { goodsItemColumns } from './goods-item-table.js';

type TailOptions = IdentityOptions & { from: string; limit?: number; json?: true };

const operation = operations.listGoodsItems;

/** Adds the command. */
export function addFeedTail(group: Command): void {
  const command = group
    .command('tail')
    .description('print goods-item messages as they are published, until Ctrl-C or --limit');
  addIdentityOptions(command, { defaultName: 'statistics' })
    .addOption(
      new Option(
        '--from <marker>',
        'start after this eventId; "start": the oldest message; "now": only new messages',
      )
        .argParser(readFrom)
        .default('now'),
    )
    .option('--limit <number>', 'stop after this many messages', wholeNumber(1, 999_999_999));
  addJsonOption(command).addHelpText('after', examples).action(tail);
}

const examples = `
--json prints one message per line, as it was published. After a lost connection, it resumes after the last message.

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
  report(`following the goods-item stream as ${options.as}; press Ctrl-C to stop`);
  if (!json) print(headingLine(goodsItemColumns, colours));

  const events = followFeed(session, {
    operation,
    marker,
    signal: stopped.signal,
    onLost: (reason) => report(`${reason}; reconnecting`),
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
      report(`Start again from the current items: ${command(['current'], options)}`);
    }
    throw error;
  }
  stop();
  if (last !== undefined) {
    report(`later messages: ${command(['tail', '--from', last.metadata.eventId], options)}`);
  }
}

/** The command line of another feed command, as the same identity. */
function command([verb = '', ...words]: string[], options: IdentityOptions): string {
  return nextCommand(['feed', verb, '--as', options.as, ...words], options);
}

/** For "now", the marker comes from the current items. */
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
    throw new InvalidArgumentError('It must be an eventId, "start" or "now".');
  }
  return text;
}
