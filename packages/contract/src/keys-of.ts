// The names of the members of a table, with their exact type.

/** The names of the members of a table, in their order. */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  // The cast is true for a table that is a literal: it has exactly the names of its type.
  return Object.keys(table) as (keyof Table & string)[];
}
