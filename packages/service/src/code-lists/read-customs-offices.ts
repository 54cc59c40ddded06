// Reads a list of customs offices (CL141) from CSV and tells every broken line. Pure: no database.
import {
  CustomsOffice,
  compileCheck,
  type ValidationError,
  type ValidationErrorCode,
} from '@landfall/contract';
import { CsvError, parse } from 'csv-parse/sync';

/** The columns, with the member of an office that each one holds. */
const columns = {
  reference_number: 'referenceNumber',
  name: 'name',
  valid_from: 'validFrom',
  valid_to: 'validTo',
} as const satisfies Record<string, keyof CustomsOffice>;

type Column = keyof typeof columns;

const REQUIRED_COLUMNS: readonly Column[] = ['reference_number', 'name'];

/** A line is some 60 characters; a quote that is never closed must not swallow the rest of the list. */
const LINE_LIMIT = 10_000;

const check = compileCheck<CustomsOffice>(CustomsOffice);

/** What a list holds: its offices, or every rule that it breaks, in the order of its lines. */
export type CustomsOfficeList =
  | { valid: true; offices: readonly CustomsOffice[] }
  | { valid: false; errors: readonly ValidationError[] };

/** One line with its number, from 1, and its fields. */
type Line = { number: number; fields: readonly string[] };

/**
 * Reads a list. Its first line names the columns, in any order; each error's field is `line 17: valid_to`.
 *
 * @param csv text with the columns `reference_number,name` and optionally `valid_from,valid_to`
 */
export function readCustomsOffices(csv: string): CustomsOfficeList {
  const { lines, broken } = readLines(csv);
  const [header, ...rest] = lines;
  if (header === undefined) {
    return { valid: false, errors: broken ?? [problem('', 'REQUIRED', 'the list is empty')] };
  }
  const headerErrors = checkHeader(header);
  if (headerErrors.length > 0) return { valid: false, errors: headerErrors };

  const errors: ValidationError[] = [];
  const offices: CustomsOffice[] = [];
  const lineOf = new Map<string, number>();
  for (const line of rest) {
    const office = readOffice(header, line);
    if (!office.valid) {
      errors.push(...office.errors);
      continue;
    }
    const { referenceNumber } = office.value;
    const before = lineOf.get(referenceNumber);
    if (before === undefined) {
      lineOf.set(referenceNumber, line.number);
      offices.push(office.value);
    } else {
      const field = `line ${line.number}: reference_number`;
      errors.push(problem(field, 'FORMAT', `${referenceNumber} already stands in line ${before}`));
    }
  }
  errors.push(...(broken ?? []));
  if (rest.length === 0 && errors.length === 0) {
    errors.push(problem('', 'REQUIRED', 'the list has no customs office'));
  }
  return errors.length === 0 ? { valid: true, offices } : { valid: false, errors };
}

/** The lines as far as they can be read as CSV, and why not further. */
function readLines(csv: string): { lines: Line[]; broken?: ValidationError[] } {
  const lines: Line[] = [];
  try {
    parse(csv, {
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LINE_LIMIT,
      on_record: (fields: string[], { lines: number }) => {
        lines.push({ number, fields });
        return null;
      },
    });
    return { lines };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const last = lines.at(-1)?.number ?? 0;
    return { lines, broken: [problem(`line ${last + 1}`, 'FORMAT', error.message)] };
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
    .filter((name, place) => fields.indexOf(name) !== place)
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

/** An empty date is left out: it means that there is no such bound. */
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
