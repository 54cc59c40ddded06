// `landfall authority generate`: generates realistic pre-notifications, reproducible by seed.
import { generatePreNotificationLines, generatePreNotifications } from '@landfall/samples';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { printText } from '../../output/output.js';

type GenerateOptions = { ens: number; houses: number; seed: number; whole?: true };

/** How much text is written at a time, in characters. */
const CHUNK_SIZE = 64 * 1024;

/** Adds the command. */
export function addAuthorityGenerate(group: Command): void {
  onlyReads(group.command('generate'))
    .description('generate realistic pre-notifications with valid check digits on stdout')
    .option('--ens <number>', 'number of entry summary declarations', wholeNumber(1, 1_000_000), 10)
    .option(
      '--houses <number>',
      'total number of house consignments, spread over the declarations',
      wholeNumber(0, 100_000_000),
      100,
    )
    .option(
      '--seed <number>',
      'the same seed generates the same output',
      wholeNumber(0, 999_999_999),
      1,
    )
    .option(
      '--whole',
      'one line per declaration with its house consignments, instead of one line for each',
    )
    .addHelpText('after', examples)
    .action(generate);
}

const examples = `
Generates air waybills, postal items in receptacles, and bills of lading with containers, as NDJSON. Some already
have a routing decision. A day at one site, with identities: landfall dataset generate

Examples:
  $ landfall authority generate --ens 100 --houses 1000 --seed 7 >lines.ndjson
  $ landfall authority generate --ens 100 --houses 1000 --seed 7 | landfall authority import -`;

async function generate({ whole, ...options }: GenerateOptions): Promise<void> {
  const lines = whole ? wholeLines(options) : generatePreNotificationLines(options);
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < CHUNK_SIZE) continue;
    await printText(text);
    text = '';
  }
  await printText(text);
}

function* wholeLines(options: Omit<GenerateOptions, 'whole'>): Generator<string> {
  for (const declaration of generatePreNotifications(options)) {
    yield `${JSON.stringify(declaration)}\n`;
  }
}
