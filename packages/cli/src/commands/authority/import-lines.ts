// Uploads the lines of a file or a pipe, with progress, and reports their results. Sending the whole file again is safe.
import type { Lines, Operation, TextSource, ValidationError } from '@landfall/client';
import { print, report } from '../../output/output.js';
import { grouped, startRate } from '../../output/progress.js';
import { CallFailedError, CommandFailedError } from '../../process/exit.js';
import { explainFailure } from '../../service/explain-failure.js';
import type { Service } from '../../service/open-service.js';
import { type UploadedFile, uploadFile } from '../../service/upload-file.js';
import { type ResultCounts, refusedLinesError, reportResults } from './report-results.js';

/** The result of a line. */
type LineResult = {
  line: number;
  status: string;
  mrn?: string;
  validationErrors?: readonly ValidationError[];
};

type ImportedFile = Omit<UploadedFile, 'onSent'> & {
  json?: true | undefined;
  /** The statuses in the order of the summary; the first one is always in it. */
  statuses: readonly string[];
};

/**
 * Imports a file, and prints how many lines have which status.
 *
 * @throws CommandFailedError if lines are refused, or the upload was interrupted
 */
export async function importLines<Result extends LineResult>(
  service: Service,
  operation: Operation<{ body: TextSource }, Lines<Result>>,
  { json, statuses, ...uploaded }: ImportedFile,
): Promise<void> {
  const counts: ResultCounts = { lines: 0, refused: 0 };
  const byStatus = new Map(statuses.map((status) => [status, 0]));
  const rate = startRate();
  const started = performance.now();
  let sent = '';
  const onSent = (bytes: number, size: number | undefined) => {
    if (size !== undefined && size > 0) sent = `, ${Math.floor((100 * bytes) / size)} % sent`;
  };
  const progress = () => {
    const refused = counts.refused === 0 ? '' : `, ${grouped(counts.refused)} refused`;
    return `${grouped(counts.lines)} lines, ${rate(counts.lines)}/s${sent}${refused}`;
  };
  const results = uploadFile(service, operation, { ...uploaded, onSent });
  try {
    await reportResults(results, counts, {
      ...(json && { json }),
      progress,
      add: ({ status }) => {
        byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      },
    });
  } catch (error) {
    throw explainInterruption(error, counts);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const summary = [...byStatus]
    .filter(([status, count]) => count > 0 || status === statuses[0])
    .map(([status, count]) => `${grouped(count)} ${status.toLowerCase()}`)
    .join(', ');
  const write = json ? report : print;
  write(`${grouped(counts.lines)} lines: ${summary}. ${seconds} s, ${rate(counts.lines)}/s.`);
  if (counts.refused > 0) throw refusedLinesError(counts);
}

function explainInterruption(thrown: unknown, { lines }: ResultCounts): unknown {
  const error = explainFailure(thrown);
  if (!(error instanceof CommandFailedError) || lines === 0) return error;
  return new CallFailedError(
    `${error.message}\n${grouped(lines)} lines were processed. Resubmitting the whole file is safe.`,
    error.ending,
    { details: { ...error.details }, cause: error },
  );
}
