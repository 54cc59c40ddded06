// Decisions that are made at a time of the playground's clock.
import type { RoutingDecision } from '@landfall/contract';
import type { PlaygroundClock } from '../clock.js';
import { keyOf, toReference } from './goods.js';

/**
 * A decision with the time at which it is made, in milliseconds since 1970; infinite while only its burst releases it. Its
 * `expected` is the number of the decision that it replaces: what somebody else has decided meanwhile stays.
 */
export type ScheduledDecision = {
  dueAt: number;
  decision: RoutingDecision & { mrn: string };
  burst?: string;
};

/** Makes decisions as the authority does; resolves with their outcomes when their signals can be read. */
export type Decide = (
  decisions: readonly RoutingDecision[],
  at: Date,
) => Promise<readonly { number?: number | undefined }[]>;

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

  /** How many wait for a burst. */
  countOf(burst: string): number {
    return this.#waiting.filter((each) => each.burst === burst).length;
  }

  /** Makes those that wait for a burst. */
  release(burst: string): Promise<void> {
    const now = this.#clock.now().getTime();
    const released = this.#waiting.filter((each) => each.burst === burst);
    this.#waiting = this.#waiting.filter((each) => each.burst !== burst);
    return this.add(released.map(({ decision }) => ({ dueAt: now, decision })));
  }

  /** Makes the decisions that are due by the clock, and sets the timer for the next ones. */
  makeDue(): Promise<void> {
    this.#working = this.#working.then(() => this.#work());
    return this.#working;
  }

  /** Schedules what has waited before, as it was. */
  async restore(waiting: readonly ScheduledDecision[]): Promise<void> {
    this.#waiting = [...waiting];
    await this.makeDue();
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
        if (waitMs === Number.POSITIVE_INFINITY) return;
        if (this.#clock.state().running) this.#workAfter(waitMs);
        return;
      }
      const block = this.#takeBlock(next.dueAt);
      let outcomes: Awaited<ReturnType<Decide>>;
      try {
        outcomes = await this.#decide(
          block.map(({ decision }) => decision),
          new Date(next.dueAt),
        );
      } catch {
        // The database is away: the decisions wait until it is back.
        this.#workAfter(RETRY_AFTER_MS);
        return;
      }
      const made = new Map(block.map((each, index) => [each, outcomes[index]?.number]));
      this.#waiting = this.#waiting.filter((each) => !made.has(each));
      for (const [{ decision }, number] of made) this.#expectAfter(decision, number);
    }
  }

  /** What is due at one time, with one decision for each house consignment: a further one replaces it. */
  #takeBlock(time: number): ScheduledDecision[] {
    const block = new Map<string, ScheduledDecision>();
    for (const each of this.#waiting) {
      const key = keyOf(toReference(each.decision));
      if (each.dueAt !== time || block.has(key) || block.size === MAX_BLOCK) break;
      block.set(key, each);
    }
    return [...block.values()];
  }

  /** What waits for the same goods, and would have replaced what this decision has replaced, replaces this one. */
  #expectAfter(made: ScheduledDecision['decision'], number: number | undefined): void {
    if (number === undefined) return;
    const key = keyOf(toReference(made));
    this.#waiting = this.#waiting.map((each) => {
      const { decision } = each;
      const isNext = decision.expected === made.expected && keyOf(toReference(decision)) === key;
      return isNext ? { ...each, decision: { ...decision, expected: number } } : each;
    });
  }

  #workAfter(ms: number): void {
    this.#timer = setTimeout(() => void this.makeDue(), Math.min(ms, MAX_TIMER_MS));
    this.#timer.unref();
  }
}
