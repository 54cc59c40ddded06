// Reads what waits for a decision, again and again, and keeps the list as it was shown until its reader wants the new one.
import type { ListUndecidedArrivalsQuery, UndecidedArrival } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { usePollInterval } from '../../../session/presence.js';
import { useLandfall } from '../../../session/session-context.js';
import { compareQueues, MAX_QUEUED, type Queue, type QueueChanges } from './compare-queues.js';

/** Goods of one request. */
const PAGE = 1000;

/** How often a page of goods is read again, in milliseconds: a queue of ten pages ten times less often. */
const PAGE_INTERVAL_MS = 10_000;

/** The first part of the key of the queues. */
const QUEUE_KEY = 'undecided-arrivals';

const NO_CHANGES: QueueChanges = { added: 0, left: new Set() };

/** @param office goods that were presented there; without it, everywhere */
export function useQueue(office: string | undefined) {
  const landfall = useLandfall();
  const [size, setSize] = useState(1);
  const read = useQuery({
    queryKey: [QUEUE_KEY, office],
    queryFn: async ({ signal }): Promise<Queue> => {
      const arrivals: UndecidedArrival[] = [];
      const filter = office === undefined ? {} : { office };
      let next: ListUndecidedArrivalsQuery | undefined = { ...filter, limit: PAGE };
      while (next !== undefined && arrivals.length < MAX_QUEUED) {
        const page: Awaited<ReturnType<typeof landfall.listUndecidedArrivals>> =
          await landfall.listUndecidedArrivals(next, { signal });
        arrivals.push(...page.entries);
        next = page.next;
      }
      setSize(Math.ceil(arrivals.length / PAGE) || 1);
      const isMore = next !== undefined || arrivals.length > MAX_QUEUED;
      return { arrivals: arrivals.slice(0, MAX_QUEUED), isMore };
    },
    refetchInterval: usePollInterval(PAGE_INTERVAL_MS * size),
    // A list of another visit is not what waits now.
    gcTime: 0,
  });
  const [kept, setKept] = useState<{ office: string | undefined; queue: Queue }>();
  const now = read.data;
  let shown = kept !== undefined && kept.office === office ? kept.queue : undefined;
  if (shown === undefined && now !== undefined) {
    shown = now;
    setKept({ office, queue: now });
  }
  const changes = useMemo(
    () => (shown === undefined || now === undefined ? NO_CHANGES : compareQueues(shown, now)),
    [shown, now],
  );
  return {
    /** How the queue is being read. */
    read,
    /** The list as it is shown. */
    shown,
    changes,
    /** Shows the list as it is now. */
    showNow: () => now !== undefined && setKept({ office, queue: now }),
  };
}
