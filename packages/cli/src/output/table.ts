// Formats tables with columns as wide as their contents.
import { type Colours, printable } from './output.js';

/** One column of a table of `Row`s. */
export type Column<Row> = {
  heading: string;
  value: (row: Row) => string;
  /** The colour of a cell. */
  colour?: (row: Row, colours: Colours) => (text: string) => string;
  /** The width in characters when rows are printed one by one. */
  width?: number;
};

/** The lines of a table: the heading, then one line per row. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  colours: Colours,
): string[] {
  const fitted = columns.map((column) => ({
    ...column,
    width: Math.max(
      column.heading.length,
      ...rows.map((row) => printable(column.value(row)).length),
    ),
  }));
  return [headingLine(fitted, colours), ...rows.map((row) => rowLine(fitted, row, colours))];
}

/** The heading of a table whose rows are printed one by one. */
export function headingLine<Row>(columns: readonly Column<Row>[], colours: Colours): string {
  return joinCells(
    columns,
    ({ heading }) => heading,
    () => colours.bold,
  );
}

/** One row of a table whose rows are printed one by one. */
export function rowLine<Row>(columns: readonly Column<Row>[], row: Row, colours: Colours): string {
  return joinCells(
    columns,
    ({ value }) => printable(value(row)),
    ({ colour }) => colour?.(row, colours) ?? String,
  );
}

/** Cells are padded before they are coloured, because colour codes take no space on a terminal. */
function joinCells<Row>(
  columns: readonly Column<Row>[],
  text: (column: Column<Row>) => string,
  colour: (column: Column<Row>) => (text: string) => string,
): string {
  return columns
    .map((column, index) => {
      const last = index === columns.length - 1;
      const cell = text(column);
      return colour(column)(last ? cell : cell.padEnd(column.width ?? column.heading.length));
    })
    .join('  ');
}
