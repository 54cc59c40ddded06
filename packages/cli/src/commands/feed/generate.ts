// `landfall feed generate`: generates a history of realistic goods-item messages.
import { generateGoodsItems } from '@landfall/samples';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { printText, report } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';

type GenerateOptions = { declarations: number; seed: number };

/** How much text is written at a time, in characters. */
const CHUNK_SIZE = 65_536;

/** Adds the command. */
export function addFeedGenerate(group: Command): void {
  onlyReads(group.command('generate'))
    .description('generate realistic goods-item messages on stdout, one per line')
    .option(
      '--declarations <number>',
      'number of declarations; each has 1 to 15 goods items',
      wholeNumber(1, 999_999_999),
      1000,
    )
    .option(
      '--seed <number>',
      'the same seed generates the same messages',
      wholeNumber(0, 999_999_999),
      1,
    )
    .addHelpText('after', examples)
    .action(generate);
}

const examples = `
Companies and persons are fictitious. Some declarations are corrected: their items are removed and new ones added.
Others are withdrawn.

Examples:
  $ landfall feed generate --declarations 10000 >messages.ndjson
  $ landfall feed generate --seed 7 | landfall feed import -`;

async function generate(options: GenerateOptions): Promise<void> {
  let messages = 0;
  let date = '';
  const rate = startRate();
  const line = () => `${grouped(messages)} messages, ${rate(messages)}/s, at ${date}`;
  await withProgress(line, async () => {
    let text = '';
    for (const message of generateGoodsItems(options)) {
      text += `${JSON.stringify(message)}\n`;
      messages += 1;
      if (text.length < CHUNK_SIZE) continue;
      date = message.metadata.created.slice(0, 10);
      await printText(text);
      text = '';
    }
    await printText(text);
  });
  report(`generated ${messages} messages of ${options.declarations} declarations`);
}
