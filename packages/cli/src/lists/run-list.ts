// Sends the lines of a list, reports what became of each, and resumes from its journal.
import {
  type ApiError,
  type Journal,
  LandfallError,
  type MovementStatus,
  OutcomeUnknownError,
} from '@landfall/client';
import type { ValidationError } from '@landfall/contract';
import type { IdentityOptions } from '../input/options.js';
import { coloursFor, print, printable, printText, report } from '../output/output.js';
import { eraseProgress, grouped, withProgress } from '../output/progress.js';
import { CallFailedError, CommandFailedError } from '../process/exit.js';
import { abortOnStop } from '../process/stop.js';
import type { CheckedLandfall } from '../service/checked-landfall.js';
import { explainFailure, validationLines } from '../service/explain-failure.js';
import { openService } from '../service/open-service.js';
import { Settlements } from '../service/settlements.js';
import { FailedFile, inWords, type Written } from './failed-file.js';
import type { InvalidLine, SentList } from './list.js';
import { type Done, ListCounts } from './list-counts.js';
import { openJournal } from './open-journal.js';

/** The options of every list. */
export type RunListOptions = IdentityOptions & {
  file: string;
  journal?: string;
  failed?: string;
  corrected?: true;
  skipInvalid?: true;
  concurrency?: number;
  json?: true;
};

/** What became of an item. */
type Result<Item> = {
  item: Item;
  index: number;
  key: string;
  requestId: string;
  outcome: 'presented' | 'lodged' | 'refused' | 'failed';
  errors: readonly ValidationError[];
  error: ApiError | OutcomeUnknownError | undefined;
  isFromJournal: boolean;
  status?: MovementStatus | undefined;
};

/** How the items of a list are sent. */
export type SendingList<Item> = {
  words: Done;
  send(
    client: CheckedLandfall,
    options: {
      journal: Journal;
      retryRefused: true;
      concurrency: number | undefined;
      signal: AbortSignal;
    },
  ): AsyncIterable<Result<Item>>;
  /** Finds out what is wrong with the credentials or the connection before anything is sent. */
  probe(client: CheckedLandfall, signal: AbortSignal): Promise<unknown>;
  /** The columns of a list in CSV, and the fields of an item. */
  columns?: readonly string[];
  fieldsOf?(item: Item): ReadonlyMap<string, string>;
  /** What is printed of an item that was sent; default: nothing. */
  describe?(result: Result<Item>, line: number): string | undefined;
};

/** How many invalid lines are reported; the others are only counted. */
const MAX_REPORTED_INVALID = 1000;

/** How many refused lines are reported; `--failed` has all. */
const MAX_REPORTED_REFUSED = 100;

/** A service that makes a run wait is reported once in this time, in milliseconds. */
const REPORT_PAUSE_EVERY_MS = 30_000;

/** @throws CommandFailedError when lines are invalid or refused; the errors of the client */
export async function runList<Item extends object>(
  list: SentList<Item>,
  sending: SendingList<Item>,
  options: RunListOptions,
): Promise<void> {
  const { done, verb, line } = sending.words;
  reportInvalid(list.invalid);
  const total = list.lines.length + list.invalid.length;
  const counts = new ListCounts(total, list.invalid.length, sending.words);
  if (list.invalid.length > 0 && !options.skipInvalid) {
    throw new CommandFailedError(
      `${grouped(list.invalid.length)} of ${counts.lines} cannot be ${done}. Nothing was sent. Correct them, or ${verb} the others with --skip-invalid`,
    );
  }
  await sendAll(list, sending, counts, options);
  (options.json ? report : print)(counts.summary());
  if (counts.unknown > 0) {
    throw new CallFailedError(
      `it is not known whether some ${line}s were ${done}; to find out, run the same command again: nothing is ${done} twice`,
      'UNKNOWN',
    );
  }
  if (counts.failed > 0) throw new CommandFailedError(afterRefusals(counts, sending, options));
}

async function sendAll<Item extends object>(
  list: SentList<Item>,
  sending: SendingList<Item>,
  counts: ListCounts,
  options: RunListOptions,
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
      failed = await FailedFile.open(options.failed, list.form, sending.columns);
    }
    await sending.probe(client, signal);
    for (const line of list.invalid) {
      failed?.addInvalid(line);
      if (json) await printResult(line.line, { outcome: 'invalid', errors: line.errors });
    }
    await withProgress(
      () => counts.progress(),
      async ({ clear }) => {
        const given = { journal, retryRefused: true, concurrency, signal } as const;
        for await (const result of sending.send(client, given)) {
          const { item, index, outcome, errors, error } = result;
          const isUnknown = error instanceof OutcomeUnknownError;
          counts.add({ ...result, isUnknown, settled: settlements.has(result.requestId) });
          const isDone = outcome === sending.words.done;
          const reasons = error === undefined ? validationLines(errors) : [`  ${reasonOf(error)}`];
          // What may have been done is not to be done as another list.
          if (!isDone && !isUnknown) {
            const reason = error === undefined ? inWords(errors) : reasonOf(error);
            failed?.addRefused(item, sending.fieldsOf?.(item) ?? new Map(), reason);
          }
          const line = list.lines[index] ?? 0;
          if (json) {
            clear();
            await printResult(line, result);
          } else if (!isDone && counts.failed <= MAX_REPORTED_REFUSED) {
            clear();
            const what = isUnknown ? 'has an unknown outcome' : outcome;
            reportLine(line, what, reasons);
          } else {
            const described = isDone ? sending.describe?.(result, line) : undefined;
            if (described !== undefined) {
              clear();
              await printText(`${described}\n`);
            }
          }
        }
      },
    );
    isWhole = true;
  } catch (error) {
    report(counts.afterFailure(options.file !== '-' || options.journal !== undefined));
    throw error instanceof OutcomeUnknownError ? unknownOutcome(error) : error;
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

/** A single request is settled by its user, a list by its next run. */
function unknownOutcome(error: OutcomeUnknownError): CallFailedError {
  const { requestId, code, cause } = error;
  const explained = explainFailure(cause);
  const reason = explained instanceof Error ? explained.message : String(explained);
  const message = `the outcome of request ${requestId} is not known: ${reason}`;
  return new CallFailedError(message, 'UNKNOWN', { details: { code, requestId }, cause: error });
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
  result: Pick<Result<unknown>, 'errors'> &
    Partial<Omit<Result<unknown>, 'outcome'>> & { outcome: string },
): Promise<void> {
  const { outcome, requestId, errors, error, status: recorded } = result;
  const isUnknown = error instanceof OutcomeUnknownError;
  const status = isUnknown ? 'UNKNOWN' : outcome.toUpperCase();
  const { mrn, incompleteDocumentationReasonList } = recorded ?? {};
  const validationErrors = errors.length > 0 ? errors : undefined;
  const reason = error && reasonOf(error);
  const shown = { line, status, requestId, mrn, incompleteDocumentationReasonList };
  await printText(`${JSON.stringify({ ...shown, validationErrors, error: reason })}\n`);
}

/** Why a line failed, without what the user is to do about all of them. */
function reasonOf(error: LandfallError): string {
  const { cause } = error;
  return printable(
    error instanceof OutcomeUnknownError && cause instanceof Error ? cause.message : error.message,
  );
}

function reportLine(line: number, what: string, reasons: readonly string[]): void {
  report(coloursFor(process.stderr).red(`line ${line} ${what}`));
  for (const reason of reasons) report(reason);
}

function afterRefusals<Item>(
  { failed, lines }: ListCounts,
  { words: { verb, done } }: SendingList<Item>,
  { failed: file }: RunListOptions,
): string {
  const next =
    file === undefined
      ? 'run the same command again, with --failed FILE to have them in a file'
      : `correct ${file} and ${verb} it, or run the same command again`;
  return `${grouped(failed)} of ${lines} failed; ${next}: what is ${done} is not ${done} twice`;
}
