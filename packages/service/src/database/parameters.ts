// The values of a statement, each given where its text uses it, so that no list of values has to match numbers in the text.

/** A column of rows that are sent as arrays: its type, and its value of each row. */
type Column<Item> = readonly [type: string, read: (item: Item) => unknown];

/** Numbers the values of one statement in the order in which its text uses them. */
export class Parameters {
  readonly values: unknown[] = [];

  /** A value: `$1::text`. */
  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }

  /**
   * Rows, sent as one array for each column: `unnest(...) with ordinality as ALIAS (..., number)`. `number` counts them
   * from 1.
   */
  rows<Item>(
    alias: string,
    items: readonly Item[],
    columns: Readonly<Record<string, Column<Item>>>,
  ): string {
    const arrays = Object.values(columns).map(([type, read]) =>
      this.add(items.map(read), `${type}[]`),
    );
    const names = [...Object.keys(columns), 'number'];
    return `unnest(${arrays.join(', ')}) with ordinality as ${alias} (${names.join(', ')})`;
  }
}
