// Verifies the audit trail: every chain from its beginning, or from where retention has removed it, every checkpoint, and
// the rows that records refer to.
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import { type ChainState, checkDigest, compareEnd, malformed } from './check-digest.js';
import { type AuditBreak, type NamedEnd, type ReadRecord, readRecord } from './read-record.js';
import { type Removal, selectRemovals } from './removal-queries.js';
import {
  type FeedStart,
  selectChains,
  selectDigests,
  selectFeedStarts,
  selectRecords,
  selectStoredEnds,
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
  /** What retention has removed, with the time before which it was recorded. */
  removed: { what: string; until: string }[];
};

/** The last removed record of each chain. */
type Bases = ReadonlyMap<number, NamedEnd>;

/** Options of a verification. */
export type VerifyOptions = {
  /** Verify the records only, not the entries, events and feed accesses that they have a digest of. */
  recordsOnly?: boolean;
  /** Ends kept from an earlier verification, which the trail must still have. */
  expected?: readonly NamedEnd[];
  /** Where the chains end in exported months, which the trail must continue without a gap. */
  exported?: readonly NamedEnd[];
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
  options: VerifyOptions = {},
): Promise<Verification> {
  const { recordsOnly = false, expected = [], exported = [], onProgress } = options;
  // Before the records: that of a removal is appended in the same transaction.
  const starts = recordsOnly ? [] : await database.query(selectFeedStarts);
  // Before the records too: those that are appended meanwhile come after these ends.
  const stored = await database.query(selectStoredEnds);
  const removals = await database.query(selectRemovals);
  const bases: Bases = new Map(removals.flatMap(({ ends }) => ends).map((end) => [end.chain, end]));
  const chains = await database.query(selectChains);
  const all = chains.reduce(
    (sum, { chain, position }) => sum + position - (bases.get(chain)?.position ?? 0),
    0,
  );
  const result: Verification = {
    records: 0,
    ends: [],
    breaks: [],
    removed: removals.map(({ kind, until }) => ({ what: kind, until: until.toISOString() })),
  };
  const unconfirmed = new Set(removals);
  const expired = new Map<string, number>();
  const context: ChainContext = {
    database,
    bases,
    result,
    feeds: recordsOnly ? undefined : feeds,
    noFeedAccessesBefore: removals.find(({ kind }) => kind === 'feed accesses')?.until,
    confirm: (record) => {
      for (const removal of unconfirmed) {
        if (isDeepStrictEqual(record.removal, asRecorded(removal))) unconfirmed.delete(removal);
      }
      for (const { feed, owner, last } of record.expired) {
        const key = `${feed}/${owner}`;
        expired.set(key, Math.max(expired.get(key) ?? 0, last));
      }
    },
    onProgress: (done) => onProgress?.(done, Math.max(done, all)),
  };
  const numbers = new Set([...chains.map(({ chain }) => chain), ...bases.keys()]);
  for (const chain of [...numbers].sort((one, other) => one - other)) {
    await verifyChain(context, chain);
  }
  // Months that were removed meanwhile look as if they were missing.
  if (!isDeepStrictEqual(await database.query(selectRemovals), removals)) {
    return verifyAudit(database, feeds, options);
  }
  result.breaks.push(
    ...[...unconfirmed].map(notRecorded),
    ...(removals.some(({ kind }) => kind === 'records') ? [] : findUnrecorded(starts, expired)),
    ...exported.flatMap((end) => checkGap(bases, end) ?? []),
    ...(await checkEnds(database, bases, [
      { source: 'the end of the chain', ends: stored },
      { source: 'the list of expected ends', ends: expected },
      { source: 'the exported month', ends: exported },
    ])),
  );
  result.breaks.sort((one, other) => one.chain - other.chain || one.position - other.position);
  return result;
}

/** What the verification of a chain needs. */
type ChainContext = {
  database: Queryable;
  bases: Bases;
  result: Verification;
  feeds: readonly FeedKind[] | undefined;
  noFeedAccessesBefore: Date | undefined;
  /** Takes a record, which may say what was removed. */
  confirm: (record: ReadRecord) => void;
  onProgress: (done: number) => void;
};

/** A removal as its record in the trail has it. */
function asRecorded({ kind, until, ends }: Removal): unknown {
  return { what: kind, until: until.toISOString(), ends };
}

/** The break for removed rows of which no record of the trail says that they were removed. */
function notRecorded({ kind, until, ends: [end] }: Removal): AuditBreak {
  const problem = `the removal of ${kind} until ${until.toISOString()} is not recorded in the trail`;
  return { chain: end?.chain ?? 0, position: end?.position ?? 0, code: 'REMOVAL_UNKNOWN', problem };
}

/**
 * The breaks for feeds that begin later than the trail says. Once records were removed too, theirs may be among them.
 *
 * @param expired the last entry of each feed, `feed/owner`, that was removed according to the trail
 */
function findUnrecorded(
  starts: readonly FeedStart[],
  expired: ReadonlyMap<string, number>,
): AuditBreak[] {
  return starts
    .filter(({ feed, owner, position }) => position !== expired.get(`${feed}/${owner}`))
    .map(({ feed, owner, position }) => ({
      chain: 0,
      position: 0,
      code: 'REMOVAL_UNKNOWN',
      problem: `the removal of the entries of feed ${feed}/${owner} up to position ${position} is not recorded in the trail`,
    }));
}

/** The break between an exported month and the database, if records between them are in neither. */
function checkGap(bases: Bases, { chain, position }: NamedEnd): AuditBreak | undefined {
  const base = bases.get(chain);
  if (base === undefined || position >= base.position) return undefined;
  const problem = `the records up to position ${base.position} were removed and are not in the exported months`;
  return { chain, position: position + 1, code: 'RECORD_MISSING', problem };
}

async function verifyChain(context: ChainContext, chain: number): Promise<void> {
  const { database, bases, result, feeds, noFeedAccessesBefore, confirm, onProgress } = context;
  const base = bases.get(chain);
  let last: ChainState | undefined = base && {
    position: base.position,
    digest: Buffer.from(base.digest, 'hex'),
  };
  for (;;) {
    const after = last?.position ?? 0;
    const page = await database.query(selectRecords(chain, after, PAGE_SIZE));
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
      if (record === undefined) {
        result.breaks.push(malformed(chain, row.position));
        continue;
      }
      confirm(record);
      const isRemoved = noFeedAccessesBefore !== undefined && row.recordedAt < noFeedAccessesBefore;
      records.push(isRemoved ? { ...record, feedAccesses: undefined } : record);
    }
    const checkpoints = records.map(({ position, ends }) => ({
      source: `the checkpoint at position ${position} of chain ${chain}`,
      ends,
    }));
    result.breaks.push(...(await checkEnds(database, bases, checkpoints)));
    if (feeds !== undefined) result.breaks.push(...(await checkContents(database, feeds, records)));
    result.records += page.length;
    onProgress(result.records);
    if (page.length < PAGE_SIZE) break;
  }
  if (last === undefined) return;
  const digest = Buffer.from(last.digest).toString('hex');
  result.ends.push({ chain, position: last.position, digest });
}

/** Checks that the trail still has the ends that a checkpoint or the caller states, as far as they are not removed. */
async function checkEnds(
  database: Queryable,
  bases: Bases,
  sources: readonly { source: string; ends: readonly NamedEnd[] }[],
): Promise<AuditBreak[]> {
  const stated = sources
    .flatMap(({ source, ends }) => ends.map((end) => ({ source, ...end })))
    .filter(({ chain, position }) => position >= (bases.get(chain)?.position ?? 0));
  if (stated.length === 0) return [];
  const rows = await database.query(
    selectDigests(
      stated.map(({ chain }) => chain),
      stated.map(({ position }) => position),
    ),
  );
  return stated.flatMap(({ source, ...end }, index) => {
    const base = bases.get(end.chain);
    const found = end.position === base?.position ? base.digest : rows[index]?.digest;
    return compareEnd(source, end, found ?? undefined) ?? [];
  });
}
