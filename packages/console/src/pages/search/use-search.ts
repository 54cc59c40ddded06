// Searches by the filters of the address.
import type { HouseConsignmentSearch, HouseConsignmentState } from '@landfall/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { OFFICE } from '../../consignments/customs-office.js';
import { useLandfall } from '../../session/session-context.js';
import { spellingsOf } from './search-terms.js';

/** The states by which may be filtered. */
export const STATES: readonly HouseConsignmentState[] = [
  'PRE_NOTIFIED',
  'DECIDED',
  'PRESENTED',
  'SIGNALLED',
];

/** The filters of the address; an empty text is none. */
export type SearchFilters = {
  identifier: string;
  state: HouseConsignmentState | undefined;
  office: string;
};

/** Everything that begins with what was typed, in each of its spellings. */
export function useSearch({ identifier, state, office }: SearchFilters) {
  const landfall = useLandfall();
  const spellings = spellingsOf(identifier);
  const filters = { ...(state && { state }), ...(OFFICE.test(office) && { office }) };
  return useQuery({
    queryKey: ['search', spellings, filters],
    enabled: spellings.length > 0,
    // Until the next result is there, the previous one stays.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<HouseConsignmentSearch> => {
      const searches = await Promise.all(
        spellings.map((spelling) =>
          landfall.searchHouseConsignments({ identifier: spelling, ...filters }, { signal }),
        ),
      );
      const found = searches.flatMap(({ houseConsignments }) => houseConsignments);
      return {
        houseConsignments: [...new Map(found.map((one) => [one.id, one])).values()],
        complete: searches.every(({ complete }) => complete),
      };
    },
  });
}
