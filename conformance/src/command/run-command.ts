// The command: reads the options, runs the suite, and writes the reports.
import { writeFile } from 'node:fs/promises';

import { Tokens } from '../http/tokens.js';
import { makeHtml } from '../report/html.js';
import { listAsJson, makeJson } from '../report/json.js';
import { makeJunit } from '../report/junit.js';
import { listAsText } from '../report/list.js';
import { countOutOfTime, type Report } from '../report/report.js';
import { describeCounts, describeResult, makePaint } from '../report/text.js';
import { allAreas } from '../requirements/all.js';
import { readSettings } from '../settings/read-settings.js';
import { type Settings, SettingsError } from '../settings/settings.js';
import { FeedStarts } from '../suite/feed-starts.js';
import { runSuite } from '../suite/run-suite.js';
import { selectRequirements, UnknownRequirementError } from '../suite/select.js';
import { HELP, type Options, readOptions, UsageError } from './options.js';

/** How long the service may take to respond before the first case, in milliseconds. */
const REACHABLE_TIMEOUT_MS = 10_000;

/** Where the command writes. */
export type Output = {
  print: (text: string) => void;
  printError: (text: string) => void;
  colours: boolean;
};

/** The service does not respond. */
class UnreachableError extends Error {
  override name = 'UnreachableError';
}

const standardOutput: Output = {
  print: (text) => process.stdout.write(`${text}\n`),
  printError: (text) => process.stderr.write(`${text}\n`),
  colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
};

/** Runs the command and returns its exit code: 0, 1 or 2. */
export async function runCommand(
  args: readonly string[],
  output: Output = standardOutput,
): Promise<number> {
  try {
    return await runOptions(readOptions(args), output);
  } catch (error) {
    const isExpected =
      error instanceof UsageError ||
      error instanceof SettingsError ||
      error instanceof UnknownRequirementError ||
      error instanceof UnreachableError ||
      isFileError(error);
    if (!isExpected) throw error;
    output.printError(`landfall-conformance: ${error.message}`);
    if (error instanceof UsageError) output.printError('--help prints the usage.');
    return 2;
  }
}

async function runOptions(options: Options, output: Output): Promise<number> {
  if (options.help) {
    output.print(HELP.trimEnd());
    return 0;
  }
  const areas = selectRequirements(allAreas, options.only);
  if (options.list) {
    output.print(options.json ? listAsJson(areas) : listAsText(areas));
    return 0;
  }
  const settings = await readSettings(options.settings ?? '', {
    baseUrl: options.url,
    identityProviderUrl: options.identityProviderUrl,
  });
  await checkReachable(settings);
  const paint = makePaint(output.colours);
  const startedAt = new Date();
  const begin = performance.now();
  const results = await runSuite(
    areas,
    {
      settings,
      tokens: new Tokens(settings),
      starts: new FeedStarts(),
      maxWaitMs: options.maxWaitSeconds * 1000,
    },
    {
      concurrency: options.concurrency,
      timeoutMs: options.timeoutSeconds * 1000,
      ...(!options.json && {
        onResult: (result) => output.print(describeResult(result, paint)),
      }),
    },
  );
  const durationMs = performance.now() - begin;
  const report: Report = { baseUrl: settings.baseUrl, startedAt, durationMs, results };
  await writeReports(report, options);
  output.print(options.json ? makeJson(report) : `\n${describeCounts(report, paint)}`);
  const isMet = results.every(({ outcome }) => outcome !== 'failed');
  return isMet && countOutOfTime(report) === 0 ? 0 : 1;
}

async function writeReports(report: Report, { html, junit }: Options): Promise<void> {
  if (html !== undefined) await writeFile(html, makeHtml(report));
  if (junit !== undefined) await writeFile(junit, makeJunit(report));
}

/** Any response will do: what it should be is a requirement. */
async function checkReachable({ baseUrl }: Settings): Promise<void> {
  try {
    const signal = AbortSignal.timeout(REACHABLE_TIMEOUT_MS);
    const response = await fetch(`${baseUrl}/readyz`, { signal });
    await response.body?.cancel();
  } catch {
    throw new UnreachableError(`no service responds at ${baseUrl}`);
  }
}

/** A report that cannot be written. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
