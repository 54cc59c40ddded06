// Sends what changes data, once: a second press of the same button, or the second Enter of a scanner, means the same.
import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/** Like `useMutation`, for requests to the service: while one is on its way, no further one is sent. */
export function useSending<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  // A service on this machine is reachable while the browser is offline.
  const sending = useMutation<Data, Error, Variables>({ networkMode: 'always', ...options });
  const isSending = useRef(false);
  // The second press may come before the page has changed after the first one.
  isSending.current = sending.isPending;
  const { mutate } = sending;
  const send = useCallback<typeof mutate>(
    (...request) => {
      if (isSending.current) return;
      isSending.current = true;
      mutate(...request);
    },
    [mutate],
  );
  return { ...sending, mutate: send };
}
