// `landfall feed follow`: follows the goods-item stream.
import { followGoodsItemTexts, type Landfall, type ShownGoodsItemMessage } from '@landfall/client';
import type { Command } from 'commander';
import { addFollowingOptions, type FollowingOptions } from '../../input/follow-options.js';
import { onlyReads } from '../../input/only-reads.js';
import { addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printText, report } from '../../output/output.js';
import { openTable, reportCut } from '../../output/table.js';
import { followFeed } from '../../service/follow-feed.js';
import { openService } from '../../service/open-service.js';
import { goodsItemColumns } from './goods-item-table.js';

type FollowOptions = IdentityOptions & FollowingOptions;

/** Adds the command. */
export function addFeedFollow(group: Command): void {
  const command = onlyReads(group.command('follow')).description(
    'print goods-item messages as they are published, until Ctrl-C or --limit',
  );
  addServiceOptions(command, 'statistics');
  addFollowingOptions(command, {
    entries: 'messages',
    marker: 'eventId',
    words: [
      ['now', 'only new messages'],
      ['start', 'the oldest message'],
    ],
  })
    .addHelpText('after', examples)
    .action(follow);
}

const examples = `
--json prints one message per line, exactly as it was published. After a lost connection, it resumes after the last
message. With --store, so does the next run.

Examples:
  $ landfall feed follow
  $ landfall feed follow --marker start --json >messages.ndjson
  $ landfall feed follow --store feed.position --marker start --json
  $ landfall feed follow --marker 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01`;

async function follow(options: FollowOptions): Promise<void> {
  const { json, marker } = options;
  const { client } = await openService(options);
  const table = openTable(goodsItemColumns);
  let last: string | undefined;
  await followFeed((settings) => followGoodsItemTexts(client, settings), {
    ...options,
    what: `the goods-item stream as ${options.as}`,
    noun: 'message',
    findStart: () => findMarker(client, marker),
    startAgain: command(['list'], options),
    begin: () => {
      if (!json) print(table.heading());
    },
    check: (entry) => client.check('listGoodsItems', entry),
    handle: async (text) => {
      await printText(`${json ? text : table.row(parse(text))}\n`);
      last = text;
    },
  });
  reportCut(table);
  if (last !== undefined && options.store === undefined) {
    const { eventId } = parse(last).metadata;
    report(`later messages: ${command(['follow', '--marker', eventId], options)}`);
  }
}

/** The cast is true because the contract says what a text of the stream is. */
function parse(text: string): ShownGoodsItemMessage {
  return JSON.parse(text) as ShownGoodsItemMessage;
}

/** The command line of another feed command, as the same identity. */
function command([verb = '', ...words]: string[], options: IdentityOptions): string {
  return nextCommand(['feed', verb, ...words], options);
}

/** For "now", the marker comes from the current items. */
async function findMarker(client: Landfall, given: string): Promise<string | undefined> {
  if (given === 'start') return undefined;
  if (given !== 'now') return given;
  return (await client.listCurrentGoodsItems({ limit: 1 })).marker;
}
