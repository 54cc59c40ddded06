// Converts reference documents from CSV to lines of JSON. Each is in the line that it has in the CSV, so that errors name it.
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { printable } from '../../output/output.js';
import { CommandFailedError } from '../../process/exit.js';

/** The columns, and the member of a document for each. */
const columns = new Map([
  ['kind', 'kind'],
  ['declarant_number', 'declarantNumber'],
  ['declaration_date', 'declarationDate'],
  ['sequence_number', 'sequenceNumber'],
  ['reference_number', 'referenceNumber'],
  ['state', 'state'],
]);

const REQUIRED_COLUMNS = ['kind', 'state'];

/** Characters of a line, which usually has 50: an unclosed quote must not extend to the end of the file. */
const MAX_LINE = 1000;

type Row = { record: string[]; info: { lines: number } };

/**
 * Converts the bytes of a file as they come. An empty field is left out.
 *
 * @param file its name, for errors
 * @throws CommandFailedError if it is no such CSV
 */
export async function* csvToLines(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const rows = parse({
    bom: true,
    trim: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE,
    info: true,
  });
  // A failure of the source ends the rows with the same error.
  pipeline(Readable.from(bytes), rows, () => undefined);
  let members: string[] | undefined;
  let written = 0;
  try {
    for await (const { record, info } of rows as AsyncIterable<Row>) {
      if (members === undefined) {
        members = readHeader(record, file);
        continue;
      }
      const given = members.map((member, index) => [member, record[index] ?? ''] as const);
      const document = Object.fromEntries(given.filter(([, value]) => value !== ''));
      const blank = '\n'.repeat(Math.max(0, info.lines - 1 - written));
      written = Math.max(info.lines, written + 1);
      yield Buffer.from(`${blank}${JSON.stringify(document)}\n`);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = printable(error.message.slice(0, MAX_LINE));
    throw new CommandFailedError(`${printable(file)} is no CSV of reference documents: ${reason}`);
  }
}

function readHeader(names: readonly string[], file: string): string[] {
  const unknown = names.find((name) => !columns.has(name));
  const missing = REQUIRED_COLUMNS.find((name) => !names.includes(name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const all = [...columns.keys()].join(', ');
  const problem =
    unknown !== undefined
      ? `has a column ${JSON.stringify(printable(unknown.slice(0, 50)))}; its columns must be of ${all}`
      : missing !== undefined
        ? `has no column ${missing}`
        : twice !== undefined && `has the column ${twice} twice`;
  if (problem) throw new CommandFailedError(`${printable(file)} ${problem}`);
  return names.flatMap((name) => columns.get(name) ?? []);
}
