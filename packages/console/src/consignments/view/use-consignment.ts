// Reads one house consignment and its history, again and again while it is shown.
import { ApiError, type HouseConsignment, type HouseConsignmentEvent } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';

/** How often it is read again, in milliseconds. */
const POLL_INTERVAL_MS = 5_000;

/** What is known of a house consignment. After retention has removed one, nothing is. */
export type Known = {
  consignment: HouseConsignment | undefined;
  history: readonly HouseConsignmentEvent[];
};

export function useConsignment(id: string) {
  const landfall = useLandfall();
  return useQuery({
    queryKey: ['consignment', id],
    queryFn: async ({ signal }): Promise<Known> => {
      const [consignment, history] = await Promise.all([
        orMissing(landfall.getHouseConsignment(id, { signal })),
        orMissing(landfall.getHouseConsignmentHistory(id, { signal })),
      ]);
      return { consignment, history: history ?? [] };
    },
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
}

/** What does not exist is missing, not an error. */
async function orMissing<Data>(reading: Promise<Data>): Promise<Data | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
