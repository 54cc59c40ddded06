// One page of a list.

/** A page, and how to read the next one. */
export type Page<Entry, Query> = {
  /** In the order of the list; may be empty although more follow. */
  entries: Entry[];
  /** The query of the next page; `undefined` when no more entries are known yet. */
  next: Query | undefined;
  /** Current goods items: the marker from which to follow the stream of goods items. */
  marker: string | undefined;
  /**
   * Feeds: the timeline in which the page was read. With it and its marker, the next read never takes the marker for another
   * entry, which may have the same id after the service was restored to an earlier time.
   */
  timeline?: string | undefined;
};

/** The query of the next page, from the `Link` header (RFC 8288). */
export function nextQuery({ headers, url }: Response): Record<string, string | number> | undefined {
  const target = /<([^<>]*)>\s*;\s*rel="?next\b/.exec(headers.get('link') ?? '')?.[1];
  if (target === undefined) return undefined;
  // A `fetch` that makes its responses itself leaves `url` empty. Only the query is used, never the host.
  const base = URL.canParse(url) ? url : 'http://localhost';
  if (!URL.canParse(target, base)) return undefined;
  const next: Record<string, string | number> = {};
  for (const [name, value] of new URL(target, base).searchParams) {
    next[name] = name === 'limit' ? Number(value) : value;
  }
  return next;
}
