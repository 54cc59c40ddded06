// Collects all house consignments that match a filter, up to a limit: the list on which decisions are made.
import type { HouseConsignment, ListHouseConsignmentsQuery } from '@landfall/client';

/** Maximum number of house consignments on which decisions are made at once. */
export const MAX_COLLECTED = 10_000;

/** Maximum number of pages that are read: each examines at most 10,000 house consignments of the service. */
export const MAX_PAGES = 200;

/** What was found so far. */
export type Collected = {
  consignments: readonly HouseConsignment[];
  /** `all`: nothing else matches; `more`: others may match, and none of them is in the list. */
  extent: 'all' | 'more';
};

/** A list, and when it was begun. */
export type Listed = Collected & { at: Date };

/** One page, as the client library reads it. */
type ReadPage = (query: ListHouseConsignmentsQuery) => Promise<{
  entries: HouseConsignment[];
  next: ListHouseConsignmentsQuery | undefined;
}>;

/**
 * Reads page after page until the list is complete or a limit is reached. Throws what `readPage` throws.
 *
 * @param onProgress is called with the number of house consignments found, after each page
 */
export async function collectConsignments(
  readPage: ReadPage,
  query: ListHouseConsignmentsQuery,
  onProgress: (found: number) => void,
): Promise<Collected> {
  const consignments: HouseConsignment[] = [];
  let next: ListHouseConsignmentsQuery | undefined = query;
  for (let page = 0; next !== undefined; page++) {
    if (page === MAX_PAGES || consignments.length >= MAX_COLLECTED) {
      return { consignments: consignments.slice(0, MAX_COLLECTED), extent: 'more' };
    }
    const read = await readPage(next);
    consignments.push(...read.entries);
    next = read.next;
    onProgress(consignments.length);
  }
  return consignments.length > MAX_COLLECTED
    ? { consignments: consignments.slice(0, MAX_COLLECTED), extent: 'more' }
    : { consignments, extent: 'all' };
}

/** At most `count` of a list, at even distances, from its first entry on. */
export function sampleOf<Entry>(list: readonly Entry[], count: number): readonly Entry[] {
  if (list.length <= count) return list;
  return Array.from({ length: count }, (_, index) =>
    list.at(Math.floor((index * list.length) / count)),
  ).filter((entry) => entry !== undefined);
}
