// `landfall feed current`: prints the goods items that stand, page by page, and where the stream goes on from there.
import { compileGoodsItemCheck, operations } from '@landfall/contract';
import type { Command } from 'commander';
import { callService } from './call-service.js';
import { openSession, type Session } from './credentials.js';
import { goodsItemColumns } from './goods-item-table.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from './identity-options.js';
import { nextCommand } from './next-command.js';
import { coloursFor, print, printText, tell } from './output.js';
import { grouped, startRate, withProgress } from './progress.js';
import { readText } from './reach-service.js';
import { readMessage } from './read-message.js';
import { headingLine, rowLine } from './table.js';

type CurrentOptions = IdentityOptions & { declaration?: string; json?: true };

const operation = operations.listCurrentGoodsItems;

/** Adds the verb. */
export function addFeedCurrent(group: Command): void {
  const command = group
    .command('current')
    .description('print the goods items that stand after all additions and removals');
  addIdentityOptions(command, { defaultName: 'statistics' }).option(
    '--declaration <id>',
    'only the items of this declaration',
  );
  addJsonOption(command).addHelpText('after', examples).action(current);
}

const examples = `
Each item is the message that added it. With --json, one message a line. The command that goes on from here in the
stream is told at the end.

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
  const count = items === 1 ? '1 goods item stands' : `${grouped(items)} goods items stand`;
  tell(`${count}; what comes after: ${nextCommand(words, options)}`);
}

/** A page: its messages, a line each, and where the stream goes on when all pages are read. */
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
    page = nextPage(response.headers.get('link'));
    if (page === undefined) return;
  }
}

/** Which page the header `Link` says is next (RFC 8288). */
function nextPage(link: string | null): string | undefined {
  const address = /<([^>]*)>[^,]*rel="?next"?/.exec(link ?? '')?.[1];
  const query = address?.split('?', 2)[1];
  return new URLSearchParams(query).get('page') ?? undefined;
}
