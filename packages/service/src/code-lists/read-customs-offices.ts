// Reads a list of customs offices (CL141) from CSV and reports every broken line. No database.
import { setImmediate } from 'node:timers/promises';
import {
  CustomsOffice,
  compileCheck,
  MAX_REPORTED_ERRORS,
  type ValidationError,
  type ValidationErrorCode,
} from '@landfall/contract';
import { CsvError, type Parser, parse } from 'csv-parse';

/** The columns, and the member of an office for each. */
const columns = {
  reference_number: 'referenceNumber',
  name: 'name',
  valid_from: 'validFrom',
  valid_to: 'validTo',
} as const satisfies Record<string, keyof CustomsOffice>;

type Column = keyof typeof columns;

const REQUIRED_COLUMNS: readonly Column[] = ['reference_number', 'name'];

/** Characters of a line, which usually has 60: an unclosed quote must not extend to the end of the list. */
const MAX_LINE = 1000;

/** Customs offices of a list; the list of the whole EU has about 4,200. */
const MAX_LINES = 20_000;

/** Bytes that are read before other work has a turn. */
const BYTES_A_TURN = 4 * 1024;

const check = compileCheck<CustomsOffice>(CustomsOffice);

/** The offices of a list, or the rules that it breaks, in the order of its lines. */
export type CustomsOfficeList =
  | { valid: true; offices: readonly CustomsOffice[] }
  | { valid: false; errors: readonly ValidationError[] };

/** One line with its number, from 1, and its fields. */
type Line = { number: number; fields: readonly string[] };

/**
 * Reads a list part by part. Its first line names the columns, in any order. The field of an error is such as
 * `line 17: valid_to`.
 *
 * @param csv UTF-8 text with the columns `reference_number,name` and optionally `valid_from,valid_to`
 * @returns the offices, or all errors, or one more than are reported
 */
export async function readCustomsOffices(csv: Buffer): Promise<CustomsOfficeList> {
  const list = new ListReader();
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

/** Collects the offices and errors of a list, line by line. */
class ListReader {
  readonly #errors: ValidationError[] = [];
  readonly #offices: CustomsOffice[] = [];
  readonly #lineOf = new Map<string, number>();
  #header: Line | undefined;
  #lines = 0;
  #isDone = false;

  /** Whether the list is refused whatever its next lines are. */
  get isDone(): boolean {
    return this.#isDone;
  }

  add(line: Line): void {
    if (this.#isDone) return;
    if (this.#header === undefined) {
      this.#header = line;
      this.#errors.push(...checkHeader(line));
      // Lines cannot be checked without their columns.
      this.#isDone = this.#errors.length > 0;
    } else if (++this.#lines > MAX_LINES) {
      const rule = `there must not be more than ${MAX_LINES} customs offices`;
      this.#errors.push(problem(`line ${line.number}`, 'SIZE', rule));
      this.#isDone = true;
    } else {
      this.#addOffice(this.#header, line);
      this.#isDone = this.#errors.length > MAX_REPORTED_ERRORS;
    }
  }

  /** The result; `broken` is why the list could not be read to its end. */
  finish(broken: ValidationError | undefined): CustomsOfficeList {
    const errors = broken === undefined ? this.#errors : [...this.#errors, broken];
    if (errors.length > 0) return { valid: false, errors };
    if (this.#offices.length > 0) return { valid: true, offices: this.#offices };
    const what =
      this.#header === undefined ? 'the list is empty' : 'the list has no customs office';
    return { valid: false, errors: [problem('', 'REQUIRED', what)] };
  }

  #addOffice(header: Line, line: Line): void {
    const office = readOffice(header, line);
    if (!office.valid) {
      this.#errors.push(...office.errors);
      return;
    }
    const { referenceNumber } = office.value;
    const before = this.#lineOf.get(referenceNumber);
    if (before === undefined) {
      this.#lineOf.set(referenceNumber, line.number);
      this.#offices.push(office.value);
    } else {
      const field = `line ${line.number}: reference_number`;
      const rule = `${referenceNumber} is already in line ${before}`;
      this.#errors.push(problem(field, 'FORMAT', rule));
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

function checkHeader({ number, fields }: Line): ValidationError[] {
  const missing = REQUIRED_COLUMNS.filter((column) => !fields.includes(column)).map((column) =>
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

function readOffice(
  header: Line,
  { number, fields }: Line,
): { valid: true; value: CustomsOffice } | { valid: false; errors: ValidationError[] } {
  if (fields.length !== header.fields.length) {
    const rule = `must have ${header.fields.length} fields, not ${fields.length}`;
    return { valid: false, errors: [problem(`line ${number}`, 'FORMAT', rule)] };
  }
  const checked = check(toOffice(header.fields, fields));
  if (!checked.valid) {
    const errors = checked.errors.map((error) => ({
      ...error,
      field: `line ${number}: ${columnOf(error.field)}`,
    }));
    return { valid: false, errors };
  }
  const { validFrom, validTo } = checked.value;
  if (validFrom !== undefined && validTo !== undefined && validTo < validFrom) {
    const field = `line ${number}: valid_to`;
    const rule = 'must not be before valid_from';
    return { valid: false, errors: [problem(field, 'FORMAT', rule)] };
  }
  return checked;
}

/** An empty date is omitted: the office has no such limit. */
function toOffice(header: readonly string[], fields: readonly string[]): Record<string, string> {
  const office: Record<string, string> = {};
  for (const [column, member] of Object.entries(columns)) {
    const text = fields[header.indexOf(column)];
    if (text !== undefined && (text !== '' || member === 'referenceNumber' || member === 'name')) {
      office[member] = text;
    }
  }
  return office;
}

function columnOf(member: string): string {
  return Object.entries(columns).find(([, name]) => name === member)?.[0] ?? member;
}

function problem(field: string, code: ValidationErrorCode, error: string): ValidationError {
  return { field, error, code };
}
