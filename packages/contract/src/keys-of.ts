// The names of a closed table, typed as what they are.

/** The names of a table in their order. */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  // The cast is true of a table written out as a literal: it has no other names than its type says.
  return Object.keys(table) as (keyof Table & string)[];
}
