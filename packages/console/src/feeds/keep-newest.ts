// What is kept of a feed that does not end.

/** The limits of what is kept. */
export type KeptLimits<Entry> = {
  maxCount: number;
  /** For all entries together, in the unit of `sizeOf`. */
  maxSize: number;
  sizeOf: (entry: Entry) => number;
};

/** The newest entries within both limits, at least one. `entries` are oldest first, as is the result. */
export function keepNewest<Entry>(
  entries: readonly Entry[],
  { maxCount, maxSize, sizeOf }: KeptLimits<Entry>,
): readonly Entry[] {
  let size = 0;
  let from = entries.length;
  while (from > 0 && entries.length - from < maxCount) {
    const entry = entries[from - 1];
    if (entry !== undefined) size += sizeOf(entry);
    if (size > maxSize && from < entries.length) break;
    from -= 1;
  }
  return from === 0 ? entries : entries.slice(from);
}
