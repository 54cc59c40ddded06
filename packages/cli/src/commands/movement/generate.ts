// `landfall movement generate`: generates the messages of a journey for trials, reproducible by seed.
import { keysOf, type MovementLevel } from '@landfall/contract';
import {
  generateJourney,
  generateJourneyDataset,
  type JourneyKind,
  journeyKinds,
} from '@landfall/samples';
import { Argument, type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { utcTime, wholeNumber } from '../../input/options.js';
import { printText, report } from '../../output/output.js';
import { grouped } from '../../output/progress.js';

type GenerateOptions = {
  houses?: number;
  incomplete: number;
  carrier: string;
  arrives?: Date;
  dataset?: string;
  seed: number;
};

/** How much text is written at a time, in characters. */
const CHUNK_SIZE = 64 * 1024;

/** When a transport is expected unless an option says it, in milliseconds from now. */
const ARRIVES_IN_MS = 2 * 3_600_000;

/** As many as `landfall movement lodge` takes, with their masters and the transport. */
const MAX_HOUSES = 90_000;

/** Adds the command. */
export function addMovementGenerate(group: Command): void {
  onlyReads(group.command('generate'))
    .description('generate the messages of a journey, for trials: all that belongs to a transport')
    .addArgument(new Argument('<kind>', 'kind of journey').choices(keysOf(journeyKinds)))
    .option(
      '--houses <number>',
      'number of house consignments (default: that of the kind)',
      wholeNumber(1, MAX_HOUSES),
    )
    .option(
      '--incomplete <percent>',
      'how many of them lack their import procedure',
      wholeNumber(0, 100),
      0,
    )
    .option('--carrier <id>', 'number of the carrier that the messages name', 'NO310000019')
    .option('--arrives <time>', 'when it is expected, in UTC (default: in two hours)', utcTime)
    .option(
      '--seed <number>',
      'the same seed and time generate the same messages',
      wholeNumber(0, 999_999_999),
      1,
    )
    .addOption(
      new Option(
        '--dataset <identity>',
        'write lines of a dataset, which this identity of the playground lodges; they arrive two hours after its start',
      ).conflicts('arrives'),
    )
    .addHelpText('after', examples)
    .action(generate);
}

const kinds = keysOf(journeyKinds)
  .map((kind) => {
    const { mode, houses, description } = journeyKinds[kind];
    return `  ${kind.padEnd(12)} ${mode.padEnd(9)} ${String(houses).padStart(4)}  ${description}`;
  })
  .join('\n');

const examples = `
Kinds, with their mode and number of house consignments:
${kinds}

The messages are NDJSON in the order in which they are lodged: house consignments, masters, the transport. They cite
documents that the registers of a playground have. The default carrier is the identity "carrier" of a playground.

With --dataset, a playground starts with the journey: landfall playground --dataset FILE. A freighter then has entry
summary declarations of some of its goods too.

Examples:
  $ landfall movement generate lorry | landfall movement lodge --mode road --file -
  $ landfall movement generate mail-flight --houses 5000 --incomplete 10 --seed 7 >flight.ndjson
  $ landfall movement generate train --dataset carrier >train.ndjson`;

async function generate(kind: JourneyKind, options: GenerateOptions): Promise<void> {
  const numbers = { 'house-consignment': 0, 'master-consignment': 0, transport: 0 };
  let text = '';
  for (const { level, line } of generateLines(kind, options)) {
    if (level !== undefined) numbers[level] += 1;
    text += `${JSON.stringify(line)}\n`;
    if (text.length < CHUNK_SIZE) continue;
    await printText(text);
    text = '';
  }
  await printText(text);
  const { mode } = journeyKinds[kind];
  const houses = grouped(numbers['house-consignment']);
  const masters = grouped(numbers['master-consignment']);
  report(
    `generated a transport, master consignments: ${masters}, house consignments: ${houses} (${mode}, seed ${options.seed})`,
  );
}

/** The lines, each with the level of its message if it has one. */
function* generateLines(
  kind: JourneyKind,
  { incomplete, arrives, dataset: identity, ...given }: GenerateOptions,
): Generator<{ level: MovementLevel | undefined; line: object }> {
  const journey = { kind, incomplete: incomplete / 100, ...given };
  if (identity !== undefined) {
    for (const line of generateJourneyDataset({ ...journey, identity })) {
      yield { level: 'movement' in line ? line.movement.level : undefined, line };
    }
    return;
  }
  const arrivesAt = arrives ?? new Date(Date.now() + ARRIVES_IN_MS);
  for (const { level, message } of generateJourney({ ...journey, arrivesAt })) {
    yield { level, line: message };
  }
}
