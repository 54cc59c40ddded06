// Previews a run and creates it. What cannot be done is an outcome of its own, which says what to do.
import { ApiError, type NewRoutingRun, type RoutingRunPreview } from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import { useSending } from '../forms/use-sending.js';
import { useLandfall } from '../session/session-context.js';
import { RUNS_KEY } from './use-runs.js';

/** The list is not as it was when it was shown. */
export class ListChangedError extends Error {
  override name = 'ListChangedError';
}

/**
 * Previews a run.
 *
 * @param isAsListed whether the preview has what was shown
 */
export function useRunPreview(isAsListed: (preview: RoutingRunPreview) => boolean) {
  const landfall = useLandfall();
  return useSending({
    mutationFn: async ({ expectedCount: _, ...run }: NewRoutingRun) => {
      const preview = await landfall
        .createRoutingRun({ ...run, preview: true })
        .catch(throwIfChanged);
      // A service of another release may take no previews.
      if (!('count' in preview)) throw new Error('the service has created a run instead');
      if (!isAsListed(preview)) throw new ListChangedError();
      return preview;
    },
  });
}

/**
 * Creates a run.
 *
 * @param onCreated is called with the id of the run
 */
export function useRunCreation(onCreated: (id: string) => void) {
  const landfall = useLandfall();
  const queries = useQueryClient();
  return useSending({
    mutationFn: (run: NewRoutingRun) => landfall.createRoutingRun(run).catch(throwIfChanged),
    onSettled: () => queries.invalidateQueries({ queryKey: [RUNS_KEY] }),
    onSuccess: (created) => {
      if ('id' in created) onCreated(created.id);
    },
  });
}

function throwIfChanged(error: unknown): never {
  const hasChanged =
    error instanceof ApiError &&
    error.validationErrors.some(
      ({ field, code }) => code === 'COUNT_DIFFERS' || field.startsWith('select.'),
    );
  throw hasChanged ? new ListChangedError() : error;
}
