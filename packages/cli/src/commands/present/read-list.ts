// Reads a list of presentations: CSV with a header row, or NDJSON. The whole list is read before anything is sent.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Presentation } from '@landfall/client';
import {
  type FoundText,
  LineSplitter,
  notJson,
  type PresentationPath,
  type ValidationError,
} from '@landfall/contract';
import { CsvError, parse } from 'csv-parse/sync';
import { cannotRead } from '../../input/read-file.js';
import { ERROR_COLUMN, type InvalidLine, type ListForm } from '../../lists/list.js';
import { CommandFailedError, codeOf } from '../../process/exit.js';
import { columnsOf, LineReader, problem, requiredColumnsOf } from './list-columns.js';

/** The maximum number of lines; they are kept in memory, and so is their journal. */
const MAX_LINES = 1_000_000;

/** The maximum size of a line, in bytes. */
const MAX_LINE_BYTES = 64 * 1024;

/** A list. `lines` has the number in the file of each presentation. */
export type List = {
  form: ListForm;
  presentations: Presentation[];
  lines: number[];
  invalid: InvalidLine[];
  /** SHA-256 of the bytes, in hex. */
  digest: string;
  /** The office of those lines that have none; `undefined` if each has its own. */
  office: string | undefined;
};

/**
 * Reads a file, or standard input for `-`.
 *
 * @throws CommandFailedError when it cannot be read, has no usable header, or is too long
 */
export async function readList(
  file: string,
  level: PresentationPath,
  office: string,
): Promise<List> {
  const splitter = new LineSplitter(
    MAX_LINE_BYTES,
    problem('', `must not be longer than ${MAX_LINE_BYTES} bytes`, 'SIZE'),
  );
  const digest = createHash('sha256');
  const collector = new Collector(file, new LineReader(level, office), level);
  try {
    const bytes: AsyncIterable<Buffer> =
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1_048_576 });
    for await (const chunk of bytes) {
      digest.update(chunk);
      collector.add(splitter.push(chunk));
    }
  } catch (error) {
    throw codeOf(error) === undefined || error instanceof CommandFailedError
      ? error
      : cannotRead(file, error);
  }
  collector.add(splitter.end());
  return { ...collector.list(), digest: digest.digest('hex') };
}

/** Collects the lines of a list as they are found. */
class Collector {
  readonly #file: string;
  readonly #reader: LineReader;
  readonly #level: PresentationPath;
  readonly #presentations: Presentation[] = [];
  readonly #lines: number[] = [];
  readonly #invalid: InvalidLine[] = [];
  #form: ListForm | undefined;
  #header: readonly string[] = [];

  constructor(file: string, reader: LineReader, level: PresentationPath) {
    this.#file = file === '-' ? 'standard input' : file;
    this.#reader = reader;
    this.#level = level;
  }

  list(): Omit<List, 'digest'> {
    if (this.#form === undefined) throw this.#unusable('is empty');
    return {
      form: this.#form,
      presentations: this.#presentations,
      lines: this.#lines,
      invalid: this.#invalid,
      office: this.#reader.usedOffice,
    };
  }

  add(found: readonly FoundText[]): void {
    const [first, ...rest] = found;
    const hasHeader = this.#form === undefined && first !== undefined && this.#begin(first);
    const lines = hasHeader ? rest : found;
    if (this.#lines.length + this.#invalid.length + lines.length > MAX_LINES) {
      throw this.#unusable(`has more than ${MAX_LINES} lines: split it`);
    }
    const texts: { line: number; text: string }[] = [];
    for (const { line, found: text } of lines) {
      if (typeof text === 'string') texts.push({ line, text });
      else this.#refuse(line, '', [text.error]);
    }
    if (this.#form?.form === 'csv') this.#addCsv(texts, this.#form.delimiter);
    else for (const { line, text } of texts) this.#addJson(line, text);
  }

  /** Determines the form by the first line; returns whether that is a header. */
  #begin({ line, found }: FoundText): boolean {
    if (typeof found !== 'string') throw this.#unusable(`line ${line}: ${found.error.error}`);
    const text = found.replace(/^\ufeff/, '').trim();
    if (text.startsWith('{')) {
      this.#form = { form: 'ndjson' };
      return false;
    }
    if (text.startsWith('[')) {
      throw this.#unusable('is a JSON array: give one object a line (NDJSON), or CSV');
    }
    const delimiter = /[,;\t]/.exec(text)?.[0] ?? ',';
    const [header = []] = parseCsv([text], delimiter);
    if (!Array.isArray(header)) throw this.#unusable(`line ${line}: ${header}`);
    this.#checkHeader(line, header);
    this.#form = { form: 'csv', delimiter };
    this.#header = header;
    return true;
  }

  #checkHeader(line: number, header: readonly string[]): void {
    const columns = columnsOf(this.#level).filter((name) => name !== ERROR_COLUMN);
    const problems = [
      ...requiredColumnsOf(this.#level)
        .filter((name) => !header.includes(name))
        .map((name) => `there is no column ${name}`),
      ...header
        .filter((name) => name !== ERROR_COLUMN && !columns.includes(name))
        .map((name) => `${JSON.stringify(name)} is no column: they are ${columns.join(', ')}`),
      ...header
        .filter((name, index) => header.indexOf(name) !== index)
        .map((name) => `${name} must be there once`),
    ];
    if (problems.length === 0) return;
    throw this.#unusable(
      `the first row of CSV names the columns (line ${line}):\n  ${problems.join('\n  ')}`,
    );
  }

  #addCsv(texts: readonly { line: number; text: string }[], delimiter: string): void {
    const records = parseCsv(
      texts.map(({ text }) => text),
      delimiter,
    );
    for (const [index, { line, text }] of texts.entries()) {
      const record = records[index] ?? [];
      if (typeof record === 'string') {
        this.#refuse(line, text, [problem('', record, 'FORMAT')]);
        continue;
      }
      if (record.length !== this.#header.length) {
        const rule = `must have ${this.#header.length} fields, not ${record.length}`;
        this.#refuse(line, text, [problem('', rule, 'FORMAT')]);
        continue;
      }
      const fields = new Map(this.#header.map((name, column) => [name, record[column] ?? '']));
      const read = this.#reader.readFields(fields);
      if ('errors' in read) this.#refuse(line, text, read.errors, fields);
      else this.#accept(line, read.presentation);
    }
  }

  #addJson(line: number, text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text.replace(/^\ufeff/, ''));
    } catch {
      this.#refuse(line, text, [notJson(text)]);
      return;
    }
    const read = this.#reader.readValue(value);
    if ('errors' in read) this.#refuse(line, text, read.errors);
    else this.#accept(line, read.presentation);
  }

  #accept(line: number, presentation: Presentation): void {
    this.#presentations.push(presentation);
    this.#lines.push(line);
  }

  #refuse(
    line: number,
    text: string,
    errors: readonly ValidationError[],
    fields: ReadonlyMap<string, string> = new Map(),
  ): void {
    this.#invalid.push({ line, fields, text, errors });
  }

  #unusable(what: string): CommandFailedError {
    return new CommandFailedError(`${this.#file} ${what}. Nothing was sent.`);
  }
}

const UNCLOSED = 'has a quotation mark that is not closed, or within a field';
const CARRIAGE_RETURN = 'has a carriage return within it: each line ends with LF, or CR and LF';

/**
 * The fields of each line, or why it cannot be split. A line is one record: a field does not extend over several lines, and
 * for csv-parse a carriage return would end a record too.
 */
function parseCsv(lines: readonly string[], delimiter: string): (string[] | string)[] {
  const options = { delimiter, trim: true, relax_column_count: true, record_delimiter: '\n' };
  // At the end of a line, the first carriage return was part of that end.
  const hasReturn = (line: string) => line.trimEnd().includes('\r');
  if (!lines.some(hasReturn)) {
    try {
      const records: string[][] = parse(lines.join('\n'), options);
      // No line has the end of a record in it, so records can only be fewer.
      if (records.length === lines.length) return records;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
    }
  }
  // A quote in one of them is not closed.
  return lines.map((line) => {
    if (hasReturn(line)) return CARRIAGE_RETURN;
    try {
      const records: string[][] = parse(line, options);
      const [record] = records;
      return records.length === 1 && record !== undefined ? record : UNCLOSED;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return UNCLOSED;
    }
  });
}
