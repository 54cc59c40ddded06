// Exports closed months of the audit trail to files, each of which is read again and verified.
import { createWriteStream } from 'node:fs';
import { link, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import type { Database } from '../database/database.js';
import { listPartitions } from '../database/partitions.js';
import { makeFolder } from '../files/make-folder.js';
import { codeOf } from '../native-error.js';
import {
  AuditFileError,
  MANIFEST_FORMAT,
  type MonthManifest,
  monthName,
  readManifests,
} from './month-file.js';
import { type NamedEnd, readRecord } from './read-record.js';
import {
  awaitChain,
  type MonthBounds,
  selectMonthEvents,
  selectMonthRecords,
  selectRemovals,
  upsertExport,
} from './removal-queries.js';
import { auditRecords } from './remove-audit.js';
import { selectChains } from './verification-queries.js';
import { verifyMonthFile } from './verify-months.js';

/** Number of records read at once. */
const PAGE_SIZE = 100;

/** A month that was exported, now or before. */
export type ExportedMonth = { file: string; records: number; isNew: boolean };

/** What is exported, and where to. */
export type ExportOptions = {
  folder: string;
  /** Months that end at this time or before it. */
  before: Date;
  now: Date;
  /** The time of the database, if it is later than `now`: months that are closed by it alone are withheld. */
  clock?: Date;
  /** Called with the number of such months, if there are any. */
  onWithheld?: (months: number) => void;
  /** Called with the number of records of the month that were read. */
  onProgress?: (file: string, records: number) => void;
  onMonth?: (month: ExportedMonth) => void;
};

/**
 * Exports every closed month that the folder does not have yet, the oldest first. An interrupted export is continued with
 * the month in which it was. Files are never overwritten.
 *
 * @throws AuditFileError when a file is there that is not of this trail, or the trail is broken
 */
export async function exportMonths(database: Database, options: ExportOptions): Promise<number> {
  const { folder, before, now, clock = now, onMonth = () => undefined, onWithheld } = options;
  await makeFolder(folder);
  const manifests = new Map((await readManifests(folder)).map((month) => [month.until, month]));
  const removals = await database.query(selectRemovals);
  const removed = removals.find(({ kind }) => kind === 'records');
  let begins: readonly NamedEnd[] = removed?.ends ?? [];
  let from = removed?.until;
  let months = 0;
  let withheld = 0;
  for (const { until } of await listPartitions(database, auditRecords)) {
    if (until === undefined || until > before || until > clock) break;
    if (until > now) {
      withheld += 1;
      continue;
    }
    // Already removed, and not dropped yet.
    if (from !== undefined && until <= from) continue;
    const existing = manifests.get(until.toISOString());
    const month = existing ?? (await exportMonth(database, { from, until }, begins, options));
    if (existing !== undefined) await verifyExisting(folder, existing, begins);
    await database.query(upsertExport(until, month.sha256, month.ends));
    onMonth({ file: month.file, records: month.records, isNew: existing === undefined });
    begins = month.ends;
    from = until;
    months += 1;
  }
  if (withheld > 0) onWithheld?.(withheld);
  return months;
}

async function exportMonth(
  database: Database,
  bounds: MonthBounds,
  begins: readonly NamedEnd[],
  { folder, onProgress = () => undefined }: ExportOptions,
): Promise<MonthManifest> {
  const name = monthName(bounds.until);
  const file = `${name}.ndjson.gz`;
  const partial = join(folder, `${file}.partial`);
  const lines = readLines(database, bounds, begins, (records) => onProgress(file, records));
  await pipeline(Readable.from(lines), createGzip(), createWriteStream(partial, { mode: 0o600 }));
  await sync(partial);
  const { breaks, sha256, records, events, ends } = await verifyMonthFile(partial, begins);
  const [first] = breaks;
  if (first !== undefined) {
    const { chain, position, problem } = first;
    throw new AuditFileError(
      `the audit trail is broken at chain ${chain}, position ${position}: ${problem}`,
    );
  }
  const manifest: MonthManifest = {
    format: MANIFEST_FORMAT,
    file,
    from: bounds.from?.toISOString() ?? null,
    until: bounds.until.toISOString(),
    records,
    events,
    sha256,
    begins,
    ends,
  };
  await publish(partial, join(folder, file), async (path) => {
    // An earlier run was interrupted before it wrote the manifest.
    return (await verifyMonthFile(path, begins)).sha256 === sha256;
  });
  const partialManifest = join(folder, `${name}.json.partial`);
  await writeFile(partialManifest, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  await sync(partialManifest);
  await publish(partialManifest, join(folder, `${name}.json`));
  await sync(folder);
  return manifest;
}

/** Verifies a month that an earlier run has exported, against its manifest and the trail of this database. */
async function verifyExisting(
  folder: string,
  { file, sha256, ends }: MonthManifest,
  begins: readonly NamedEnd[],
): Promise<void> {
  const verified = await verifyMonthFile(join(folder, file), begins);
  const isSame = verified.sha256 === sha256 && isDeepStrictEqual(verified.ends, ends);
  if (verified.breaks.length === 0 && isSame) return;
  throw new AuditFileError(
    `${file} does not continue the audit trail of this database, or was changed: export to another folder`,
  );
}

/** The lines of a month, chain by chain. */
async function* readLines(
  database: Database,
  bounds: MonthBounds,
  begins: readonly NamedEnd[],
  onProgress: (records: number) => void,
): AsyncGenerator<string> {
  const positions = new Map(begins.map(({ chain, position }) => [chain, position]));
  const chains = await database.query(selectChains);
  let records = 0;
  for (const { chain } of chains) {
    // A transaction that has appended before the month ended may not be committed yet.
    await database.query(awaitChain(chain));
    let after = positions.get(chain) ?? 0;
    for (;;) {
      const page = await database.query(selectMonthRecords(chain, after, bounds, PAGE_SIZE));
      for (const row of page) {
        const hasEvents = readRecord(chain, row.position, row.entry)?.events !== undefined;
        const events = hasEvents
          ? await database.query(selectMonthEvents(chain, row.position, bounds))
          : undefined;
        yield `${JSON.stringify({ chain, ...row, ...(events && { events }) })}\n`;
        after = row.position;
      }
      records += page.length;
      onProgress(records);
      if (page.length < PAGE_SIZE) break;
    }
  }
}

/** Gives a complete file its name. A file that has this name stays, and must be the same. */
async function publish(
  partial: string,
  path: string,
  isSame: (path: string) => Promise<boolean> = async () => false,
): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await isSame(path))) {
      throw new AuditFileError(`${path} cannot be written, or is another file`, { cause: error });
    }
  }
  await rm(partial);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
