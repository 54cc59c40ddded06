// Presents the lines of a list, and resumes from its journal.
import {
  LandfallError,
  MemoryJournal,
  type PresentationJournal,
  PresentationUnknownError,
} from '@landfall/client';
import { FileJournal } from '@landfall/client/node';
import type { PresentationPath, ValidationError } from '@landfall/contract';
import type { IdentityOptions } from '../../input/options.js';
import { coloursFor, print, printable, printText, report } from '../../output/output.js';
import { eraseProgress, grouped, withProgress } from '../../output/progress.js';
import { CallFailedError, CommandFailedError, codeOf } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import { explainFailure, validationLines } from '../../service/explain-failure.js';
import { openService, type Service } from '../../service/open-service.js';
import { Settlements } from '../../service/settlements.js';
import { claimJournal } from './claim-journal.js';
import { FailedFile, inWords, type Written } from './failed-file.js';
import { ListCounts } from './list-counts.js';
import { type InvalidLine, type List, readList } from './read-list.js';

export type PresentListOptions = IdentityOptions & {
  file: string;
  office: string;
  journal?: string;
  failed?: string;
  corrected?: true;
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

const AFTER_UNKNOWN =
  'it is not known whether some lines were presented; to find out, run the same command again: nothing is presented twice';

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
  const counts = new ListCounts(total, list.invalid.length);
  await presentAll(level, list, counts, options);
  (options.json ? report : print)(counts.summary());
  if (counts.unknown > 0) throw new CallFailedError(AFTER_UNKNOWN, 'UNKNOWN');
  if (counts.failed > 0) throw new CommandFailedError(afterRefusals(counts, options));
}

async function presentAll(
  level: PresentationPath,
  list: List,
  counts: ListCounts,
  options: PresentListOptions,
): Promise<void> {
  const { json, concurrency } = options;
  const settlements = new Settlements();
  const hooks = { ...settlements.hooks, onRetry: reportPauses() };
  const service = await openService(options, hooks);
  const { client } = service;
  const { signal } = abortOnStop();
  const { journal, close } = await openJournal(service, list, options);
  let failed: FailedFile | undefined;
  let isWhole = false;
  try {
    // Only whoever has the journal writes it.
    if (options.failed !== undefined) {
      failed = await FailedFile.open(options.failed, level, list.form);
    }
    // What is wrong with the credentials or the connection is found out before anything is replaced.
    await client.testAuth({ signal });
    for (const line of list.invalid) {
      failed?.addInvalid(line);
      if (json) await printResult(line.line, { outcome: 'invalid', errors: line.errors });
    }
    await withProgress(
      () => counts.progress(),
      async ({ clear }) => {
        const given = { journal, retryRefused: true, concurrency, signal };
        for await (const result of client.presentMany(list.presentations, given)) {
          const { item, index, outcome, errors, error } = result;
          const isUnknown = error instanceof PresentationUnknownError;
          counts.add({ ...result, isUnknown, settled: settlements.has(result.requestId) });
          const reasons = error === undefined ? validationLines(errors) : [`  ${reasonOf(error)}`];
          // What may have been presented is not to be presented as another list.
          if (outcome !== 'presented' && !isUnknown) {
            failed?.addRefused(item, error === undefined ? inWords(errors) : reasonOf(error));
          }
          const line = list.lines[index] ?? 0;
          if (json) {
            clear();
            await printResult(line, result);
          } else if (outcome !== 'presented' && counts.failed <= MAX_REPORTED_REFUSED) {
            clear();
            const what = isUnknown ? 'has an unknown outcome' : outcome;
            reportLine(line, what, reasons);
          }
        }
      },
    );
    isWhole = true;
  } catch (error) {
    report(counts.afterFailure(options.file !== '-' || options.journal !== undefined));
    throw error instanceof PresentationUnknownError ? unknownOutcome(error) : error;
  } finally {
    // Another run may begin when the journal is closed: its file is to replace this one.
    try {
      if (failed !== undefined) reportFailed(failed.close(isWhole), isWhole, options.failed);
    } finally {
      await close();
    }
  }
}

function reportFailed({ lines, file, isEarlier }: Written, isWhole: boolean, given = ''): void {
  const were = lines === 1 ? 'line that failed is' : 'lines that failed are';
  if (lines > 0) report(`${grouped(lines)} ${were} in ${isWhole ? given : file}`);
  if (isEarlier) report(`nothing is added to ${given}, which was written before this run`);
}

/** A single presentation is settled by its user, a list by its next run. */
function unknownOutcome(error: PresentationUnknownError): CallFailedError {
  const { requestId, code, cause } = error;
  const explained = explainFailure(cause);
  const reason = explained instanceof Error ? explained.message : String(explained);
  const message = `the outcome of request ${requestId} is not known: ${reason}`;
  return new CallFailedError(message, 'UNKNOWN', { details: { code, requestId }, cause: error });
}

/** Opens the journal: beside the list, unless an option names it. A list from standard input has none by itself. */
async function openJournal(
  { client, clientId, tokens }: Service,
  list: List,
  options: PresentListOptions,
): Promise<{ journal: PresentationJournal; close: () => Promise<void> }> {
  const { file } = options;
  const path = options.journal ?? (file === '-' ? undefined : `${file}.journal`);
  if (path === undefined) return { journal: new MemoryJournal(), close: async () => undefined };
  try {
    const owner = { service: client.baseUrl, client: clientId };
    const journal = await FileJournal.open(path, { owner });
    try {
      await claimJournal(journal, await tokens.identity(), list, { ...options, path });
    } catch (error) {
      await journal.close();
      throw error;
    }
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
    // Ctrl-C while a response is awaited.
    if (!(error instanceof LandfallError)) return;
    const now = performance.now();
    if (now - reportedAt < REPORT_PAUSE_EVERY_MS) return;
    reportedAt = now;
    eraseProgress();
    report(`${printable(error.message)}; trying again`);
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
  {
    outcome,
    requestId,
    errors,
    error,
  }: {
    outcome: string;
    requestId?: string;
    errors: readonly ValidationError[];
    error?: LandfallError | undefined;
  },
): Promise<void> {
  const isUnknown = error instanceof PresentationUnknownError;
  const status = isUnknown ? 'UNKNOWN' : outcome.toUpperCase();
  const validationErrors = errors.length > 0 ? errors : undefined;
  const reason = error && reasonOf(error);
  await printText(
    `${JSON.stringify({ line, status, requestId, validationErrors, error: reason })}\n`,
  );
}

/** Why a line failed, without what the user is to do about all of them. */
function reasonOf(error: LandfallError): string {
  const { cause } = error;
  return printable(
    error instanceof PresentationUnknownError && cause instanceof Error
      ? cause.message
      : error.message,
  );
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
