// Reports the results of uploaded lines; shared by `decide` and `import`.
import type { ValidationError } from '@landfall/client';
import { coloursFor, print, printable, report } from '../../output/output.js';
import { grouped, withProgress } from '../../output/progress.js';
import { CommandFailedError } from '../../process/exit.js';

/** How many refused lines are reported; the others are only counted. */
const MAX_REPORTED_LINES = 100;

type Current = { routing: string; origin: string; number: number };

type Result = {
  line: number;
  status: string;
  mrn?: string;
  validationErrors?: readonly ValidationError[];
  /** What somebody else has decided. */
  current?: Current;
};

/** The number of results, and how many of them are refused. */
export type ResultCounts = { lines: number; refused: number };

/**
 * Reports refused lines on stderr as results arrive; with `json`, prints every result instead.
 *
 * @param options `add` is called for each result; `progress` returns the current progress line
 */
export async function reportResults<Each extends Result>(
  results: AsyncIterable<Each>,
  counts: ResultCounts,
  options: { add: (result: Each) => void; progress: () => string; json?: true },
): Promise<void> {
  await withProgress(options.progress, async ({ clear }) => {
    for await (const result of results) {
      const refused = result.status === 'REFUSED' || result.status === 'CONFLICT';
      counts.lines++;
      if (refused) counts.refused++;
      options.add(result);
      if (!options.json && !(refused && counts.refused <= MAX_REPORTED_LINES)) continue;
      clear();
      if (options.json) print(JSON.stringify(result));
      else reportRefusedLine(result);
    }
  });
}

/** The error of an upload with refused lines. */
export function refusedLinesError({ lines, refused }: ResultCounts): CommandFailedError {
  const more =
    refused > MAX_REPORTED_LINES ? ` (the first ${MAX_REPORTED_LINES} are reported)` : '';
  const were = refused === 1 ? 'was' : 'were';
  return new CommandFailedError(
    `${grouped(refused)} of ${lines === 1 ? '1 line' : `${grouped(lines)} lines`} ${were} refused${more}; fix these lines and resubmit; resubmitting the whole file is safe`,
  );
}

/** Why a decision was not made although it breaks no rule. */
export function describeConflict(current: Current | undefined): string {
  if (current === undefined) return 'nobody has decided, but a decision was expected (CONFLICT)';
  const { routing, origin, number } = current;
  return `${origin} has decided ${routing} in decision ${number}; to replace it, give ${number} as expected (CONFLICT)`;
}

function reportRefusedLine({ line, mrn, status, validationErrors = [], current }: Result): void {
  const { red } = coloursFor(process.stderr);
  report(`${red(`line ${line} refused`)}${mrn === undefined ? '' : ` (${printable(mrn)})`}`);
  for (const { field, error, code } of validationErrors) {
    report(`  ${printable(field) || 'line'}: ${printable(error)} (${code})`);
  }
  if (status === 'CONFLICT') report(`  ${describeConflict(current)}`);
}
