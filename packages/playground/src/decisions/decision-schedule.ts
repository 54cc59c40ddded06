// Decisions that are made at a time of the playground's clock.
import type { RoutingDecision } from '@landfall/contract';
import type { PlaygroundClock } from '../clock.js';
import { type DoFirst, Schedule, type ScheduleOptions } from '../schedule.js';
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

/** Makes decisions when they are due. */
export class DecisionSchedule extends Schedule<ScheduledDecision> {
  readonly #clock: Pick<PlaygroundClock, 'now'>;

  constructor(
    clock: Pick<PlaygroundClock, 'now' | 'state'>,
    decide: Decide,
    report: ScheduleOptions['report'],
  ) {
    const doFirst: DoFirst<ScheduledDecision> = async ({ dueAt }, waiting) => {
      const block = takeBlock(dueAt, waiting);
      const outcomes = await decide(
        block.map(({ decision }) => decision),
        new Date(dueAt),
      );
      const made = new Map(block.map((each, index) => [each, outcomes[index]?.number]));
      return (now) => {
        let remaining = now.filter((each) => !made.has(each));
        for (const [{ decision }, number] of made) {
          remaining = expectAfter(remaining, decision, number);
        }
        return remaining;
      };
    };
    super(clock, doFirst, { report });
    this.#clock = clock;
  }

  /** How many wait for a burst. */
  countOf(burst: string): number {
    return this.waiting.filter((each) => each.burst === burst).length;
  }

  /** Makes those that wait for a burst. */
  release(burst: string): Promise<void> {
    const now = this.#clock.now().getTime();
    const released = this.take((each) => each.burst === burst);
    return this.add(released.map(({ decision }) => ({ dueAt: now, decision })));
  }
}

/** What is due at one time, with one decision for each house consignment: a further one replaces it. */
function takeBlock(time: number, waiting: readonly ScheduledDecision[]): ScheduledDecision[] {
  const block = new Map<string, ScheduledDecision>();
  for (const each of waiting) {
    const key = keyOf(toReference(each.decision));
    if (each.dueAt !== time || block.has(key) || block.size === MAX_BLOCK) break;
    block.set(key, each);
  }
  return [...block.values()];
}

/** What waits for the same goods, and would have replaced what this decision has replaced, replaces this one. */
function expectAfter(
  waiting: ScheduledDecision[],
  made: ScheduledDecision['decision'],
  number: number | undefined,
): ScheduledDecision[] {
  if (number === undefined) return waiting;
  const key = keyOf(toReference(made));
  return waiting.map((each) => {
    const { decision } = each;
    const isNext = decision.expected === made.expected && keyOf(toReference(decision)) === key;
    return isNext ? { ...each, decision: { ...decision, expected: number } } : each;
  });
}
