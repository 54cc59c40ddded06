// Verifies exported months without a database: each record, its events, the checkpoints, and that months join up.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChainState, checkDigest, compareEnd, malformed } from './check-digest.js';
import { AuditFileError, type FileEvent, readManifests, readRecords } from './month-file.js';
import { type AuditBreak, type NamedEnd, readRecord } from './read-record.js';

/** The result of a verification of one month, or of all of a folder. */
export type VerifiedMonths = {
  months: number;
  records: number;
  events: number;
  /** Where the chains end in the last month. */
  ends: NamedEnd[];
  breaks: AuditBreak[];
};

/**
 * Verifies every month of a folder.
 *
 * @param onMonth is called with the name of each file before it is read
 * @throws AuditFileError when the folder has no month, or a file is missing or damaged, or is not that of its manifest
 */
export async function verifyMonths(
  folder: string,
  onMonth: (file: string) => void = () => undefined,
): Promise<VerifiedMonths> {
  const manifests = await readManifests(folder);
  if (manifests.length === 0) throw new AuditFileError(`${folder} has no exported month`);
  const result: VerifiedMonths = { months: 0, records: 0, events: 0, ends: [], breaks: [] };
  let previous: { file: string; until: string } | undefined;
  for (const { file, from, until, sha256, begins, ends } of manifests) {
    onMonth(file);
    if (previous !== undefined && from !== previous.until) {
      throw new AuditFileError(`between ${previous.file} and ${file} a month is missing`);
    }
    // The first month begins where its manifest says: the months before it are elsewhere.
    const start = previous === undefined ? begins : result.ends;
    result.breaks.push(...compareEnds(`the begin of ${file}`, begins, start));
    const month = await verifyMonthFile(join(folder, file), start);
    if (month.sha256 !== sha256) {
      throw new AuditFileError(`${file} is not the file that its manifest describes`);
    }
    result.breaks.push(...month.breaks, ...compareEnds(`the end of ${file}`, ends, month.ends));
    result.months += 1;
    result.records += month.records;
    result.events += month.events;
    result.ends = month.ends;
    previous = { file, until };
  }
  return result;
}

/** The ends that a manifest states, and the chains that it leaves out. */
function compareEnds(
  source: string,
  stated: readonly NamedEnd[],
  found: readonly NamedEnd[],
): AuditBreak[] {
  const positions = new Map(found.map((end) => [end.chain, end]));
  const differing = stated.flatMap((end) => {
    const other = positions.get(end.chain);
    positions.delete(end.chain);
    const digest = other?.position === end.position ? other.digest : undefined;
    return compareEnd(source, end, digest) ?? [];
  });
  const left = [...positions.values()].map(
    ({ chain, position }): AuditBreak => ({
      chain,
      position,
      code: 'RECORD_MISSING',
      problem: `${source} lacks this chain`,
    }),
  );
  return [...differing, ...left];
}

/**
 * Verifies the file of one month.
 *
 * @param begins where the chains ended before it
 * @throws AuditFileError when it cannot be read, or is damaged
 */
export async function verifyMonthFile(
  path: string,
  begins: readonly NamedEnd[],
): Promise<Omit<VerifiedMonths, 'months'> & { sha256: string }> {
  const result = { records: 0, events: 0, ends: [] as NamedEnd[], breaks: [] as AuditBreak[] };
  const chains = new Map<number, ChainState>(begins.map((end) => [end.chain, stateOf(end)]));
  const broken = new Set<number>();
  /** What checkpoints state of records of this month, by chain and position. */
  const stated = new Map<string, { source: string; end: NamedEnd }>();
  let sha256 = '';
  for await (const line of readRecords(path, (digest) => {
    sha256 = digest;
  })) {
    const { chain, position, entry, events = [] } = line;
    if (broken.has(chain)) continue;
    const problem = checkDigest(chain, chains.get(chain), { ...stateOf(line), entry });
    if (problem !== undefined) {
      result.breaks.push(problem);
      broken.add(chain);
      continue;
    }
    chains.set(chain, stateOf(line));
    result.records += 1;
    result.events += events.length;
    const record = readRecord(chain, position, entry);
    if (record === undefined) {
      result.breaks.push(malformed(chain, position));
      continue;
    }
    if (record.eventsDigest !== undefined || events.length > 0) {
      if (record.events !== events.length || digestOf(events) !== record.eventsDigest) {
        const changed = 'the events of house consignments that belong to it were changed';
        result.breaks.push({ chain, position, code: 'CONTENT_CHANGED', problem: changed });
      }
    }
    const source = `the checkpoint at position ${position} of chain ${chain}`;
    for (const end of record.ends) stated.set(`${end.chain}/${end.position}`, { source, end });
  }
  result.breaks.push(...(await checkStated(path, begins, stated)));
  result.ends = [...chains]
    .map(([chain, { position, digest }]) => ({
      chain,
      position,
      digest: Buffer.from(digest).toString('hex'),
    }))
    .sort((one, other) => one.chain - other.chain);
  return { ...result, sha256 };
}

/** Compares what checkpoints state with the records. What is in earlier months was verified by its chain. */
async function checkStated(
  path: string,
  begins: readonly NamedEnd[],
  stated: Map<string, { source: string; end: NamedEnd }>,
): Promise<AuditBreak[]> {
  const breaks: AuditBreak[] = [];
  const compare = (chain: number, position: number, digest: string | undefined) => {
    const key = `${chain}/${position}`;
    const statement = stated.get(key);
    stated.delete(key);
    if (statement === undefined) return;
    const problem = compareEnd(statement.source, statement.end, digest);
    if (problem !== undefined) breaks.push(problem);
  };
  for (const { chain, position, digest } of begins) compare(chain, position, digest);
  for await (const { chain, position, digest } of readRecords(path, () => undefined)) {
    if (stated.size === 0) break;
    compare(chain, position, digest);
  }
  const earlier = new Map(begins.map(({ chain, position }) => [chain, position]));
  for (const { end } of [...stated.values()]) {
    if (end.position > (earlier.get(end.chain) ?? 0)) compare(end.chain, end.position, undefined);
  }
  return breaks;
}

function stateOf({ position, digest }: { position: number; digest: string }): ChainState {
  return { position, digest: Buffer.from(digest, 'hex') };
}

function digestOf(events: readonly FileEvent[]): string {
  const hash = createHash('sha256');
  for (const { houseConsignmentId, entry } of events) {
    hash.update(`${houseConsignmentId} ${entry}\n`);
  }
  return hash.digest('hex');
}
