// Decisions that are made at a time of the playground's clock.
import type { RoutingDecision } from '@landfall/contract';
import type { PlaygroundClock } from '../clock.js';

/** A decision with the time at which it is made, in milliseconds since 1970. */
export type ScheduledDecision = { dueAt: number; decision: RoutingDecision & { mrn: string } };

/** Makes decisions as the authority does; resolves when their signals can be read. */
export type Decide = (decisions: readonly RoutingDecision[], at: Date) => Promise<unknown>;

/** Maximum number of decisions in one transaction. */
const MAX_BLOCK = 2000;

/** The longest time of a timer of Node.js, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The pause after a failed transaction, in milliseconds. */
const RETRY_AFTER_MS = 1000;

/** Makes decisions when they are due. Its timer does not keep the process running. */
export class DecisionSchedule {
  readonly #clock: Pick<PlaygroundClock, 'now' | 'state'>;
  readonly #decide: Decide;
  /** In the order in which they are due. */
  #waiting: ScheduledDecision[] = [];
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(clock: Pick<PlaygroundClock, 'now' | 'state'>, decide: Decide) {
    this.#clock = clock;
    this.#decide = decide;
  }

  get waiting(): readonly ScheduledDecision[] {
    return this.#waiting;
  }

  /** Schedules decisions. Resolves when those that are due already are made. */
  add(scheduled: readonly ScheduledDecision[]): Promise<void> {
    if (scheduled.length === 0) return Promise.resolve();
    // A stable sort: what is due at the same time stays in the order in which it was added.
    this.#waiting = [...this.#waiting, ...scheduled].sort((one, other) => one.dueAt - other.dueAt);
    return this.makeDue();
  }

  /** Makes the decisions that are due by the clock, and sets the timer for the next ones. */
  makeDue(): Promise<void> {
    this.#working = this.#working.then(() => this.#work());
    return this.#working;
  }

  /** Forgets all decisions; resolves when none is being made. */
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
        if (this.#clock.state().running) this.#workAfter(waitMs);
        return;
      }
      const block = this.#waiting.slice(0, MAX_BLOCK).filter(({ dueAt }) => dueAt === next.dueAt);
      try {
        await this.#decide(
          block.map(({ decision }) => decision),
          new Date(next.dueAt),
        );
      } catch {
        // The database is away: the decisions wait until it is back.
        this.#workAfter(RETRY_AFTER_MS);
        return;
      }
      const made = new Set(block);
      this.#waiting = this.#waiting.filter((each) => !made.has(each));
    }
  }

  #workAfter(ms: number): void {
    this.#timer = setTimeout(() => void this.makeDue(), Math.min(ms, MAX_TIMER_MS));
    this.#timer.unref();
  }
}
