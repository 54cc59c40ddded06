// What a line of a list contains at each level, and the presentation that it becomes.
import type { Presentation } from '@landfall/client';
import {
  type Check,
  compileCheck,
  isObject,
  type PresentationPath,
  presentationLevels,
  type ValidationError,
} from '@landfall/contract';
import { ERROR_COLUMN } from '../../lists/list.js';
import { membersOf, readMembers, valuesOf } from './presentation-members.js';

const OFFICE_COLUMN = 'customsOfficeOfPresentation';

/** The columns that a CSV list of a level must have. */
export function requiredColumnsOf(level: PresentationPath): string[] {
  return membersOf(level)
    .filter(({ isRequired }) => isRequired)
    .flatMap(({ name }) => valuesOf[name].map(({ column }) => column));
}

/** All columns that a list of a level may have, in the order of a file of failures. */
export function columnsOf(level: PresentationPath): string[] {
  const ofMembers = membersOf(level).flatMap(({ name }) => valuesOf[name]);
  return [...ofMembers.map(({ column }) => column), OFFICE_COLUMN, ERROR_COLUMN];
}

/** A presentation, or the rules that its line breaks. */
export type ReadLine = { presentation: Presentation } | { errors: readonly ValidationError[] };

/** Reads the fields or members of a line. */
export class LineReader {
  readonly #level: PresentationPath;
  readonly #office: string;
  readonly #check: Check<unknown>;
  /** The office of lines without one, if there was such a line. */
  usedOffice: string | undefined;

  /** @param office the customs office of presentation of lines without one */
  constructor(level: PresentationPath, office: string) {
    this.#level = level;
    this.#office = office;
    this.#check = compileCheck(presentationLevels[level].body);
  }

  /** Reads a line of a CSV list, by the names of its columns. An empty field is absent. */
  readFields(fields: ReadonlyMap<string, string>): ReadLine {
    const read = this.#readMembers({
      [OFFICE_COLUMN]: fields.get(OFFICE_COLUMN) || undefined,
      ...readMembers(this.#level, ({ column }) => fields.get(column) || undefined),
    });
    if ('presentation' in read) return read;
    // A column has the name of the member that it becomes.
    const errors = read.errors.map((error) => ({
      ...error,
      field: error.field.split('.').at(-1) ?? error.field,
    }));
    return { errors };
  }

  /** Reads the value of a line of an NDJSON list: a presentation without its requestId. */
  readValue(value: unknown): ReadLine {
    if (!isObject(value)) return { errors: [problem('', 'must be a JSON object', 'FORMAT')] };
    const allowed = [
      ...membersOf(this.#level).map(({ name }): string => name),
      OFFICE_COLUMN,
      ERROR_COLUMN,
    ];
    const errors = Object.keys(value).flatMap((name) => {
      if (name === 'requestId') {
        return [
          problem(name, 'must be left out: each presentation gets its own', 'UNKNOWN_MEMBER'),
        ];
      }
      if (allowed.includes(name)) return [];
      return [problem(name, `must be one of [${allowed.join(', ')}]`, 'UNKNOWN_MEMBER')];
    });
    return errors.length > 0 ? { errors } : this.#readMembers(value);
  }

  #readMembers(members: Record<string, unknown>): ReadLine {
    if (members[OFFICE_COLUMN] === undefined) this.usedOffice = this.#office;
    const office = members[OFFICE_COLUMN] ?? this.#office;
    const { [ERROR_COLUMN]: _error, ...body } = definedOf({ ...members, [OFFICE_COLUMN]: office });
    const checked = this.#check({ ...body, requestId: ANY_REQUEST_ID });
    if (!checked.valid) return { errors: checked.errors };
    // The cast is true because the schema of the level has just accepted it.
    const { requestId: _, ...presentation } = checked.value as Presentation;
    return { presentation: presentation as Presentation };
  }
}

/** The members that are not undefined. */
function definedOf(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The client makes the requestId. */
const ANY_REQUEST_ID = '00000000-0000-4000-8000-000000000000';

/** A broken rule. */
export function problem(
  field: string,
  error: string,
  code: ValidationError['code'],
): ValidationError {
  return { field, error, code };
}

/** The fields of a presentation, by the names of the columns. */
export function fieldsOf(presentation: Presentation): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(presentation)) {
    for (const [column, field] of isObject(value) ? Object.entries(value) : [[name, value]]) {
      if (typeof column === 'string' && typeof field === 'string') fields.set(column, field);
    }
  }
  return fields;
}
