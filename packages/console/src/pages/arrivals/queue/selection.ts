// Which goods of a queue are selected.

/** Ids of goods. */
export type Selection = ReadonlySet<string>;

/** Selects one, or no longer. */
export function toggle(selection: Selection, id: string): Selection {
  const next = new Set(selection);
  if (!next.delete(id)) next.add(id);
  return next;
}

/**
 * Selects everything between two of a list, both included.
 *
 * @param from where the range begins; if it is not in the list, only `to` is selected
 */
export function selectRange(
  selection: Selection,
  ids: readonly string[],
  from: string | undefined,
  to: string,
): Selection {
  const end = ids.indexOf(to);
  const begin = from === undefined ? -1 : ids.indexOf(from);
  if (end === -1) return selection;
  if (begin === -1) return new Set([...selection, to]);
  const [first, last] = begin < end ? [begin, end] : [end, begin];
  return new Set([...selection, ...ids.slice(first, last + 1)]);
}
