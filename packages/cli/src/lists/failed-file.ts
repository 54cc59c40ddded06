// A file with the lines of a list that failed, in the form of the list: it can be corrected and sent.
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { ConfigurationError } from '@landfall/client';
import { type FileLock, lockFile } from '@landfall/client/node';
import { isObject, type ValidationError } from '@landfall/contract';
import { CommandFailedError, codeOf } from '../process/exit.js';
import { ERROR_COLUMN, type InvalidLine, type ListForm } from './list.js';

/** What became of the file: how many lines, in which file, and whether that of an earlier run was left as it was. */
export type Written = { lines: number; file: string; isEarlier: boolean };

/**
 * Is written beside the file, with ".partial" added, and replaces it at the end of a whole run in which something failed.
 * Otherwise, what an earlier run or a person has written there stays. One run at a time writes it.
 */
export class FailedFile {
  readonly #lock: FileLock;
  readonly #form: ListForm;
  readonly #columns: readonly string[];
  readonly #partial: string;
  readonly #descriptor: number;
  #lines = 0;
  #hasFailed = false;

  private constructor(lock: FileLock, form: ListForm, columns: readonly string[]) {
    this.#lock = lock;
    this.#form = form;
    this.#columns = columns;
    this.#partial = `${lock.path}.partial`;
    // What a run left that was killed. Of a link, the link itself.
    rmSync(this.#partial, { force: true });
    this.#descriptor = openSync(this.#partial, 'wx', 0o600);
  }

  /**
   * @param columns those of a list in CSV
   * @throws CommandFailedError when it cannot be written, is a folder, a device or a pipe, or is where the output goes
   * @throws ConfigurationError when another run writes it
   */
  static async open(
    path: string,
    form: ListForm,
    columns: readonly string[] = [],
  ): Promise<FailedFile> {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && (!found.isFile() || isOutput(found))) {
      throw new CommandFailedError(`--failed ${path} is not a file of its own. Nothing was sent.`);
    }
    let lock: FileLock | undefined;
    try {
      lock = await lockFile(path);
      return new FailedFile(lock, form, columns);
    } catch (error) {
      lock?.release();
      if (error instanceof ConfigurationError) throw error;
      throw new CommandFailedError(`cannot write ${path} (${codeOf(error)}). Nothing was sent.`);
    }
  }

  /** Adds a line that was refused, with the reason: its fields in CSV, else the object. */
  addRefused(item: object, fields: ReadonlyMap<string, string>, error: string): void {
    if (this.#form.form === 'csv') this.#addFields(fields, error);
    else this.#write(JSON.stringify({ ...item, [ERROR_COLUMN]: error }));
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

  /**
   * Ends writing.
   *
   * @param isWhole whether the run came to its end: then the lines replace the file
   */
  close(isWhole: boolean): Written {
    const { path } = this.#lock;
    try {
      const isKept = this.#lines > 0 && !this.#hasFailed;
      if (isKept) fsyncSync(this.#descriptor);
      closeSync(this.#descriptor);
      if (!isKept) {
        rmSync(this.#partial, { force: true });
        return { lines: 0, file: path, isEarlier: existsSync(path) };
      }
      if (!isWhole) {
        return { lines: this.#lines, file: this.#partial, isEarlier: existsSync(path) };
      }
      renameSync(this.#partial, path);
      return { lines: this.#lines, file: path, isEarlier: false };
    } finally {
      this.#lock.release();
    }
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
      this.#hasFailed = true;
      throw new CommandFailedError(
        `cannot write ${this.#lock.path} (${codeOf(error)}): it is left as it was`,
      );
    }
  }
}

/** Whether a file is standard output or standard error, as `/dev/stdout` names it. */
function isOutput({ dev, ino }: Stats): boolean {
  return [1, 2].some((descriptor) => {
    try {
      const output = fstatSync(descriptor);
      return output.isFile() && output.dev === dev && output.ino === ino;
    } catch {
      return false;
    }
  });
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
