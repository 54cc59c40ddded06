// Searches by the filters of the address.
import type { HouseConsignmentState } from '@landfall/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { OFFICE } from '../../consignments/customs-office.js';
import { useLandfall } from '../../session/session-context.js';
import { searchedKey } from './search-terms.js';

/** The states by which may be filtered. */
export const STATES: readonly HouseConsignmentState[] = [
  'PRE_NOTIFIED',
  'DECIDED',
  'PRESENTED',
  'SIGNALLED',
  'WITHDRAWN',
];

/** The filters of the address; an empty text is none. */
export type SearchFilters = {
  identifier: string;
  state: HouseConsignmentState | undefined;
  office: string;
};

/** Everything with an identifier that begins with what was typed, however it is spelled. */
export function useSearch({ identifier, state, office }: SearchFilters) {
  const landfall = useLandfall();
  const key = searchedKey(identifier);
  const filters = { ...(state && { state }), ...(OFFICE.test(office) && { office }) };
  return useQuery({
    queryKey: ['search', key, filters],
    enabled: key !== undefined,
    // Until the next result is there, the previous one stays.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      landfall.searchHouseConsignments({ identifier: key ?? '', ...filters }, { signal }),
  });
}
