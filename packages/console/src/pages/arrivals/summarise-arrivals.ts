// Sums the numbers of arrivals: by customs office, by hour, and in all.
import type { ArrivalCounts } from '@landfall/client';

/** How many were presented, and where they go by the decisions of now. */
export type Numbers = { presented: number; toControl: number; toEntry: number; undecided: number };

/** The numbers of an office, or of an hour (ISO 8601). */
type Group = Numbers & { key: string };

export type Summary = { all: Numbers; offices: readonly Group[]; hours: readonly Group[] };

/** Offices by their codes; hours with the newest first. */
export function summariseArrivals({ arrivals }: Pick<ArrivalCounts, 'arrivals'>): Summary {
  const offices = sumBy(arrivals, ({ customsOfficeOfPresentation }) => customsOfficeOfPresentation);
  const hours = sumBy(arrivals, ({ hour }) => hour).toReversed();
  return { all: arrivals.reduce<Numbers>(add, NONE), offices, hours };
}

const NONE: Numbers = { presented: 0, toControl: 0, toEntry: 0, undecided: 0 };

function sumBy<Arrival extends Numbers>(
  arrivals: readonly Arrival[],
  keyOf: (arrival: Arrival) => string,
): Group[] {
  const groups = new Map<string, Numbers>();
  for (const arrival of arrivals) {
    const key = keyOf(arrival);
    groups.set(key, add(groups.get(key) ?? NONE, arrival));
  }
  return [...groups]
    .map(([key, numbers]) => ({ key, ...numbers }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

function add(one: Numbers, other: Numbers): Numbers {
  return {
    presented: one.presented + other.presented,
    toControl: one.toControl + other.toControl,
    toEntry: one.toEntry + other.toEntry,
    undecided: one.undecided + other.undecided,
  };
}

/** A duration in whole minutes, in the parts in which people read it; a negative one is none. */
export function splitDuration(milliseconds: number): {
  days: number;
  hours: number;
  minutes: number;
} {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return {
    days: Math.floor(minutes / 1440),
    hours: Math.floor((minutes % 1440) / 60),
    minutes: minutes % 60,
  };
}
