// A month of the audit trail as a file: one line of JSON for each record, compressed, and a manifest beside it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { isObject } from '@landfall/contract';
import { isEnd, type NamedEnd } from './read-record.js';

/** A file is missing, damaged, or was not written by an export. */
export class AuditFileError extends Error {
  readonly code = 'AUDIT_FILE';
  override name = 'AuditFileError';
}

/** An event of a house consignment that belongs to a record. */
export type FileEvent = { houseConsignmentId: string; at: string; entry: string };

/** A line of the file. Digests are in hexadecimal. */
export type FileRecord = {
  chain: number;
  position: number;
  digest: string;
  recordedAt: string;
  entry: string;
  events?: readonly FileEvent[];
};

/** What the manifest says of the file. Times have the form of the API. */
export type MonthManifest = {
  format: typeof MANIFEST_FORMAT;
  file: string;
  /** The records from this time on; `null`: all older ones. */
  from: string | null;
  until: string;
  records: number;
  events: number;
  /** Of the compressed file. */
  sha256: string;
  /** Where each chain ended before the month, and at its end. */
  begins: readonly NamedEnd[];
  ends: readonly NamedEnd[];
};

export const MANIFEST_FORMAT = 'landfall-audit-month-1';

/** The name of a file without its ending, after the last month that it contains. */
export function monthName(until: Date): string {
  return `audit-${new Date(until.getTime() - 1).toISOString().slice(0, 7)}`;
}

/**
 * Reads the manifests of a folder, the oldest first.
 *
 * @throws AuditFileError when one is not a manifest
 */
export async function readManifests(folder: string): Promise<MonthManifest[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new AuditFileError(`cannot read the folder ${folder}`, { cause: error });
  });
  const manifests = await Promise.all(
    names
      .filter((name) => /^audit-.*\.json$/.test(name))
      .map(async (name) => readManifest(name, await readFile(join(folder, name), 'utf8'))),
  );
  return manifests.sort((one, other) => (one.until < other.until ? -1 : 1));
}

function readManifest(name: string, text: string): MonthManifest {
  try {
    const value: unknown = JSON.parse(text);
    // The cast is true because every member that is used is checked.
    if (isManifest(value)) return value as MonthManifest;
  } catch {
    // Not JSON.
  }
  throw new AuditFileError(`${name} is not the manifest of an exported month`);
}

function isManifest(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { format, file, from, until, sha256, begins, ends } = value;
  return (
    format === MANIFEST_FORMAT &&
    typeof file === 'string' &&
    /^audit-[\w-]+\.ndjson\.gz$/.test(file) &&
    (from === null || typeof from === 'string') &&
    typeof until === 'string' &&
    typeof sha256 === 'string' &&
    [begins, ends].every((list) => Array.isArray(list) && list.every(isEnd))
  );
}

/**
 * Reads the records of a file one after the other.
 *
 * @param onEnd is called with the digest of the file at its end
 * @throws AuditFileError when it cannot be read, or is damaged
 */
export async function* readRecords(
  path: string,
  onEnd: (sha256: string) => void,
): AsyncGenerator<FileRecord> {
  const hash = createHash('sha256');
  const file = createReadStream(path).on('data', (chunk) => hash.update(chunk));
  const text = createGunzip();
  file.on('error', (error) => text.destroy(error));
  try {
    for await (const line of createInterface({ input: file.pipe(text), crlfDelay: Infinity })) {
      yield readFileRecord(path, line);
    }
  } catch (error) {
    if (error instanceof AuditFileError) throw error;
    throw new AuditFileError(`${path} cannot be read, or is damaged`, { cause: error });
  } finally {
    file.destroy();
  }
  onEnd(hash.digest('hex'));
}

function readFileRecord(path: string, line: string): FileRecord {
  try {
    const value: unknown = JSON.parse(line);
    // The cast is true because every member that is used is checked.
    if (isFileRecord(value)) return value as FileRecord;
  } catch {
    // Not JSON.
  }
  throw new AuditFileError(`${path} has a line that is not a record: ${line.slice(0, 60)}`);
}

function isFileRecord(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { entry, events = [] } = value;
  return (
    isEnd(value) && typeof entry === 'string' && Array.isArray(events) && events.every(isEvent)
  );
}

function isEvent(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.houseConsignmentId === 'string' &&
    typeof value.entry === 'string'
  );
}
