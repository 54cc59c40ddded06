// The time of the service, by which goods have waited: the clock of a browser may be wrong, and a playground has its own.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { usePollInterval } from '../../../session/presence.js';
import { useLandfall } from '../../../session/session-context.js';

/** How often times are shown anew, in milliseconds. */
const TICK_MS = 15_000;

/** How often the clocks are compared, in milliseconds. */
const POLL_INTERVAL_MS = 60_000;

/** An office without arrivals: the time is wanted, and nothing is to be counted. */
const NOWHERE = 'XX000000';

/** In milliseconds since 1970; `undefined` until it is known. */
export function useServiceTime(): number | undefined {
  const landfall = useLandfall();
  const { data: aheadMs } = useQuery({
    queryKey: ['service-time'],
    queryFn: async ({ signal }) => {
      const { to } = await landfall.countArrivals({ office: NOWHERE }, { signal });
      return Date.parse(to) - Date.now();
    },
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return aheadMs === undefined ? undefined : Date.now() + aheadMs;
}
