// Reads a code list from CSV and reports every broken line. No database.
import { setImmediate } from 'node:timers/promises';
import {
  MAX_REPORTED_ERRORS,
  type ValidationError,
  type ValidationErrorCode,
} from '@landfall/contract';
import { CsvError, type Parser, parse } from 'csv-parse';

/** Characters of a line, which usually has 60: an unclosed quote must not extend to the end of the list. */
const MAX_LINE = 1000;

/** Bytes that are read before other work has a turn. */
const BYTES_A_TURN = 4 * 1024;

/** What the lines of a list are. */
export type ListFormat<Entry> = {
  /** The columns, and the member of an entry for each; the first one is its key. */
  columns: Readonly<Record<string, keyof Entry & string>>;
  requiredColumns: readonly string[];
  maxLines: number;
  /** What an entry is called, and several. */
  noun: string;
  plural: string;
  /** Checks an entry; the field of an error is a member, or a column with its rule. */
  check(
    entry: Readonly<Record<string, string>>,
  ): { valid: true; value: Entry } | { valid: false; errors: readonly ValidationError[] };
};

/** The entries of a list, or the rules that it breaks, in the order of its lines. */
export type ReadList<Entry> =
  | { valid: true; entries: readonly Entry[] }
  | { valid: false; errors: readonly ValidationError[] };

/** One line with its number, from 1, and its fields. */
type Line = { number: number; fields: readonly string[] };

/**
 * Reads a list part by part. Its first line names the columns, in any order. The field of an error is such as
 * `line 17: valid_to`.
 *
 * @param csv UTF-8 text
 * @returns the entries, or all errors, or one more than are reported
 */
export async function readCodeList<Entry extends object>(
  csv: Buffer,
  format: ListFormat<Entry>,
): Promise<ReadList<Entry>> {
  const list = new ListReader(format);
  const lines = new CsvLines();
  for (
    let start = 0;
    start < csv.length && !list.isDone && !lines.isBroken;
    start += BYTES_A_TURN
  ) {
    if (start > 0) await setImmediate();
    for (const line of lines.read(csv.subarray(start, start + BYTES_A_TURN))) list.add(line);
  }
  if (!list.isDone) for (const line of await lines.end()) list.add(line);
  return list.finish(lines.error);
}

/** Collects the entries and errors of a list, line by line. */
class ListReader<Entry extends object> {
  readonly #format: ListFormat<Entry>;
  readonly #errors: ValidationError[] = [];
  readonly #entries: Entry[] = [];
  readonly #lineOf = new Map<unknown, number>();
  #header: Line | undefined;
  #lines = 0;
  #isDone = false;

  constructor(format: ListFormat<Entry>) {
    this.#format = format;
  }

  /** Whether the list is refused whatever its next lines are. */
  get isDone(): boolean {
    return this.#isDone;
  }

  add(line: Line): void {
    if (this.#isDone) return;
    const { maxLines, plural } = this.#format;
    if (this.#header === undefined) {
      this.#header = line;
      this.#errors.push(...checkHeader(line, this.#format));
      // Lines cannot be checked without their columns.
      this.#isDone = this.#errors.length > 0;
    } else if (++this.#lines > maxLines) {
      const rule = `there must not be more than ${maxLines} ${plural}`;
      this.#errors.push(problem(`line ${line.number}`, 'SIZE', rule));
      this.#isDone = true;
    } else {
      this.#addEntry(this.#header, line);
      this.#isDone = this.#errors.length > MAX_REPORTED_ERRORS;
    }
  }

  /** The result; `broken` is why the list could not be read to its end. */
  finish(broken: ValidationError | undefined): ReadList<Entry> {
    const errors = broken === undefined ? this.#errors : [...this.#errors, broken];
    if (errors.length > 0) return { valid: false, errors };
    if (this.#entries.length > 0) return { valid: true, entries: this.#entries };
    const what =
      this.#header === undefined ? 'the list is empty' : `the list has no ${this.#format.noun}`;
    return { valid: false, errors: [problem('', 'REQUIRED', what)] };
  }

  #addEntry(header: Line, line: Line): void {
    const entry = readEntry(header, line, this.#format);
    if (!entry.valid) {
      this.#errors.push(...entry.errors);
      return;
    }
    const [[column, member] = ['', undefined]] = Object.entries(this.#format.columns);
    const key = member === undefined ? undefined : entry.value[member];
    const before = this.#lineOf.get(key);
    if (before === undefined) {
      this.#lineOf.set(key, line.number);
      this.#entries.push(entry.value);
    } else {
      const field = `line ${line.number}: ${column}`;
      this.#errors.push(problem(field, 'FORMAT', `${key} is already in line ${before}`));
    }
  }
}

/** Splits CSV that arrives in parts into lines. */
class CsvLines {
  readonly #parser: Parser;
  #lines: Line[] = [];
  #last = 0;
  #error: Error | undefined;

  constructor() {
    this.#parser = parse({
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_LINE,
      on_record: (fields: string[], { lines: number }) => {
        this.#lines.push({ number, fields });
        this.#last = number;
        return null;
      },
    });
    this.#parser.on('error', (error) => {
      this.#error = error;
    });
  }

  get isBroken(): boolean {
    return this.#error !== undefined;
  }

  /** Why no further line can be read. */
  get error(): ValidationError | undefined {
    if (this.#error === undefined) return undefined;
    if (!(this.#error instanceof CsvError)) throw this.#error;
    return problem(`line ${this.#last + 1}`, 'FORMAT', this.#error.message.slice(0, MAX_LINE));
  }

  /** The lines that end in this part. */
  read(part: Buffer): Line[] {
    this.#parser.write(part);
    return this.#take();
  }

  /** The last line, if it has no line end. */
  async end(): Promise<Line[]> {
    if (!this.isBroken) {
      await new Promise<void>((resolve) => {
        this.#parser.once('finish', resolve).once('close', resolve).end();
      });
    }
    return this.#take();
  }

  #take(): Line[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

function checkHeader<Entry>(
  { number, fields }: Line,
  { columns, requiredColumns }: ListFormat<Entry>,
): ValidationError[] {
  const missing = requiredColumns
    .filter((column) => !fields.includes(column))
    .map((column) =>
      problem(`line ${number}: ${column}`, 'REQUIRED', 'there must be such a column'),
    );
  const unknown = fields
    .filter((name) => !Object.hasOwn(columns, name))
    .map((name) =>
      problem(
        `line ${number}: ${name}`,
        'FORMAT',
        `must be one of [${Object.keys(columns).join(', ')}]`,
      ),
    );
  const twice = fields
    .filter((name, index) => fields.indexOf(name) !== index)
    .map((name) => problem(`line ${number}: ${name}`, 'FORMAT', 'must be there once'));
  return [...missing, ...unknown, ...twice];
}

function readEntry<Entry extends object>(
  header: Line,
  { number, fields }: Line,
  format: ListFormat<Entry>,
): { valid: true; value: Entry } | { valid: false; errors: ValidationError[] } {
  if (fields.length !== header.fields.length) {
    const rule = `must have ${header.fields.length} fields, not ${fields.length}`;
    return { valid: false, errors: [problem(`line ${number}`, 'FORMAT', rule)] };
  }
  const checked = format.check(toEntry(header.fields, fields, format));
  if (checked.valid) return checked;
  const errors = checked.errors.map((error) => ({
    ...error,
    field: `line ${number}: ${columnOf(error.field, format)}`,
  }));
  return { valid: false, errors };
}

/** An empty field that is not required is omitted. */
function toEntry<Entry>(
  header: readonly string[],
  fields: readonly string[],
  { columns, requiredColumns }: ListFormat<Entry>,
): Record<string, string> {
  const entry: Record<string, string> = {};
  for (const [column, member] of Object.entries(columns)) {
    const text = fields[header.indexOf(column)];
    if (text !== undefined && (text !== '' || requiredColumns.includes(column))) {
      entry[member] = text;
    }
  }
  return entry;
}

function columnOf<Entry>(member: string, { columns }: ListFormat<Entry>): string {
  return Object.entries(columns).find(([, name]) => name === member)?.[0] ?? member;
}

function problem(field: string, code: ValidationErrorCode, error: string): ValidationError {
  return { field, error, code };
}
