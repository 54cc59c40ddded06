// Reads lists that the service returns page by page. A page may be short or empty although more pages follow.
import { UnexpectedResponseError } from '@landfall/client';
import { PAGE_LIMIT } from '@landfall/contract';

/** The part of a query that says which page is read. */
type PageQuery = { limit?: number; marker?: string };

/** A page as the client library returns it. */
type Page<Entry> = {
  entries: readonly Entry[];
  next?: { marker?: string | undefined } | undefined;
};

/** The entries that were read, and the marker of those that follow, if there may be more. */
export type ReadPages<Entry> = { found: Entry[]; next: string | undefined };

/**
 * Reads pages until so many entries are found or there are no more.
 *
 * @param read reads one page
 * @throws UnexpectedResponseError when a page follows that was read before
 * @param limit default: all
 * @param marker after which entry reading begins; default: at the first
 * @param onPage is called after each page, with what was found so far
 */
export async function readPages<Entry>(
  read: (query: PageQuery) => Promise<Page<Entry>>,
  {
    limit = Number.POSITIVE_INFINITY,
    marker,
    onPage = () => undefined,
  }: {
    limit?: number;
    marker?: string | undefined;
    onPage?: (found: readonly Entry[]) => void;
  } = {},
): Promise<ReadPages<Entry>> {
  const found: Entry[] = [];
  const asked = new Set<string>();
  let next = marker;
  do {
    if (next !== undefined && asked.has(next)) {
      throw new UnexpectedResponseError(
        `the service responds with pages that repeat themselves: ${next} follows for the second time`,
      );
    }
    if (next !== undefined) asked.add(next);
    const page = await read({
      limit: Math.min(PAGE_LIMIT, limit - found.length),
      ...(next !== undefined && { marker: next }),
    });
    found.push(...page.entries);
    next = page.next?.marker;
    onPage(found);
  } while (next !== undefined && found.length < limit);
  return { found, next };
}
