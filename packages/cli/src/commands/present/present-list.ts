// Presents the lines of a list, and resumes from its journal.
import {
  type LandfallError,
  MemoryJournal,
  type PresentationJournal,
  PresentationUnknownError,
} from '@landfall/client';
import { FileJournal } from '@landfall/client/node';
import type { PresentationPath, ValidationError } from '@landfall/contract';
import type { IdentityOptions } from '../../input/options.js';
import { coloursFor, print, printable, printText, report } from '../../output/output.js';
import { eraseProgress, grouped, withProgress } from '../../output/progress.js';
import { CommandFailedError, codeOf } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import { explainFailure, validationLines } from '../../service/explain-failure.js';
import { openService, type Service } from '../../service/open-service.js';
import { Settlements } from '../../service/settlements.js';
import { FailedFile } from './failed-file.js';
import { ListCounts } from './list-counts.js';
import { type InvalidLine, type List, readList } from './read-list.js';
import { retryRefused } from './retry-refused.js';

export type PresentListOptions = IdentityOptions & {
  file: string;
  office: string;
  journal?: string;
  failed?: string;
  skipInvalid?: true;
  concurrency?: number;
  json?: true;
};

/** How many invalid lines are reported; the others are only counted. */
const MAX_REPORTED_INVALID = 1000;

/** How many refused lines are reported; `--failed` has all. */
const MAX_REPORTED_REFUSED = 100;

/** A service that makes a run wait is reported once in this time, in milliseconds. */
const REPORT_PAUSE_EVERY_MS = 30_000;

/** @throws CommandFailedError when lines are invalid or refused; the errors of the client */
export async function presentList(
  level: PresentationPath,
  options: PresentListOptions,
): Promise<void> {
  const { file, office, skipInvalid } = options;
  const list = await readList(file, level, office);
  reportInvalid(list.invalid);
  const total = list.lines.length + list.invalid.length;
  if (list.invalid.length > 0 && !skipInvalid) {
    const lines = total === 1 ? '1 line' : `${grouped(total)} lines`;
    throw new CommandFailedError(
      `${grouped(list.invalid.length)} of ${lines} cannot be presented. Nothing was sent. Correct them, or present the others with --skip-invalid`,
    );
  }
  if (total === 0) {
    report(`Nothing to present: ${file} has no lines after its header.`);
    return;
  }
  const failed =
    options.failed === undefined ? undefined : new FailedFile(options.failed, level, list.form);
  const counts = new ListCounts(total, list.invalid.length);
  try {
    for (const line of list.invalid) {
      failed?.addInvalid(line);
      if (options.json) await printResult(line.line, 'INVALID', undefined, line.errors);
    }
    await presentAll(list, counts, failed, options);
  } finally {
    const lines = failed?.close() ?? 0;
    const were = lines === 1 ? 'line that failed is' : 'lines that failed are';
    if (lines > 0) report(`${grouped(lines)} ${were} in ${options.failed}`);
  }
  (options.json ? report : print)(counts.summary());
  if (counts.failed > 0) throw new CommandFailedError(afterRefusals(counts, options));
}

async function presentAll(
  list: List,
  counts: ListCounts,
  failed: FailedFile | undefined,
  options: PresentListOptions,
): Promise<void> {
  const { json, concurrency } = options;
  const settlements = new Settlements();
  const hooks = { ...settlements.hooks, onRetry: reportPauses() };
  const service = await openService(options, hooks);
  const { client } = service;
  const { signal } = abortOnStop();
  const { journal, close } = await openJournal(service, options);
  try {
    await withProgress(
      () => counts.progress(),
      async ({ clear }) => {
        const given = { journal: retryRefused(journal), concurrency, signal };
        for await (const result of client.presentMany(list.presentations, given)) {
          const { item, index, key, requestId, outcome, errors, isFromJournal } = result;
          const settled = settlements.has(requestId);
          counts.add({ key, outcome, isFromJournal, settled });
          if (outcome === 'refused') failed?.addRefused(item, errors);
          const line = list.lines[index] ?? 0;
          if (json) {
            clear();
            if (outcome === 'presented') await printResult(line, 'PRESENTED', requestId);
            else await printResult(line, 'REFUSED', requestId, errors);
          } else if (outcome === 'refused' && counts.refused <= MAX_REPORTED_REFUSED) {
            clear();
            reportLine(line, 'refused', validationLines(errors));
          }
        }
      },
    );
  } catch (error) {
    report(counts.afterFailure(options.file !== '-' || options.journal !== undefined));
    throw error instanceof PresentationUnknownError ? unknownOutcome(error) : error;
  } finally {
    await close();
  }
}

/** A single presentation is settled by its user, a list by its next run. */
function unknownOutcome({ requestId, cause }: PresentationUnknownError): CommandFailedError {
  const explained = explainFailure(cause);
  const reason = explained instanceof Error ? explained.message : String(explained);
  return new CommandFailedError(`the outcome of request ${requestId} is not known: ${reason}`);
}

/** Opens the journal: beside the list, unless an option names it. A list from standard input has none by itself. */
async function openJournal(
  { client, clientId }: Service,
  options: PresentListOptions,
): Promise<{ journal: PresentationJournal; close: () => Promise<void> }> {
  const { file } = options;
  const path = options.journal ?? (file === '-' ? undefined : `${file}.journal`);
  if (path === undefined) return { journal: new MemoryJournal(), close: async () => undefined };
  try {
    const owner = { service: client.baseUrl, client: clientId };
    const journal = await FileJournal.open(path, { owner });
    return { journal, close: () => journal.close() };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandFailedError(
      `cannot write the journal ${path} (${code}); name another one with --journal. Nothing was sent.`,
    );
  }
}

/** Reports now and then that the service makes the run wait. */
function reportPauses(): (retry: { delayMs: number; error: unknown }) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return ({ error }) => {
    const now = performance.now();
    if (now - reportedAt < REPORT_PAUSE_EVERY_MS) return;
    reportedAt = now;
    eraseProgress();
    // The cast is true because only such errors are tried again.
    report(`${printable((error as LandfallError).message)}; trying again`);
  };
}

function reportInvalid(invalid: readonly InvalidLine[]): void {
  for (const { line, errors } of invalid.slice(0, MAX_REPORTED_INVALID)) {
    const reasons = errors.map(({ field, error, code }) =>
      printable(`  ${field || 'line'}: ${error} (${code})`),
    );
    reportLine(line, 'is invalid', reasons);
  }
  const more = invalid.length - MAX_REPORTED_INVALID;
  if (more > 0) report(`and ${grouped(more)} more lines`);
}

/** Prints the result of a line as JSON. */
async function printResult(
  line: number,
  status: 'PRESENTED' | 'REFUSED' | 'INVALID',
  requestId: string | undefined,
  validationErrors?: readonly ValidationError[],
): Promise<void> {
  await printText(`${JSON.stringify({ line, status, requestId, validationErrors })}\n`);
}

function reportLine(line: number, what: string, reasons: readonly string[]): void {
  report(coloursFor(process.stderr).red(`line ${line} ${what}`));
  for (const reason of reasons) report(reason);
}

function afterRefusals(
  { failed, total }: ListCounts,
  { failed: file }: PresentListOptions,
): string {
  const what = `${grouped(failed)} of ${total === 1 ? '1 line' : `${grouped(total)} lines`} failed`;
  const next =
    file === undefined
      ? 'run the same command again, with --failed FILE to have them in a file'
      : `correct ${file} and present it, or run the same command again`;
  return `${what}; ${next}: what is presented is not presented twice`;
}
