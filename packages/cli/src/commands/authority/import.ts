// `landfall authority import`: registers any number of pre-notifications from a file or a pipe.
import { postEntrySummaryDeclarations } from '@landfall/client/operations';
import type { Command } from 'commander';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
} from '../../input/options.js';
import { print, report } from '../../output/output.js';
import { grouped, startRate } from '../../output/progress.js';
import { CallFailedError, CommandFailedError } from '../../process/exit.js';
import { explainFailure } from '../../service/explain-failure.js';
import { openService } from '../../service/open-service.js';
import { uploadFile } from '../../service/upload-file.js';
import { type ResultCounts, refusedLinesError, reportResults } from './report-results.js';

type ImportOptions = IdentityOptions & { json?: true };

/** Adds the command. */
export function addAuthorityImport(group: Command): void {
  const command = group
    .command('import')
    .description('register pre-notifications: declarations and house consignments, any number')
    .argument('<file>', 'NDJSON, one declaration or house consignment per line; - reads stdin');
  addServiceOptions(command, 'authority');
  addJsonLinesOption(command).addHelpText('after', examples).action(importLines);
}

const examples = `
A line with errors is reported with its number and does not affect other lines; the exit code is then 1.
Resubmitting the whole file is safe, also after an interrupted import: lines already registered are unchanged. A line with
a "version" that is older than what is kept changes nothing, and is counted as outdated.

Examples:
  $ landfall authority import lines.ndjson
  $ landfall authority generate --ens 100 --houses 1000 | landfall authority import -
  $ landfall authority import lines.ndjson --json | grep REFUSED

Each line is one of
  {"mrn":"26NO00000000000001","customsOfficeOfFirstEntry":"NO351001","declarant":"0192:310000019","houseConsignments":[]}
  {"mrn":"26NO00000000000001","houseConsignment":{"transportDocumentHouseLevel":{"documentNumber":"H1","type":"N703"}}}`;

async function importLines(file: string, options: ImportOptions): Promise<void> {
  const service = await openService(options);
  const counts: ResultCounts = { lines: 0, refused: 0 };
  const byStatus = { REGISTERED: 0, CHANGED: 0, UNCHANGED: 0, OUTDATED: 0, REFUSED: 0 };
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
  const results = uploadFile(service, postEntrySummaryDeclarations, { file, onSent });
  try {
    await reportResults(results, counts, {
      ...options,
      progress,
      add: ({ status }) => {
        byStatus[status]++;
      },
    });
  } catch (error) {
    throw explainInterruption(error, counts);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const summary = Object.entries(byStatus)
    .filter(([status, count]) => count > 0 || status === 'REGISTERED')
    .map(([status, count]) => `${grouped(count)} ${status.toLowerCase()}`)
    .join(', ');
  const write = options.json ? report : print;
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
