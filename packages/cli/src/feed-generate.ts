// `landfall feed generate`: makes a history of realistic goods-item messages, one a line.
import { generateGoodsItems } from '@landfall/samples';
import type { Command } from 'commander';
import { wholeNumber } from './identity-options.js';
import { printText, tell } from './output.js';
import { grouped, startRate, withProgress } from './progress.js';

type GenerateOptions = { declarations: number; seed: number };

/** Text that is written at once, in characters. */
const AT_ONCE = 65_536;

/** Adds the verb. */
export function addFeedGenerate(group: Command): void {
  group
    .command('generate')
    .description('make realistic goods-item messages, one a line on stdout')
    .option(
      '--declarations <number>',
      'how many declarations; each has 1 to 15 goods items',
      wholeNumber(1, 999_999_999),
      1000,
    )
    .option(
      '--seed <number>',
      'the same seed makes the same messages',
      wholeNumber(0, 999_999_999),
      1,
    )
    .addHelpText('after', examples)
    .action(generate);
}

const examples = `
Firms and persons are made up. Some declarations are corrected: the old items are removed and new ones added;
some are withdrawn.

Examples:
  $ landfall feed generate --declarations 10000 >messages.ndjson
  $ landfall feed generate --seed 7 | landfall feed publish -`;

async function generate(options: GenerateOptions): Promise<void> {
  let messages = 0;
  let declared = '';
  const rate = startRate();
  const line = () => `${grouped(messages)} messages, ${rate(messages)}/s, at ${declared}`;
  await withProgress(line, async () => {
    let text = '';
    for (const message of generateGoodsItems(options)) {
      text += `${JSON.stringify(message)}\n`;
      messages += 1;
      if (text.length < AT_ONCE) continue;
      declared = message.metadata.created.slice(0, 10);
      await printText(text);
      text = '';
    }
    await printText(text);
  });
  tell(`made ${messages} messages of ${options.declarations} declarations`);
}
