// Subscriptions as the pages read them again and again, and changing one.
import type { Subscription } from '@landfall/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSending } from '../../forms/use-sending.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';

const POLL_INTERVAL_MS = 3_000;

export const LIST_KEY = ['subscriptions'];

export const attemptsKey = (id: string) => ['subscription-attempts', id];

/** All subscriptions of the organisation to feeds that the user may read. */
export function useSubscriptions() {
  const landfall = useLandfall();
  return useQuery({
    queryKey: LIST_KEY,
    queryFn: ({ signal }) => landfall.listSubscriptions({ signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
}

/** One of them. */
export function useSubscription(id: string) {
  const landfall = useLandfall();
  return useQuery({
    queryKey: ['subscription', id],
    queryFn: ({ signal }) => landfall.getSubscription(id, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
}

/**
 * Sends something about a subscription, and shows what it is then.
 *
 * @param onSuccess is called even if the page was left meanwhile
 */
export function useSubscriptionChange<Result, Variables = void>(
  { id }: Subscription,
  mutationFn: (variables: Variables) => Promise<Result>,
  onSuccess: (result: Result) => void = () => undefined,
) {
  const queries = useQueryClient();
  return useSending({
    mutationFn,
    onSuccess,
    onSettled: () =>
      Promise.all(
        [['subscription', id], attemptsKey(id), LIST_KEY].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
