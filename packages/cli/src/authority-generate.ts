// `landfall authority generate`: realistic pre-notifications for trials and load, the same again for the same seed.
import { once } from 'node:events';
import { generatePreNotificationLines, generatePreNotifications } from '@landfall/samples';
import type { Command } from 'commander';
import { wholeNumber } from './identity-options.js';

type GenerateOptions = { ens: number; houses: number; seed: number; whole?: true };

/** Text that is written at once, in characters. */
const PART = 64 * 1024;

/** Adds the verb. */
export function addAuthorityGenerate(group: Command): void {
  group
    .command('generate')
    .description('print made-up pre-notifications, with the check digits that real ones have')
    .option('--ens <number>', 'entry summary declarations', wholeNumber(1, 1_000_000), 10)
    .option(
      '--houses <number>',
      'house consignments in all, spread over the declarations',
      wholeNumber(0, 100_000_000),
      100,
    )
    .option('--seed <number>', 'the same seed gives the same again', wholeNumber(0, 999_999_999), 1)
    .option(
      '--whole',
      'a declaration a line, with its house consignments, instead of a line for each',
    )
    .addHelpText('after', examples)
    .action(generate);
}

const examples = `
Air waybills, postal items in receptacles, and bills of lading with containers, as NDJSON on stdout. Some are decided
beforehand.

Examples:
  $ landfall authority generate --ens 100 --houses 1000 --seed 7 >lines.ndjson
  $ landfall authority generate --ens 100 --houses 1000 --seed 7 | landfall authority import -`;

async function generate({ whole, ...options }: GenerateOptions): Promise<void> {
  const lines = whole ? wholeLines(options) : generatePreNotificationLines(options);
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < PART) continue;
    // Whoever reads us may be slower than we are.
    if (!process.stdout.write(part)) await once(process.stdout, 'drain');
    part = '';
  }
  process.stdout.write(part);
}

function* wholeLines(options: Omit<GenerateOptions, 'whole'>): Generator<string> {
  for (const declaration of generatePreNotifications(options)) {
    yield `${JSON.stringify(declaration)}\n`;
  }
}
