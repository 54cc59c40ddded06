// Searches house consignments by the filters of the address.
import type { HouseConsignment, HouseConsignmentState } from '@landfall/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { collectConsignments } from '../../consignments/collect-consignments.js';
import { isNoOffice } from '../../names/customs-office.js';
import { useLandfall } from '../../session/session-context.js';
import { completeKind, type IdentifierKind, searchedKey } from './search-terms.js';

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

/** What was found. */
export type Found = {
  consignments: readonly HouseConsignment[];
  /**
   * Whether these are all: `all` that begin with what was typed; all with exactly this identifier of a `kind`; or some, and
   * there are `more`.
   */
  extent: 'all' | 'more' | { kind: IdentifierKind };
};

/** The parameters of a list of everything with an identifier, by its kind. */
const LISTED_BY = {
  houseDocument: 'documentNumber',
  mrn: 'mrn',
  masterDocument: 'masterDocumentNumber',
  receptacle: 'receptacleId',
  container: 'containerId',
} as const satisfies Record<IdentifierKind, string>;

const PAGE = 1000;

/**
 * Everything with an identifier that begins with what was typed, however it is spelled. If there is too much, and what was
 * typed is a whole identifier, so that nothing more can be typed, everything that has it, page by page.
 */
export function useSearch({ identifier, state, office }: SearchFilters, isOn: boolean) {
  const landfall = useLandfall();
  const key = searchedKey(identifier);
  const filters = {
    ...(state && { state }),
    ...(office !== '' && !isNoOffice(office) && { office }),
  };
  return useQuery({
    queryKey: ['search', key, filters],
    enabled: isOn && key !== undefined,
    // Until the next result is there, the previous one stays.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      const found = await landfall.searchHouseConsignments(
        { identifier: key ?? '', ...filters },
        { signal },
      );
      const consignments = found.houseConsignments;
      if (found.complete) return { consignments, extent: 'all' };
      const kind = completeKind(consignments, key ?? '');
      if (kind === undefined) return { consignments, extent: 'more' };
      const listed = await collectConsignments(
        (page) => landfall.listHouseConsignments(page, { signal }),
        { [LISTED_BY[kind]]: key, ...filters, limit: PAGE },
        () => undefined,
      );
      return {
        consignments: listed.consignments,
        extent: listed.extent === 'all' ? { kind } : 'more',
      };
    },
  });
}
