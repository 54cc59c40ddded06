// The queue as it is shown, and as it is now: the list does not change under the hand of whoever reads it.
import type { UndecidedArrival } from '@landfall/client';

/** Maximum number of goods of a queue, which is also that of a run by selection. */
export const MAX_QUEUED = 10_000;

/** Goods that wait for a decision, those first that have waited longest. */
export type Queue = {
  arrivals: readonly UndecidedArrival[];
  /** Whether more wait, which are not in the list. */
  isMore: boolean;
};

/** What has changed since a queue was read. */
export type QueueChanges = {
  /** How many wait that are not shown. */
  added: number;
  /** The ids of those that are shown and do not wait any more. */
  left: ReadonlySet<string>;
};

/** Compares the queue that is shown with the one of now. */
export function compareQueues(shown: Queue, now: Queue): QueueChanges {
  const before = new Set(shown.arrivals.map(({ id }) => id));
  const after = new Set(now.arrivals.map(({ id }) => id));
  const last = now.arrivals.at(-1);
  // Of what comes after the last one that was read, nothing is known.
  const isRead = (arrival: UndecidedArrival) =>
    !now.isMore || last === undefined || !isAfter(arrival, last);
  return {
    added: now.arrivals.filter(({ id }) => !before.has(id)).length,
    left: new Set(
      shown.arrivals.filter((one) => !after.has(one.id) && isRead(one)).map(({ id }) => id),
    ),
  };
}

function isAfter(one: UndecidedArrival, other: UndecidedArrival): boolean {
  return one.presentedAt === other.presentedAt
    ? one.id > other.id
    : one.presentedAt > other.presentedAt;
}
