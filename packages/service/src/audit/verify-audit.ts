// Verifies the audit trail: every chain from its beginning, or from where retention has removed it, every checkpoint, the
// entries, events and feed accesses that records have a digest of, and every row of the tables that the trail covers.
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import { type ChainState, checkDigest, compareEnd, malformed } from './check-digest.js';
import {
  type AcceptedRows,
  type AuditBreak,
  type NamedEnd,
  type ReadRecord,
  readRecord,
} from './read-record.js';
import { RecordedState } from './recorded-state.js';
import { selectRemovals } from './removal-queries.js';
import {
  selectChains,
  selectDigests,
  selectFeedStarts,
  selectRecords,
  selectStoredEnds,
} from './verification-queries.js';
import { checkContents } from './verify-contents.js';
import { checkRows } from './verify-rows.js';

/** Number of records read at once. */
const PAGE_SIZE = 100;

/** The result of a verification. */
export type Verification = {
  records: number;
  /** Where the chains end. Keep them elsewhere, to verify later that the trail still has them. */
  ends: NamedEnd[];
  /** The first break of each chain, and every checkpoint, content and row that does not match; in the order of the chains. */
  breaks: AuditBreak[];
  /** What retention has removed, with the time before which it was recorded. */
  removed: { what: string; until: string }[];
  /** What was taken as it is, without a record that has written it: at an upgrade, or by whoever can write to the database. */
  accepted: AcceptedRows[];
};

/** The last removed record of each chain. */
type Bases = ReadonlyMap<number, NamedEnd>;

/** Options of a verification. */
export type VerifyOptions = {
  /** Verify the records only, not the entries, events, feed accesses and rows that they have digests of. */
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
 * @param feeds every kind of feed
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
    accepted: [],
  };
  const state = new RecordedState(removals);
  const context: ChainContext = {
    database,
    bases,
    result,
    feeds: recordsOnly ? undefined : feeds,
    noFeedAccessesBefore: removals.find(({ kind }) => kind === 'feed accesses')?.until,
    state,
    onProgress: (done) => onProgress?.(done, Math.max(done, all)),
  };
  const numbers = new Set([...chains.map(({ chain }) => chain), ...bases.keys()]);
  for (const chain of [...numbers].sort((one, other) => one - other)) {
    await verifyChain(context, chain);
  }
  // After the records: what was appended meanwhile is before these ends.
  const unknown = findUnknown(result.ends, await database.query(selectStoredEnds));
  const rows = recordsOnly ? [] : await checkRows(database, feeds, state.rowBase);
  // Months that were removed meanwhile look as if they were missing.
  if (!isDeepStrictEqual(await database.query(selectRemovals), removals)) {
    return verifyAudit(database, feeds, options);
  }
  result.breaks.push(
    ...state.unrecordedRemovals(),
    ...(removals.some(({ kind }) => kind === 'records') ? [] : state.unrecordedStarts(starts)),
    ...unknown,
    ...rows,
    ...exported.flatMap((end) => checkGap(bases, end) ?? []),
    ...(await checkEnds(database, bases, [{ source: 'the end of the chain', ends: stored }])),
    ...explainLosses(
      state,
      await checkEnds(database, bases, [
        { source: 'the list of expected ends', ends: expected },
        { source: 'the exported month', ends: exported },
      ]),
    ),
  );
  result.accepted.sort((one, other) => (one.at < other.at ? -1 : 1));
  result.breaks.sort(inOrder);
  return result;
}

/** Says of records that were kept elsewhere that a restoration of the database has lost them, where one has. */
function explainLosses(state: RecordedState, breaks: readonly AuditBreak[]): AuditBreak[] {
  return breaks.map((broken) => {
    const lost = state.lostUpTo(broken);
    if (lost === undefined) return broken;
    const { chain, position } = broken;
    const count = position - lost.from + 1;
    return {
      chain,
      position: lost.from,
      code: 'RECORD_MISSING',
      problem: `${count === 1 ? 'this record is' : `${count} records up to position ${position} are`} lost: the database was restored to a time before them, as was recorded at ${lost.at}`,
    };
  });
}

/** In the order of the chains; last what is in none of them. */
function inOrder(one: AuditBreak, other: AuditBreak): number {
  const inNone = Number(one.chain === 0) - Number(other.chain === 0);
  return inNone || one.chain - other.chain || one.position - other.position;
}

/** What the verification of a chain needs. */
type ChainContext = {
  database: Queryable;
  bases: Bases;
  result: Verification;
  feeds: readonly FeedKind[] | undefined;
  noFeedAccessesBefore: Date | undefined;
  state: RecordedState;
  onProgress: (done: number) => void;
};

/** Records that somebody else than Landfall has added: in a chain that does not exist, or after the end of one. */
function findUnknown(found: readonly NamedEnd[], stored: readonly NamedEnd[]): AuditBreak[] {
  const ends = new Map(stored.map(({ chain, position }) => [chain, position]));
  return found.flatMap(({ chain, position }) => {
    const end = ends.get(chain) ?? 0;
    if (position <= end) return [];
    const problem =
      end === 0
        ? 'no chain has it: Landfall has not written it'
        : 'it is after the end of its chain';
    return [{ chain, position: end + 1, code: 'RECORD_UNKNOWN', problem }];
  });
}

/** The break between an exported month and the database, if records between them are in neither. */
function checkGap(bases: Bases, { chain, position }: NamedEnd): AuditBreak | undefined {
  const base = bases.get(chain);
  if (base === undefined || position >= base.position) return undefined;
  const problem = `the records up to position ${base.position} were removed and are not in the exported months`;
  return { chain, position: position + 1, code: 'RECORD_MISSING', problem };
}

async function verifyChain(context: ChainContext, chain: number): Promise<void> {
  const { database, bases, result, feeds, noFeedAccessesBefore, state, onProgress } = context;
  const base = bases.get(chain);
  let last: ChainState | undefined = base && {
    position: base.position,
    digest: Buffer.from(base.digest, 'hex'),
  };
  for (;;) {
    const after = last?.position ?? 0;
    const page = await database.query(selectRecords(chain, after, PAGE_SIZE));
    if (page.length === 0) break;
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
      state.add(record);
      if (record.accepted !== undefined) result.accepted.push(record.accepted);
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
