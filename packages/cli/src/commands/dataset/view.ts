// `landfall dataset view`: shows what a dataset contains, and reports every invalid line.
import { stat } from 'node:fs/promises';
import { type DatasetLine, DatasetMovements, uncheckedRegisters } from '@landfall/contract';
import { DatasetSummariser } from '@landfall/samples';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption } from '../../input/options.js';
import { coloursFor, print, printable, printJson, report } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';
import { CommandFailedError } from '../../process/exit.js';
import { drawSummary } from './draw-summary.js';
import { readDatasetFile } from './read-dataset-file.js';

/** Invalid lines beyond this number are only counted. */
const MAX_REPORTED_LINES = 100;

/** Adds the command. */
export function addDatasetView(group: Command): void {
  const command = onlyReads(group.command('view'))
    .description('show what a dataset contains; exit code 1 if a line is invalid')
    .argument('<file>', 'the dataset (NDJSON); - reads stdin');
  addJsonOption(command).addHelpText('after', examples).action(view);
}

const examples = `
Shows the numbers of each level, when and where the goods arrive, who presents them, and one declaration as an example.
Invalid lines are reported on stderr with their number, the member and the rule, and are not counted. Customs offices,
places and registered documents are those of the playground, so they are checked when it starts.

Examples:
  $ landfall dataset view airport.ndjson
  $ landfall dataset generate ferry-quay | landfall dataset view - --json`;

async function view(file: string, { json }: { json?: true }): Promise<void> {
  const summariser = new DatasetSummariser();
  const judge = makeJudge(new Date());
  const size = file === '-' ? undefined : (await stat(file).catch(() => undefined))?.size;
  let lines = 0;
  let invalid = 0;
  let bytes = 0;
  const rate = startRate();
  const line = () => {
    const percent =
      size === undefined ? '' : `, ${Math.floor((100 * bytes) / Math.max(size, 1))} %`;
    return `${grouped(lines)} lines, ${rate(lines)}/s${percent}`;
  };
  const onRead = (read: number) => {
    bytes = read;
  };
  await withProgress(line, async ({ clear }) => {
    for await (const batch of readDatasetFile(file, onRead)) {
      for (const found of batch) {
        lines += 1;
        const read = judge(found);
        if ('entry' in read) {
          summariser.add(read.entry);
          continue;
        }
        invalid += 1;
        if (invalid > MAX_REPORTED_LINES) continue;
        clear();
        for (const error of errorLines(read)) report(error);
      }
    }
  });
  const summary = summariser.summarise();
  if (json) printJson(summary);
  else for (const drawn of drawSummary(summary, coloursFor())) print(drawn);
  if (invalid > 0) throw new CommandFailedError(invalidLines(invalid, lines));
}

/** Judges the movement messages of lines as if a playground started now with nothing but the dataset. */
function makeJudge(start: Date): (line: DatasetLine) => DatasetLine {
  const movements = new DatasetMovements();
  // A playground has the customs offices that were imported into it.
  const registers = { ...uncheckedRegisters, isCustomsOffice: () => true };
  return (line) => {
    if (!('entry' in line)) return line;
    const { entry } = line;
    if (entry.kind === 'referenceDocument') movements.addDocument(entry.document);
    if (entry.kind !== 'movement') return line;
    const { errors } = movements.check(entry, { start, registers, isLodged: false });
    return errors.length > 0 ? { line: line.line, errors } : line;
  };
}

/** One line of text for each broken rule. */
function errorLines({ line, errors }: Extract<DatasetLine, { errors: unknown }>): string[] {
  return errors.map(
    ({ field, error, code }) => `line ${line}: ${printable(field) || 'line'}: ${error} (${code})`,
  );
}

function invalidLines(invalid: number, lines: number): string {
  const verb = invalid === 1 ? 'is' : 'are';
  const more = invalid > MAX_REPORTED_LINES ? `; the first ${MAX_REPORTED_LINES} are shown` : '';
  return `${grouped(invalid)} of ${grouped(lines)} lines ${verb} invalid${more}`;
}
