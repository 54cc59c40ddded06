// `landfall feed list`: prints the current goods items and the marker to follow the stream from.
import { asTexts, readList, type ShownGoodsItemMessage } from '@landfall/client';
import { listCurrentGoodsItems } from '@landfall/client/operations';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printText, report } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';
import { openTable, reportCut } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { goodsItemColumns } from './goods-item-table.js';

type ListOptions = IdentityOptions & { declaration?: string; json?: true };

/** Adds the command. */
export function addFeedList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'print the current goods items, after all additions and removals',
  );
  addServiceOptions(command, 'statistics').option(
    '--declaration <id>',
    'only the items of this declaration',
  );
  addJsonLinesOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Each item is printed as the message that added it; with --json, one message per line, exactly as it was published. The
last line is the command that continues with later messages.

Examples:
  $ landfall feed list
  $ landfall feed list --declaration 310000019-20260117-4711-01
  $ landfall feed list --json >items.ndjson`;

async function list(options: ListOptions): Promise<void> {
  const { json, declaration } = options;
  const { client } = await openService(options);
  const table = openTable(goodsItemColumns);
  let items = 0;
  let marker: string | undefined;
  const rate = startRate();
  const line = () => `${grouped(items)} messages, ${rate(items)}/s`;
  await withProgress(line, async ({ clear }) => {
    const query = declaration ? { declaration } : {};
    const current = readList(client, asTexts(listCurrentGoodsItems), { query });
    for await (const page of current.pages()) {
      const { entries } = page;
      marker ??= page.marker;
      clear();
      if (items === 0 && entries.length > 0 && !json) {
        print(table.heading());
      }
      items += entries.length;
      // The cast is true because the contract says what a text of this list is.
      const rows = json
        ? entries
        : entries.map((text) => table.row(JSON.parse(text) as ShownGoodsItemMessage));
      await printText(rows.map((row) => `${row}\n`).join(''));
    }
  });
  reportCut(table);
  const words = ['feed', 'follow', '--marker', marker ?? 'start'];
  const count = items === 0 ? 'No' : items === 1 ? '1' : grouped(items);
  report(
    `${count} current goods ${items === 1 ? 'item' : 'items'}. Next: ${nextCommand(words, options)}`,
  );
}
