// `landfall reference-document generate`: generates documents for trials, reproducible by seed.
import { generateReferenceDocuments } from '@landfall/samples';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { printText } from '../../output/output.js';

type GenerateOptions = { count: number; seed: number };

/** How much text is written at a time, in characters. */
const CHUNK_SIZE = 64 * 1024;

/** Adds the command. */
export function addReferenceDocumentGenerate(group: Command): void {
  onlyReads(group.command('generate'))
    .description('generate documents of other registers on stdout, for trials')
    .option('--count <number>', 'number of documents', wholeNumber(1, 100_000_000), 100)
    .option(
      '--seed <number>',
      'the same seed generates the same output',
      wholeNumber(0, 999_999_999),
      1,
    )
    .addHelpText('after', examples)
    .action(generate);
}

const examples = `
Generates customs declarations, transits, exports and VOEC numbers as NDJSON. A few are not valid.

Examples:
  $ landfall reference-document generate --count 1000 --seed 7 >documents.ndjson
  $ landfall reference-document generate --count 1000 | landfall reference-document import -`;

async function generate(options: GenerateOptions): Promise<void> {
  let text = '';
  for (const document of generateReferenceDocuments(options)) {
    text += `${JSON.stringify(document)}\n`;
    if (text.length < CHUNK_SIZE) continue;
    await printText(text);
    text = '';
  }
  await printText(text);
}
