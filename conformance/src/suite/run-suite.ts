// Runs the cases of requirements, several at once, each with a bounded time.

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

/** The result of one case. */
export type CaseResult = {
  name: string;
  outcome: Outcome;
  /** What is wrong, or why it is not tested. */
  message?: string;
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
    onResult,
  }: { concurrency: number; onResult?: (result: RequirementResult) => void },
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
  await prepareStarts(areas, context);
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
      cases.set(name, await runCase(result.requirement, name, context));
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
async function prepareStarts(areas: readonly Area[], shared: RunContext): Promise<void> {
  const needed = new Set(
    areas.flatMap(({ requirements }) => requirements.flatMap(({ needs }) => needs)),
  );
  const roles = [...needed].filter((role) => shared.settings.identities[role] !== undefined);
  const context = new CaseContext(shared, AbortSignal.timeout(START_TIMEOUT_MS));
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
): Promise<CaseResult> {
  const missing = requirement.needs.find((role) => shared.settings.identities[role] === undefined);
  if (missing !== undefined) {
    return { name, outcome: 'not tested', message: missingIdentity(missing), durationMs: 0 };
  }
  const abort = new AbortController();
  const timeoutMs = CASE_TIMEOUT_MS + shared.maxWaitMs;
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  const context = new CaseContext(shared, abort.signal);
  const startedAt = performance.now();
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
    await requirement.cases[name]?.(context);
    return end('passed');
  } catch (error) {
    if (error instanceof NotTestedError) return end('not tested', error.message);
    if (abort.signal.aborted)
      return end('failed', `the case did not end within ${timeoutMs / 1000} s`);
    return end('failed', messageOf(error));
  } finally {
    clearTimeout(timer);
    // Ends streams that the case left open.
    abort.abort();
  }
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
