// Resets the playground: feeds and pages read everything anew.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { playground, reset } from '../playground/control.js';
import { useFeeds } from './feeds-context.js';

/** Returns the playground, or the space of one, to its start. */
export function useReset() {
  const queries = useQueryClient();
  const { restart } = useFeeds();
  return useMutation({
    networkMode: 'always',
    mutationFn: () => playground.call(reset, {}),
    onSuccess: async () => {
      restart();
      await queries.invalidateQueries();
    },
  });
}
