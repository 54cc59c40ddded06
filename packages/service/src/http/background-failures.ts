// Failures of background work: each is counted for /metrics and logged.
import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../native-error.js';

/** A repeated failure is logged again after this time at the earliest; all are counted. */
const LOG_INTERVAL_MS = 10_000;

/** Receives the error of one attempt. */
export type ReportFailure = (error: unknown) => void;

/** The background tasks of this server and how often each has failed. */
export class BackgroundFailures {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  readonly #now: () => number;
  readonly #isExpected: (error: unknown) => boolean;
  readonly #counts = new Map<string, number>();

  /** @param settings `now`: milliseconds of a monotonic clock; `isExpected`: what is no failure, as work that a stop ends */
  constructor(
    log: Pick<FastifyBaseLogger, 'warn'>,
    {
      now = () => performance.now(),
      isExpected = () => false,
    }: { now?: () => number; isExpected?: (error: unknown) => boolean } = {},
  ) {
    this.#log = log;
    this.#now = now;
    this.#isExpected = isExpected;
  }

  /** How often each task has failed; a task is listed from the start, with 0. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /**
   * How a condition that lasts is reported: its begin and its end have one line each, and every failed check is counted.
   *
   * @param message the line of the log: what is not fulfilled
   * @param runbook where the operator reads what to do
   */
  condition(
    task: string,
    message: string,
    runbook: string,
  ): { fail: ReportFailure; end: () => void } {
    this.#counts.set(task, 0);
    let since: number | undefined;
    return {
      fail: (error) => {
        this.#counts.set(task, (this.#counts.get(task) ?? 0) + 1);
        if (since !== undefined) return;
        since = this.#now();
        this.#log.warn({ task, reason: reasonOf(error), runbook }, message);
      },
      end: () => {
        if (since === undefined) return;
        const seconds = Math.round((this.#now() - since) / 1000);
        since = undefined;
        this.#log.warn({ task, seconds }, `ended: ${message}`);
      },
    };
  }

  /**
   * The function with which a task reports its failures.
   *
   * @param task the label of its metric, such as `audit-checkpoint`
   * @param message the line of the log: what failed, and what happens next
   */
  reporter(task: string, message: string): ReportFailure {
    this.#counts.set(task, 0);
    let loggedAt = Number.NEGATIVE_INFINITY;
    return (error) => {
      if (this.#isExpected(error)) return;
      const failures = (this.#counts.get(task) ?? 0) + 1;
      this.#counts.set(task, failures);
      const now = this.#now();
      if (now - loggedAt < LOG_INTERVAL_MS) return;
      loggedAt = now;
      this.#log.warn({ err: error, task, failures }, message);
    };
  }
}
