// The registers of an offline check: lists of customs offices and places that are given as files.
import { stat } from 'node:fs/promises';
import { type Registers, UNLO_CODE, uncheckedRegisters } from '@landfall/contract';
import { CsvError, parse } from 'csv-parse/sync';
import { cannotRead, readFileOrInput } from '../../input/read-file.js';
import { CommandFailedError } from '../../process/exit.js';

/** Maximum size of a list, in bytes: that of UN/LOCODE has about 5 MB. */
const MAX_LIST_BYTES = 32_000_000;

/** The files of the lists. */
export type RegisterFiles = { offices?: string; places?: string };

/**
 * Reads the lists.
 *
 * @param at the time at which customs offices have to be valid
 * @throws CommandFailedError when a list cannot be read, or is none
 */
export async function readRegisters(files: RegisterFiles, at: Date): Promise<Registers> {
  const offices = files.offices === undefined ? undefined : await readOffices(files.offices, at);
  const places = files.places === undefined ? undefined : await readPlaces(files.places);
  return {
    ...uncheckedRegisters,
    ...(offices && { isCustomsOffice: (number: string) => offices.has(number) }),
    ...(places && { isUnloCode: (code: string) => places.has(code) }),
  };
}

async function readList(file: string): Promise<string> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  if (size <= MAX_LIST_BYTES) return readFileOrInput(file);
  throw new CommandFailedError(`${file} has more than ${MAX_LIST_BYTES} bytes: it is no code list`);
}

/** Customs offices, by the reader of the service. */
async function readOffices(file: string, at: Date): Promise<ReadonlySet<string>> {
  const csv = await readList(file);
  const { isValidOn, readCustomsOffices } = await import('@landfall/service');
  const list = await readCustomsOffices(Buffer.from(csv));
  if (!list.valid) {
    const [first] = list.errors;
    throw new CommandFailedError(
      `${file} is no list of customs offices: ${first?.field}: ${first?.error}`,
    );
  }
  const day = at.toISOString().slice(0, 10);
  const valid = list.entries.filter((office) => isValidOn(office, day));
  return new Set(valid.map(({ referenceNumber }) => referenceNumber));
}

/** Maximum number of characters of a line; most have about 100. */
const MAX_LINE = 1000;

/** Places: the column `code` of a CSV. */
async function readPlaces(file: string): Promise<ReadonlySet<string>> {
  const codes = readColumn(await readList(file), file);
  const wrong = codes.find((code) => !UNLO_CODE.test(code));
  if (wrong === undefined && codes.length > 0) return new Set(codes);
  throw new CommandFailedError(
    wrong === undefined
      ? `${file} has no places`
      : `${file} is no list of places: ${JSON.stringify(wrong.slice(0, 20))} is no UN/LOCODE such as NOOSL`,
  );
}

function readColumn(csv: string, file: string): string[] {
  let rows: string[][];
  try {
    rows = parse(csv, { bom: true, trim: true, skip_empty_lines: true, max_record_size: MAX_LINE });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandFailedError(`${file} is no CSV: ${error.message.slice(0, MAX_LINE)}`);
  }
  const [header = [], ...lines] = rows;
  const column = header.indexOf('code');
  if (column >= 0) return lines.map((line) => line[column] ?? '');
  throw new CommandFailedError(`${file} is no list of places: it has no column code`);
}
