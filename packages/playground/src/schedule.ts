// Work that is done at times of the playground's clock.
import type { PlaygroundClock } from './clock.js';

/** The longest time of a timer of Node.js, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The pause after work that failed, in milliseconds. */
const RETRY_AFTER_MS = 1000;

/** How often the same work is tried. While the database is away for some minutes, nothing is given up. */
const MAX_ATTEMPTS = 300;

/** What is reported of work that fails. */
export type ScheduleOptions = {
  /** Receives the error of each attempt. */
  report: (error: unknown) => void;
  /** The pause after an attempt, in milliseconds. */
  retryAfterMs?: number;
  maxAttempts?: number;
};

/** The time at which work is done, in milliseconds since 1970; infinite if no time is known. */
type Due = { dueAt: number };

/**
 * Does the first of the work that waits, which is due, and perhaps more of it. Returns what remains of the work that waits
 * afterwards.
 */
export type DoFirst<Work> = (
  first: Work,
  waiting: readonly Work[],
) => Promise<(waiting: readonly Work[]) => Work[]>;

/**
 * Does work when it is due, in that order. What fails is tried again, and nothing that is due later is done meanwhile; after
 * MAX_ATTEMPTS it is given up. Its timer does not keep the process running.
 */
export class Schedule<Work extends Due> {
  readonly #clock: Pick<PlaygroundClock, 'now' | 'state'>;
  readonly #doFirst: DoFirst<Work>;
  readonly #options: Required<ScheduleOptions>;
  /** In the order in which it is due. */
  #waiting: Work[] = [];
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  /** The work that has failed, and how often in a row. */
  #failing: { work: Work; attempts: number } | undefined;

  constructor(
    clock: Pick<PlaygroundClock, 'now' | 'state'>,
    doFirst: DoFirst<Work>,
    { report, retryAfterMs = RETRY_AFTER_MS, maxAttempts = MAX_ATTEMPTS }: ScheduleOptions,
  ) {
    this.#clock = clock;
    this.#doFirst = doFirst;
    this.#options = { report, retryAfterMs, maxAttempts };
  }

  get waiting(): readonly Work[] {
    return this.#waiting;
  }

  /** Schedules work. Resolves when what is due already is done. */
  add(scheduled: readonly Work[]): Promise<void> {
    if (scheduled.length === 0) return Promise.resolve();
    // A stable sort: what is due at the same time stays in the order in which it was added.
    this.#waiting = [...this.#waiting, ...scheduled].sort((one, other) => one.dueAt - other.dueAt);
    return this.makeDue();
  }

  /** Takes out the work for which a condition is true. */
  take(isMeant: (work: Work) => boolean): Work[] {
    const taken = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((work) => !isMeant(work));
    return taken;
  }

  /** Does what is due by the clock, and sets the timer for what is next. */
  makeDue(): Promise<void> {
    this.#working = this.#working.then(() => this.#work());
    return this.#working;
  }

  /** Schedules what has waited before, as it was. */
  async restore(waiting: readonly Work[]): Promise<void> {
    this.#waiting = [...waiting];
    await this.makeDue();
  }

  /** Forgets all work; resolves when none is being done. */
  async clear(): Promise<void> {
    this.#waiting = [];
    clearTimeout(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    clearTimeout(this.#timer);
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const waitMs = next.dueAt - this.#clock.now().getTime();
      if (waitMs > 0) {
        if (waitMs === Number.POSITIVE_INFINITY) return;
        if (this.#clock.state().running) this.#workAfter(waitMs);
        return;
      }
      try {
        const remaining = await this.#doFirst(next, this.#waiting);
        this.#waiting = remaining(this.#waiting);
      } catch (error) {
        if (this.#mayRetry(next, error)) return;
      }
    }
  }

  /** Whether work that failed is tried again after a pause, as while the database is away. Otherwise it is taken out. */
  #mayRetry(work: Work, error: unknown): boolean {
    const { report, retryAfterMs, maxAttempts } = this.#options;
    report(error);
    const before = this.#failing?.work === work ? this.#failing.attempts : 0;
    this.#failing = { work, attempts: before + 1 };
    if (before + 1 >= maxAttempts) {
      this.#failing = undefined;
      this.take((each) => each === work);
      return false;
    }
    this.#workAfter(retryAfterMs);
    return true;
  }

  #workAfter(ms: number): void {
    this.#timer = setTimeout(() => void this.makeDue(), Math.min(ms, MAX_TIMER_MS));
    this.#timer.unref();
  }
}
