// Work that is done at times of the playground's clock.
import type { PlaygroundClock } from './clock.js';

/** The longest time of a timer of Node.js, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The pause after work that failed, in milliseconds. */
const RETRY_AFTER_MS = 1000;

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

/** Does work when it is due, in that order. Its timer does not keep the process running. */
export class Schedule<Work extends Due> {
  readonly #clock: Pick<PlaygroundClock, 'now' | 'state'>;
  readonly #doFirst: DoFirst<Work>;
  /** In the order in which it is due. */
  #waiting: Work[] = [];
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(clock: Pick<PlaygroundClock, 'now' | 'state'>, doFirst: DoFirst<Work>) {
    this.#clock = clock;
    this.#doFirst = doFirst;
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
      } catch {
        // The database is away: the work waits until it is back.
        this.#workAfter(RETRY_AFTER_MS);
        return;
      }
    }
  }

  #workAfter(ms: number): void {
    this.#timer = setTimeout(() => void this.makeDue(), Math.min(ms, MAX_TIMER_MS));
    this.#timer.unref();
  }
}
