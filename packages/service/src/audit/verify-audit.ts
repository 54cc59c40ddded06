// Walks the audit trail: every chain from its beginning, every seal, and what the records say of other tables.
import { createHash } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import type { AuditBreak, NamedEnd } from './audit-break.js';
import { type ReadRecord, readRecord } from './read-record.js';
import {
  type RecordRow,
  selectChains,
  selectDigests,
  selectRecords,
} from './verification-queries.js';
import { checkContents } from './verify-contents.js';

/** Records that are read at once. */
const PAGE = 100;

/** What the walk came to. */
export type Verification = {
  records: number;
  /** Where the chains end: kept elsewhere, they can be held against the trail later. */
  ends: NamedEnd[];
  /** The first break of each chain, and every seal and content that does not fit; in the order of the chains. */
  breaks: AuditBreak[];
};

/** How the trail is walked. */
export type VerifyOptions = {
  /** Only the records themselves, and not the entries, events and readings that they have a digest of. */
  recordsOnly?: boolean;
  /** Ends that were kept elsewhere, which the trail must still have. */
  expected?: readonly NamedEnd[];
  /** Is told how many records were looked at, of how many. */
  tell?: (done: number, all: number) => void;
};

/** Verifies the whole trail; what is recorded meanwhile may be verified or not. */
export async function verifyAudit(
  database: Queryable,
  { recordsOnly = false, expected = [], tell = () => undefined }: VerifyOptions = {},
): Promise<Verification> {
  const chains = await database.query<{ chain: number; position: number }>(selectChains);
  const all = chains.reduce((sum, { position }) => sum + position, 0);
  const result: Verification = { records: 0, ends: [], breaks: [] };
  const told = (done: number) => tell(done, Math.max(done, all));
  for (const { chain } of chains) {
    await verifyChain(database, chain, result, { recordsOnly, told });
  }
  const kept = { by: 'the ends that were kept elsewhere name', ends: expected };
  result.breaks.push(...(await checkEnds(database, [kept])));
  result.breaks.sort((one, other) => one.chain - other.chain || one.position - other.position);
  return result;
}

async function verifyChain(
  database: Queryable,
  chain: number,
  result: Verification,
  { recordsOnly, told }: { recordsOnly: boolean; told: (done: number) => void },
): Promise<void> {
  let last: RecordRow | undefined;
  for (;;) {
    const after = last?.position ?? 0;
    const page = await database.query<RecordRow>(selectRecords(chain, after, PAGE));
    for (const record of page) {
      const broken = checkRecord(chain, last, record);
      // What follows a break cannot be held against it; what was there before stands.
      if (broken !== undefined) {
        result.breaks.push(broken);
        return;
      }
      last = record;
    }
    const read: ReadRecord[] = [];
    for (const { position, entry } of page) {
      const record = readRecord(chain, position, entry);
      if (record !== undefined) read.push(record);
      else
        result.breaks.push({
          chain,
          position,
          code: 'MALFORMED',
          problem: 'its text is none that Landfall writes',
        });
    }
    const seals = read.map(({ position, ends }) => ({
      by: `the seal at position ${position} of chain ${chain} names`,
      ends,
    }));
    result.breaks.push(...(await checkEnds(database, seals)));
    if (!recordsOnly) result.breaks.push(...(await checkContents(database, read)));
    result.records += page.length;
    told(result.records);
    if (page.length < PAGE) break;
  }
  if (last !== undefined) {
    result.ends.push({
      chain,
      position: last.position,
      digest: Buffer.from(last.digest).toString('hex'),
    });
  }
}

function checkRecord(
  chain: number,
  last: RecordRow | undefined,
  { position, digest, entry }: RecordRow,
): AuditBreak | undefined {
  const expected = (last?.position ?? 0) + 1;
  if (position !== expected) {
    const problem = `the record is missing; the next one is at position ${position}`;
    return { chain, position: expected, code: 'RECORD_MISSING', problem };
  }
  const right = createHash('sha256')
    .update(last?.digest ?? '')
    .update(entry)
    .digest();
  if (right.equals(digest)) return undefined;
  const problem = 'its digest is not that of the record before it and its own text';
  return { chain, position, code: 'DIGEST_MISMATCH', problem };
}

/** Whether the trail still has the ends that somebody has named. */
async function checkEnds(
  database: Queryable,
  seals: readonly { by: string; ends: readonly NamedEnd[] }[],
): Promise<AuditBreak[]> {
  const named = seals.flatMap(({ by, ends }) => ends.map((end) => ({ by, ...end })));
  if (named.length === 0) return [];
  const rows = await database.query<{ digest: string | null }>(
    selectDigests(
      named.map(({ chain }) => chain),
      named.map(({ position }) => position),
    ),
  );
  return named.flatMap(({ by, chain, position, digest }, place): AuditBreak[] => {
    const found = rows[place]?.digest ?? undefined;
    if (found === digest) return [];
    return found === undefined
      ? [
          {
            chain,
            position,
            code: 'RECORD_MISSING',
            problem: `${by} this record, which is missing`,
          },
        ]
      : [
          {
            chain,
            position,
            code: 'SEAL_MISMATCH',
            problem: `${by} this record with another digest`,
          },
        ];
  });
}
