// One organisation, and changing it: only the state that is shown is replaced, so that nothing of another officer is lost.
import { ApiError, type Organisation } from '@landfall/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSending } from '../../forms/use-sending.js';
import { useLandfall } from '../../session/session-context.js';
import { type Change, type Difference, differences } from './change-organisation.js';

/** The organisation was changed since it was shown. Nothing was stored. */
export class ConflictError extends Error {
  override name = 'ConflictError';
  readonly differences: readonly Difference[];

  constructor(found: readonly Difference[]) {
    super('somebody else has changed the organisation');
    this.differences = found;
  }
}

/** Reads the organisation. */
export function useOrganisation(id: string) {
  const landfall = useLandfall();
  return useQuery({
    queryKey: ['organisation', id],
    queryFn: () => landfall.getOrganisation(id),
    // What is shown is what a change was decided on: it changes only when the user does something.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Stores a change of the organisation that is shown. Fails with ConflictError if it is not the current one any more. */
export function useOrganisationChange(shown: Organisation) {
  const landfall = useLandfall();
  const queries = useQueryClient();
  const show = (organisation: Organisation) =>
    queries.setQueryData(['organisation', shown.id], organisation);
  return useSending({
    mutationFn: async (change: Change) => {
      const { id, etag: ifMatch, ...entry } = change(shown);
      try {
        return await landfall.putOrganisation(id, entry, { ifMatch });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
        const current = await landfall.getOrganisation(id);
        show(current);
        throw new ConflictError(differences(shown, current));
      }
    },
    onSuccess: (stored) => {
      show(stored);
      void queries.invalidateQueries({ queryKey: ['organisations'] });
    },
  });
}
