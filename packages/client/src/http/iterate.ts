// Opens what a caller gives as a source of several items.

/**
 * The iterator of a source.
 *
 * @param what the items, as the error names them
 * @throws TypeError for what cannot be iterated, as a program without types may give it
 */
export function iterate<Item>(
  source: Iterable<Item> | AsyncIterable<Item>,
  what: string,
): Iterator<Item, void> | AsyncIterator<Item, void> {
  requireObject(source, what);
  return Symbol.asyncIterator in source
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
}

/** @throws TypeError as `iterate` does */
export function requireObject(source: unknown, what: string): asserts source is object {
  if (typeof source === 'object' && source !== null) return;
  const given = source === null ? 'null' : typeof source;
  throw new TypeError(
    `the ${what} must be an array or anything else that can be iterated, not ${given}`,
  );
}
