// `landfall feed current`: prints the current goods items and the marker to follow the stream from.
import { compileGoodsItemCheck, operations } from '@landfall/contract';
import type { Command } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession, type Session } from '../../http/credentials.js';
import { nextPageQuery, readText } from '../../http/reach-service.js';
import { readMessage } from '../../http/read-message.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printText, report } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';
import { headingLine, rowLine } from '../../output/table.js';
import { goodsItemColumns } from './goods-item-table.js';

type CurrentOptions = IdentityOptions & { declaration?: string; json?: true };

const operation = operations.listCurrentGoodsItems;

/** Adds the command. */
export function addFeedCurrent(group: Command): void {
  const command = group
    .command('current')
    .description('print the current goods items, after all additions and removals');
  addIdentityOptions(command, { defaultName: 'statistics' }).option(
    '--declaration <id>',
    'only the items of this declaration',
  );
  addJsonOption(command).addHelpText('after', examples).action(current);
}

const examples = `
Each item is printed as the message that added it; with --json, one message per line. The last line is the command
that continues with later messages.

Examples:
  $ landfall feed current
  $ landfall feed current --declaration 310000019-20260117-4711-01
  $ landfall feed current --json >items.ndjson`;

async function current(options: CurrentOptions): Promise<void> {
  const { json } = options;
  const session = await openSession(options);
  const check = compileGoodsItemCheck();
  const colours = coloursFor();
  let items = 0;
  let marker: string | undefined;
  const rate = startRate();
  const line = () => `${grouped(items)} messages, ${rate(items)}/s`;
  await withProgress(line, async ({ clear }) => {
    for await (const page of readPages(session, options.declaration)) {
      marker ??= page.marker;
      const messages = page.lines.map((text) => readMessage(text, check, operation.operationId));
      clear();
      if (items === 0 && messages.length > 0 && !json) {
        print(headingLine(goodsItemColumns, colours));
      }
      items += messages.length;
      const rows = json
        ? page.lines
        : messages.map((message) => rowLine(goodsItemColumns, message, colours));
      await printText(rows.map((row) => `${row}\n`).join(''));
    }
  });
  const words = ['feed', 'tail', '--as', options.as, '--from', marker ?? 'start'];
  const count = items === 0 ? 'No' : items === 1 ? '1' : grouped(items);
  report(
    `${count} current goods ${items === 1 ? 'item' : 'items'}. Next: ${nextCommand(words, options)}`,
  );
}

/** A page: one message per line, and the marker to follow the stream from after the last page. */
type Page = { lines: string[]; marker: string | undefined };

async function* readPages(session: Session, declaration?: string): AsyncGenerator<Page> {
  for (let page: string | undefined; ; ) {
    const response = await callService(session, operation, {
      query: { declaration, page },
      headers: { Accept: 'application/x-ndjson' },
    });
    const text = await readText(response);
    const lines = text.split('\n').filter((line) => line !== '');
    yield { lines, marker: response.headers.get('landfall-marker') ?? undefined };
    page = nextPageQuery(response)?.get('page') ?? undefined;
    if (page === undefined) return;
  }
}
