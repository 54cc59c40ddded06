// `landfall feed follow`: follows the goods-item stream.
import {
  ApiError,
  type GoodsItemMessage,
  type Landfall,
  type RequestOptions,
} from '@landfall/client';
import { UUID_PATTERN } from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printable, printText, report } from '../../output/output.js';
import { openTable, reportCut } from '../../output/table.js';
import { abortOnStop } from '../../process/stop.js';
import { followPages } from '../../service/follow-pages.js';
import { openService } from '../../service/open-service.js';
import { goodsItemColumns } from './goods-item-table.js';

type FollowOptions = IdentityOptions & { from: string; limit?: number; json?: true };

/** Adds the command. */
export function addFeedFollow(group: Command): void {
  const command = group
    .command('follow')
    .description('print goods-item messages as they are published, until Ctrl-C or --limit');
  addServiceOptions(command, 'statistics')
    .addOption(
      new Option(
        '--from <marker>',
        'start after this eventId; "start": the oldest message; "now": only new messages',
      )
        .argParser(readFrom)
        .default('now'),
    )
    .option('--limit <number>', 'stop after this many messages', wholeNumber(1, 999_999_999));
  addJsonLinesOption(command).addHelpText('after', examples).action(follow);
}

const examples = `
--json prints one message per line, as it was published. After a lost connection, it resumes after the last message.

Examples:
  $ landfall feed follow
  $ landfall feed follow --from start --json >messages.ndjson
  $ landfall feed follow --from 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01`;

async function follow(options: FollowOptions): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, json } = options;
  const { client } = await openService(options);
  const start = await findMarker(client, options.from);
  const table = openTable(goodsItemColumns);
  const stopped = abortOnStop();
  report(`following the goods-item stream as ${options.as}; press Ctrl-C to stop`);
  if (!json) print(table.heading());

  const feed = {
    read: (marker: string | undefined, request: RequestOptions) =>
      client.listGoodsItems(marker === undefined ? {} : { marker }, request),
    markerOf: ({ metadata }: GoodsItemMessage) => metadata.eventId,
  };
  const messages = followPages(feed, {
    marker: start,
    signal: stopped.signal,
    onLost: (reason) => report(`${printable(reason)}; reconnecting`),
  });
  let last: GoodsItemMessage | undefined;
  let seen = 0;
  try {
    for await (const message of messages) {
      last = message;
      const row = json ? JSON.stringify(message) : table.row(message);
      await printText(`${row}\n`);
      seen += 1;
      if (seen >= limit) break;
    }
  } catch (error) {
    if (error instanceof ApiError && error.has('MARKER_EXPIRED')) {
      report(`Start again from the current items: ${command(['list'], options)}`);
    }
    throw error;
  }
  stopped.abort();
  reportCut(table);
  if (last !== undefined) {
    report(`later messages: ${command(['follow', '--from', last.metadata.eventId], options)}`);
  }
}

/** The command line of another feed command, as the same identity. */
function command([verb = '', ...words]: string[], options: IdentityOptions): string {
  return nextCommand(['feed', verb, ...words], options);
}

/** For "now", the marker comes from the current items. */
async function findMarker(client: Landfall, from: string): Promise<string | undefined> {
  if (from === 'start') return undefined;
  if (from !== 'now') return from;
  return (await client.listCurrentGoodsItems({ limit: 1 })).marker;
}

const eventId = new RegExp(UUID_PATTERN);

function readFrom(text: string): string {
  if (text !== 'start' && text !== 'now' && !eventId.test(text)) {
    throw new InvalidArgumentError('It must be an eventId, "start" or "now".');
  }
  return text;
}
