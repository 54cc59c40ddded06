// A file with the lines of a list that failed, in the form of the list: it can be corrected and presented.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Presentation } from '@landfall/client';
import { isObject, type PresentationPath, type ValidationError } from '@landfall/contract';
import { CommandFailedError, codeOf } from '../../process/exit.js';
import { columnsOf, ERROR_COLUMN, fieldsOf } from './list-columns.js';
import type { InvalidLine, ListForm } from './read-list.js';

/**
 * Is written beside the file, and replaces it at the end of a run in which something failed. Until then, and if nothing
 * failed, what an earlier run or a person has written there stays.
 */
export class FailedFile {
  readonly #path: string;
  readonly #form: ListForm;
  readonly #columns: readonly string[];
  readonly #temporary: string;
  readonly #descriptor: number;
  #lines = 0;
  #isWhole = true;

  /** @throws CommandFailedError when it cannot be written, or is a folder, a device or a pipe */
  constructor(path: string, level: PresentationPath, form: ListForm) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new CommandFailedError(`--failed ${path} is not a file. Nothing was sent.`);
    }
    this.#path = path;
    this.#temporary = `${path}.${randomUUID()}.tmp`;
    this.#form = form;
    this.#columns = columnsOf(level);
    try {
      this.#descriptor = openSync(this.#temporary, 'wx', 0o600);
    } catch (error) {
      throw new CommandFailedError(`cannot write ${path} (${codeOf(error)}). Nothing was sent.`);
    }
  }

  /** Adds a presentation that was refused, with the reason. */
  addRefused(presentation: Presentation, error: string): void {
    if (this.#form.form === 'csv') this.#addFields(fieldsOf(presentation), error);
    else this.#write(JSON.stringify({ ...presentation, [ERROR_COLUMN]: error }));
  }

  /** Adds a line that was not sent. */
  addInvalid({ fields, text, errors }: InvalidLine): void {
    const error = inWords(errors);
    if (this.#form.form === 'csv') {
      // What cannot be split stays in one field, and is refused until somebody has corrected it.
      const [first = ''] = this.#columns;
      this.#addFields(fields.size > 0 ? fields : new Map([[first, text]]), error);
      return;
    }
    const value = parse(text);
    const isLine = isObject(value) || text === '';
    this.#write(isLine ? JSON.stringify({ ...(value as object), [ERROR_COLUMN]: error }) : text);
  }

  /** Replaces the file, and returns how many lines it has and whether an earlier one was left. */
  close(): { lines: number; isEarlier: boolean } {
    closeSync(this.#descriptor);
    if (!this.#isWhole) this.#lines = 0;
    if (this.#lines > 0) renameSync(this.#temporary, this.#path);
    else rmSync(this.#temporary, { force: true });
    return { lines: this.#lines, isEarlier: this.#lines === 0 && existsSync(this.#path) };
  }

  #addFields(fields: ReadonlyMap<string, string>, error: string): void {
    const { delimiter } = this.#form.form === 'csv' ? this.#form : { delimiter: ',' };
    const values = this.#columns.map((column) =>
      column === ERROR_COLUMN ? error : (fields.get(column) ?? ''),
    );
    this.#write(values.map(quote).join(delimiter));
  }

  #write(line: string): void {
    const { form } = this.#form;
    const header = `${this.#columns.join(form === 'csv' ? this.#form.delimiter : '')}\n`;
    const isFirst = this.#lines === 0 && form === 'csv';
    try {
      // It continues after a short write, and throws when the disk is full.
      writeFileSync(this.#descriptor, `${isFirst ? header : ''}${line}\n`);
      this.#lines += 1;
    } catch (error) {
      this.#isWhole = false;
      throw new CommandFailedError(
        `cannot write ${this.#path} (${codeOf(error)}): it is left as it was`,
      );
    }
  }
}

/** Broken rules as the text of one column. */
export function inWords(errors: readonly ValidationError[]): string {
  return errors.map(({ field, error, code }) => `${field} ${error} (${code})`.trim()).join('; ');
}

function quote(field: string): string {
  return /["\n\r,;\t]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
