// The work that a server does in the background, as a list: begun in its order, and ended in its order.
import type { BackgroundFailures, ReportFailure } from './http/background-failures.js';

/** When work is begun and ended. */
type Course<Work> = {
  /** Begins it, when everything of the server is there. */
  start?: (work: Work, report: ReportFailure) => unknown;
  /** Does now what is otherwise done in its time. */
  catchUp?: (work: Work) => Promise<unknown>;
  /** Ends it when the last requests are completed; with `endsFirst`, before that. */
  close: (work: Work) => unknown;
  endsFirst?: boolean;
};

/** Work whose failures are counted and logged. */
type Job<Work> = Course<Work> & {
  /** The line of the log when it fails: what failed, and what happens next. */
  sentence: string;
  /** Makes what does it. */
  work: (report: ReportFailure) => Work;
};

type Steps = {
  start: () => unknown;
  catchUp: () => unknown;
  close: () => unknown;
  endsFirst: boolean;
};

/** The background work of a server. */
export class BackgroundJobs {
  /** Counts and logs failures, of tasks that are no job too. */
  readonly failures: BackgroundFailures;
  readonly #jobs: Steps[] = [];

  constructor(failures: BackgroundFailures) {
    this.failures = failures;
  }

  /**
   * Adds work.
   *
   * @param task the label of its failures in the metrics, such as `audit-checkpoint`
   */
  add<Work>(task: string, { sentence, work: make, ...course }: Job<Work>): Work {
    const report = this.failures.reporter(task, sentence);
    const work = make(report);
    this.#push(work, report, course);
    return work;
  }

  /** Adds work that reports its failures itself, or has none. */
  follow<Work>(work: Work, course: Course<Work>): Work {
    this.#push(work, () => undefined, course);
    return work;
  }

  async start(): Promise<void> {
    for (const job of this.#jobs) await job.start();
  }

  async catchUp(): Promise<void> {
    for (const job of this.#jobs) await job.catchUp();
  }

  /** Ends what ends while the last requests are completed. */
  async endFirst(): Promise<void> {
    for (const job of this.#jobs) if (job.endsFirst) await job.close();
  }

  /** Ends everything else. */
  async close(): Promise<void> {
    for (const job of this.#jobs) if (!job.endsFirst) await job.close();
  }

  #push<Work>(
    work: Work,
    report: ReportFailure,
    { start, catchUp, close, endsFirst = false }: Course<Work>,
  ): void {
    this.#jobs.push({
      start: () => start?.(work, report),
      catchUp: () => catchUp?.(work),
      close: () => close(work),
      endsFirst,
    });
  }
}
