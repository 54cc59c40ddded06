// `landfall dataset generate`: generates a day at an airport, a post terminal, a ferry quay or a road border.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import {
  type DatasetKind,
  type DatasetSize,
  datasetKinds,
  generateDataset,
} from '@landfall/samples';
import { Argument, type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { printText, report } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';
import { CommandFailedError, codeOf } from '../../process/exit.js';

type GenerateOptions = { size: DatasetSize; seed: number; houses?: number; output?: string };

/** How much text is written at a time, in characters. */
const CHUNK_SIZE = 64 * 1024;

/** Adds the command. */
export function addDatasetGenerate(group: Command): void {
  onlyReads(group.command('generate'))
    .description('generate a day at a site: declarations, identities and decisions')
    .addArgument(
      new Argument('<kind>', 'kind of site').choices(datasetKinds.map(({ kind }) => kind)),
    )
    .addOption(
      new Option('--size <size>', 'a twentieth of a usual day, a usual day, or ten times as much')
        .choices(['small', 'medium', 'large'])
        .default('medium'),
    )
    .option(
      '--houses <number>',
      'number of house consignments, instead of --size',
      wholeNumber(0, 9_999_999),
    )
    .option(
      '--seed <number>',
      'the same seed generates the same dataset',
      wholeNumber(0, 999_999_999),
      1,
    )
    .option('--output <file>', 'file to write, replaced when complete (default: stdout)')
    .addHelpText('after', examples)
    .action(generate);
}

const examples = `
House consignments by size:
${datasetKinds
  .map(({ kind, sizes }) => {
    const numbers = Object.values(sizes).map((number) => grouped(number).padStart(9));
    return `  ${kind.padEnd(14)}${numbers.join('')}`;
  })
  .join('\n')}

Organisations and goods are fictitious, check digits are valid. The lines are those that authority import takes, and
lines with identities and decisions: see docs/guide/datasets.md.

Examples:
  $ landfall dataset generate airport --seed 7 --output airport.ndjson
  $ landfall dataset generate post-terminal --houses 100000 | landfall dataset view -`;

async function generate(
  kind: DatasetKind,
  { size, seed, houses = sizeOf(kind, size), output }: GenerateOptions,
): Promise<void> {
  let lines = 0;
  const rate = startRate();
  const line = () => `${grouped(lines)} lines, ${rate(lines)}/s`;
  const chunks = function* (): Generator<string> {
    let text = '';
    for (const value of generateDataset({ kind, seed, houses })) {
      text += `${JSON.stringify(value)}\n`;
      lines += 1;
      if (text.length < CHUNK_SIZE) continue;
      yield text;
      text = '';
    }
    yield text;
  };
  await withProgress(line, async () => {
    if (output !== undefined) await writeWhole(output, chunks());
    else for (const chunk of chunks()) await printText(chunk);
  });
  const written = output === undefined ? '' : ` in ${output}`;
  report(`generated ${grouped(houses)} house consignments${written} (${kind}, seed ${seed})`);
}

function sizeOf(kind: DatasetKind, size: DatasetSize): number {
  const found = datasetKinds.find((each) => each.kind === kind);
  if (found === undefined) throw new RangeError(`there is no kind ${kind}`);
  return found.sizes[size];
}

/** Writes beside the file first, so that an interruption leaves no incomplete dataset. */
async function writeWhole(file: string, chunks: Iterable<string>): Promise<void> {
  const beside = `${file}.incomplete`;
  const stream = createWriteStream(beside);
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  try {
    for (const chunk of chunks) {
      // Other work such as the progress line has its turn at each chunk.
      const written = new Promise<void>((resolve) => stream.write(chunk, () => resolve()));
      await Promise.race([written, failed]);
    }
    stream.end();
    await Promise.race([once(stream, 'close'), failed]);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw new CommandFailedError(`cannot write ${file} (${codeOf(error) ?? String(error)})`);
  }
}
