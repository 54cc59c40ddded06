// Verifies the audit trail: every chain from its beginning, every checkpoint, and the rows that records refer to.
import { createHash } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import { type AuditBreak, type NamedEnd, type ReadRecord, readRecord } from './read-record.js';
import {
  type RecordRow,
  selectChains,
  selectDigests,
  selectRecords,
} from './verification-queries.js';
import { checkContents } from './verify-contents.js';

/** Number of records read at once. */
const PAGE_SIZE = 100;

/** The result of a verification. */
export type Verification = {
  records: number;
  /** Where the chains end. Keep them elsewhere, to verify later that the trail still has them. */
  ends: NamedEnd[];
  /** The first break of each chain, and every checkpoint and content that does not match; in the order of the chains. */
  breaks: AuditBreak[];
};

/** Options of a verification. */
export type VerifyOptions = {
  /** Verify the records only, not the entries, events and feed accesses that they have a digest of. */
  recordsOnly?: boolean;
  /** Ends kept from an earlier verification, which the trail must still have. */
  expected?: readonly NamedEnd[];
  /** Called with the number of verified records and of all. */
  onProgress?: (done: number, all: number) => void;
};

/**
 * Verifies the whole trail. Records that are appended meanwhile may be verified or not.
 *
 * @param feeds the kinds of feed whose entries are covered by digests
 */
export async function verifyAudit(
  database: Queryable,
  feeds: readonly FeedKind[],
  { recordsOnly = false, expected = [], onProgress = () => undefined }: VerifyOptions = {},
): Promise<Verification> {
  const chains = await database.query<{ chain: number; position: number }>(selectChains);
  const all = chains.reduce((sum, { position }) => sum + position, 0);
  const result: Verification = { records: 0, ends: [], breaks: [] };
  for (const { chain } of chains) {
    await verifyChain(database, chain, result, {
      feeds: recordsOnly ? undefined : feeds,
      onProgress: (done) => onProgress(done, Math.max(done, all)),
    });
  }
  const kept = { source: 'the list of expected ends', ends: expected };
  result.breaks.push(...(await checkEnds(database, [kept])));
  result.breaks.sort((one, other) => one.chain - other.chain || one.position - other.position);
  return result;
}

async function verifyChain(
  database: Queryable,
  chain: number,
  result: Verification,
  {
    feeds,
    onProgress,
  }: { feeds: readonly FeedKind[] | undefined; onProgress: (done: number) => void },
): Promise<void> {
  let last: RecordRow | undefined;
  for (;;) {
    const after = last?.position ?? 0;
    const page = await database.query<RecordRow>(selectRecords(chain, after, PAGE_SIZE));
    const records: ReadRecord[] = [];
    for (const row of page) {
      const broken = checkDigest(chain, last, row);
      // Nothing after a break can be verified, because each digest covers the one before it.
      if (broken !== undefined) {
        result.breaks.push(broken);
        return;
      }
      last = row;
      const record = readRecord(chain, row.position, row.entry);
      if (record !== undefined) records.push(record);
      else result.breaks.push(malformed(chain, row.position));
    }
    const checkpoints = records.map(({ position, ends }) => ({
      source: `the checkpoint at position ${position} of chain ${chain}`,
      ends,
    }));
    result.breaks.push(...(await checkEnds(database, checkpoints)));
    if (feeds !== undefined) result.breaks.push(...(await checkContents(database, feeds, records)));
    result.records += page.length;
    onProgress(result.records);
    if (page.length < PAGE_SIZE) break;
  }
  if (last === undefined) return;
  const digest = Buffer.from(last.digest).toString('hex');
  result.ends.push({ chain, position: last.position, digest });
}

function malformed(chain: number, position: number): AuditBreak {
  const problem = 'its text is not one that Landfall writes';
  return { chain, position, code: 'MALFORMED', problem };
}

function checkDigest(
  chain: number,
  last: RecordRow | undefined,
  { position, digest, entry }: RecordRow,
): AuditBreak | undefined {
  const expected = (last?.position ?? 0) + 1;
  if (position !== expected) {
    const problem = `the record is missing; the next one is at position ${position}`;
    return { chain, position: expected, code: 'RECORD_MISSING', problem };
  }
  const computed = createHash('sha256')
    .update(last?.digest ?? '')
    .update(entry)
    .digest();
  if (computed.equals(digest)) return undefined;
  const problem = 'its digest does not match the previous record and its own text';
  return { chain, position, code: 'DIGEST_MISMATCH', problem };
}

/** Checks that the trail still has the ends that a checkpoint or the caller states. */
async function checkEnds(
  database: Queryable,
  sources: readonly { source: string; ends: readonly NamedEnd[] }[],
): Promise<AuditBreak[]> {
  const stated = sources.flatMap(({ source, ends }) => ends.map((end) => ({ source, ...end })));
  if (stated.length === 0) return [];
  const rows = await database.query<{ digest: string | null }>(
    selectDigests(
      stated.map(({ chain }) => chain),
      stated.map(({ position }) => position),
    ),
  );
  return stated.flatMap(({ source, chain, position, digest }, index): AuditBreak[] => {
    const found = rows[index]?.digest ?? undefined;
    if (found === digest) return [];
    return found === undefined
      ? [
          {
            chain,
            position,
            code: 'RECORD_MISSING',
            problem: `${source} has this record, which is missing`,
          },
        ]
      : [
          {
            chain,
            position,
            code: 'SEAL_MISMATCH',
            problem: `${source} has another digest of this record`,
          },
        ];
  });
}
