// Tables with columns as wide as their contents, cut to the width of the terminal.
import { cutToWidth, displayWidth } from './display-width.js';
import { type Colours, coloursFor, print, printable, report } from './output.js';
import { terminalWidth } from './wrap.js';

/** One column of a table of `Row`s. */
export type Column<Row> = {
  heading: string;
  value: (row: Row) => string;
  /** The colour of a cell. */
  colour?: (row: Row, colours: Colours) => (text: string) => string;
  /** The width of values when rows are printed one by one. */
  width?: number;
};

const SEPARATOR = '  ';

/** Columns are not cut below this width. */
const MIN_WIDTH = 6;

/** Formats rows, and counts what it cuts. */
export class Table<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #widths: readonly number[];
  readonly #colours: Colours;
  readonly #fits: boolean;
  #cut = 0;

  /**
   * @param rows all rows of the table; without them the columns have their fixed widths
   * @param maxWidth the width of the terminal; `Infinity` for a pipe or a file, in which nothing is cut
   */
  constructor(
    columns: readonly Column<Row>[],
    { rows, colours, maxWidth }: { rows?: readonly Row[]; colours: Colours; maxWidth: number },
  ) {
    this.#columns = columns;
    const natural = columns.map(({ heading, value, width = 0 }) => {
      const values = rows?.map((row) => displayWidth(printable(value(row)))) ?? [width];
      return values.reduce((widest, each) => Math.max(widest, each), displayWidth(heading));
    });
    this.#widths = fitWidths(natural, maxWidth);
    this.#fits = maxWidth === Number.POSITIVE_INFINITY;
    this.#colours = colours;
  }

  /** How many values are cut in the rows so far. */
  get cut(): number {
    return this.#cut;
  }

  heading(): string {
    return this.#join(
      this.#columns.map(({ heading }, index) => ({
        text: this.#fit(heading, index),
        colour: this.#colours.bold,
      })),
    );
  }

  row(row: Row): string {
    return this.#join(
      this.#columns.map(({ value, colour }, index) => {
        const whole = printable(value(row));
        const text = this.#fit(whole, index);
        if (text !== whole) this.#cut += 1;
        return { text, colour: colour?.(row, this.#colours) ?? String };
      }),
    );
  }

  #fit(text: string, column: number): string {
    return this.#fits ? text : cutToWidth(text, this.#widths[column] ?? 0);
  }

  /** Cells are padded before they are coloured, because colour codes take no space on a terminal. */
  #join(cells: { text: string; colour: (text: string) => string }[]): string {
    return cells
      .map(({ text, colour }, index) => {
        const padding =
          index === cells.length - 1 ? 0 : (this.#widths[index] ?? 0) - displayWidth(text);
        return colour(text + ' '.repeat(Math.max(0, padding)));
      })
      .join(SEPARATOR);
  }
}

/** Narrows the widest columns until the table fits. */
function fitWidths(natural: readonly number[], maxWidth: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width + SEPARATOR.length, 0);
  while (total() - SEPARATOR.length > maxWidth) {
    const widest = Math.max(...widths);
    if (widest <= MIN_WIDTH) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

/** A table whose rows are printed one by one on standard output. */
export function openTable<Row>(columns: readonly Column<Row>[]): Table<Row> {
  return new Table(columns, { colours: coloursFor(), maxWidth: terminalWidth() });
}

/** Prints a table; `after` returns lines to print below a row. */
export function printTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  after: (row: Row) => readonly string[] = () => [],
): void {
  const table = new Table(columns, { rows, colours: coloursFor(), maxWidth: terminalWidth() });
  print(table.heading());
  for (const row of rows) {
    print(table.row(row));
    for (const line of after(row)) print(line);
  }
  reportCut(table);
}

/** Reports how many values were cut, if any. */
export function reportCut({ cut }: Pick<Table<never>, 'cut'>): void {
  if (cut === 0) return;
  const values = cut === 1 ? '1 value was' : `${cut} values were`;
  report(`${values} cut (…) to fit the terminal; --json prints everything`);
}
