// Runs the cases of requirements, several at once. Each case and the run have a bounded time.

import { type ShownExchange, showExchange } from '../http/exchange.js';
import { NoResponseError } from '../http/send.js';
import { NoTokenError } from '../http/tokens.js';
import { CaseContext, missingIdentity, type RunContext } from './case-context.js';
import { NotMetError } from './expect.js';
import { NotTestedError } from './not-tested-error.js';
import type { Area, Requirement } from './requirement.js';

/** Maximum duration of one case, in milliseconds, beside the longest wait of the run. */
const CASE_TIMEOUT_MS = 60_000;

/** How long finding the ends of all feeds may take, in milliseconds. */
const START_TIMEOUT_MS = 120_000;

/** How many exchanges of a failed case are reported: the last ones. */
const MAX_REPORTED_EXCHANGES = 12;

export type Outcome = 'passed' | 'failed' | 'not tested';

/** The limits of a run. */
export type RunLimits = {
  /** How many cases run at once. */
  concurrency: number;
  /** How long all cases may take together, in milliseconds. Cases that have not ended by then are not tested. */
  timeoutMs: number;
};

/** The result of one case. */
export type CaseResult = {
  name: string;
  outcome: Outcome;
  /** What is wrong, or why it is not tested. */
  message?: string;
  /** The run ended before the case did. */
  outOfTime?: true;
  /** The last exchanges of a failed case. */
  exchanges?: ShownExchange[];
  durationMs: number;
};

/** The result of a requirement: failed if one case failed, not tested if no case was tested. */
export type RequirementResult = {
  area: string;
  requirement: Requirement;
  outcome: Outcome;
  cases: CaseResult[];
};

/** Runs every case; results are returned and reported in the order of the requirements. */
export async function runSuite(
  areas: readonly Area[],
  context: RunContext,
  {
    concurrency,
    timeoutMs,
    onResult,
  }: RunLimits & { onResult?: (result: RequirementResult) => void },
): Promise<RequirementResult[]> {
  const results = areas.flatMap(({ name, requirements }) =>
    requirements.map(
      (requirement): RequirementResult => ({
        area: name,
        requirement,
        outcome: 'not tested',
        cases: [],
      }),
    ),
  );
  const end = AbortSignal.timeout(timeoutMs);
  await prepareStarts(areas, context, end);
  const pending = results.flatMap((result) =>
    Object.keys(result.requirement.cases).map((name) => ({ result, name })),
  );
  const ended = new Map<RequirementResult, Map<string, CaseResult>>();
  let reported = 0;
  const work = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const { result, name } = next;
      const names = Object.keys(result.requirement.cases);
      const cases = ended.get(result) ?? new Map<string, CaseResult>();
      ended.set(result, cases);
      cases.set(name, await runCase(result.requirement, name, context, { end, timeoutMs }));
      if (cases.size < names.length) continue;
      result.cases = names.flatMap((one) => cases.get(one) ?? []);
      result.outcome = outcomeOf(result.cases);
      for (let first = results[reported]; first?.cases.length; first = results[++reported]) {
        onResult?.(first);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

/** Finds the ends of all feeds that the cases read, before one of them adds an entry. */
async function prepareStarts(
  areas: readonly Area[],
  shared: RunContext,
  end: AbortSignal,
): Promise<void> {
  const needed = new Set(
    areas.flatMap(({ requirements }) => requirements.flatMap(({ needs }) => needs)),
  );
  const roles = [...needed].filter((role) => shared.settings.identities[role] !== undefined);
  const signal = AbortSignal.any([end, AbortSignal.timeout(START_TIMEOUT_MS)]);
  const context = new CaseContext(shared, signal);
  await Promise.all(roles.map((role) => shared.starts.prepare(role, context.as(role))));
}

function outcomeOf(cases: readonly CaseResult[]): Outcome {
  if (cases.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return cases.some(({ outcome }) => outcome === 'passed') ? 'passed' : 'not tested';
}

async function runCase(
  requirement: Requirement,
  name: string,
  shared: RunContext,
  run: { end: AbortSignal; timeoutMs: number },
): Promise<CaseResult> {
  const missing = requirement.needs.find((role) => shared.settings.identities[role] === undefined);
  if (missing !== undefined) {
    return { name, outcome: 'not tested', message: missingIdentity(missing), durationMs: 0 };
  }
  const startedAt = performance.now();
  const outOfTime = (): CaseResult => ({
    name,
    outcome: 'not tested',
    message: `the run ended after ${run.timeoutMs / 1000} s (--timeout)`,
    outOfTime: true,
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (run.end.aborted) return outOfTime();
  const abort = new AbortController();
  const abortCase = () => abort.abort();
  const timeoutMs = CASE_TIMEOUT_MS + shared.maxWaitMs;
  const timer = setTimeout(abortCase, timeoutMs);
  run.end.addEventListener('abort', abortCase);
  const context = new CaseContext(shared, abort.signal);
  const end = (outcome: Outcome, message?: string): CaseResult => ({
    name,
    outcome,
    ...(message !== undefined && { message }),
    ...(outcome === 'failed' && {
      exchanges: context.exchanges.slice(-MAX_REPORTED_EXCHANGES).map(showExchange),
    }),
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    // A case that waits for something else than its own requests ends in time, too.
    await Promise.race([requirement.cases[name]?.(context), rejectOnAbort(abort.signal)]);
    return end('passed');
  } catch (error) {
    if (error instanceof NotTestedError) return end('not tested', error.message);
    if (run.end.aborted) return outOfTime();
    if (abort.signal.aborted)
      return end('failed', `the case did not end within ${timeoutMs / 1000} s`);
    return end('failed', messageOf(error));
  } finally {
    clearTimeout(timer);
    run.end.removeEventListener('abort', abortCase);
    // Ends streams that the case left open.
    abort.abort();
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** An error that is not about the service keeps its stack: it is a fault of the suite. */
function messageOf(error: unknown): string {
  const isJudgement =
    error instanceof NotMetError ||
    error instanceof NoResponseError ||
    error instanceof NoTokenError;
  if (isJudgement) return error.message;
  return `fault of the suite: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
