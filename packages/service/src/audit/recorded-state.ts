// What records say beyond their chain: what retention has removed, and which rows no record has any longer. It is collected
// while the chains are verified, and compared with the database after that.
import { isDeepStrictEqual } from 'node:util';
import type { AuditBreak, NamedEnd, ReadRecord, Restoration, RowBase } from './read-record.js';
import type { Removal } from './removal-queries.js';
import type { FeedStart } from './verification-queries.js';

/** Collects it; a number for each feed, whatever the number of records. */
export class RecordedState {
  /** What was removed of the trail, of which no record has said so yet. */
  readonly #unrecorded: Set<Removal>;
  /** The last entry of each feed, `feed/owner`, that was removed. */
  readonly #expired = new Map<string, number>();
  /** The last that a record says of the rows that no other record has. */
  rowBase: RowBase | undefined;
  readonly #restorations: Restoration[] = [];

  /** @param removals what was removed of the trail according to the database */
  constructor(removals: readonly Removal[]) {
    this.#unrecorded = new Set(removals);
  }

  add({ removal, expired, rowBase, restoration }: ReadRecord): void {
    if (restoration !== undefined) this.#restorations.push(restoration);
    if (removal !== undefined) {
      for (const one of this.#unrecorded) {
        if (isDeepStrictEqual(removal, asRecorded(one))) this.#unrecorded.delete(one);
      }
    }
    for (const { feed, owner, last } of expired) {
      const key = `${feed}/${owner}`;
      this.#expired.set(key, Math.max(this.#expired.get(key) ?? 0, last));
    }
    if (rowBase !== undefined && rowBase.number > (this.rowBase?.number ?? 0))
      this.rowBase = rowBase;
  }

  /** Which records of a chain a restoration has lost, up to an end that it had before; `undefined` if none has. */
  lostUpTo({
    chain,
    position,
  }: Pick<NamedEnd, 'chain' | 'position'>): { from: number; at: string } | undefined {
    const [first] = this.#restorations
      .map(({ at, ends }) => ({
        at,
        from: (ends.find((end) => end.chain === chain)?.position ?? 0) + 1,
      }))
      .filter(({ from }) => from <= position)
      .sort((one, other) => one.from - other.from);
    return first;
  }

  /** The breaks for removals of the trail that no record has. */
  unrecordedRemovals(): AuditBreak[] {
    return [...this.#unrecorded].map(({ kind, until, ends: [end] }) => ({
      chain: end?.chain ?? 0,
      position: end?.position ?? 0,
      code: 'REMOVAL_UNKNOWN',
      problem: `the removal of ${kind} until ${until.toISOString()} is not recorded in the trail`,
    }));
  }

  /** The breaks for feeds that begin later than records say. Once records were removed too, theirs may be among them. */
  unrecordedStarts(starts: readonly FeedStart[]): AuditBreak[] {
    return starts
      .filter(({ feed, owner, position }) => position !== this.#expired.get(`${feed}/${owner}`))
      .map(({ feed, owner, position }) => ({
        chain: 0,
        position: 0,
        code: 'REMOVAL_UNKNOWN',
        problem: `the removal of the entries of feed ${feed}/${owner} up to position ${position} is not recorded in the trail`,
      }));
  }
}

/** A removal as its record in the trail has it. */
function asRecorded({ kind, until, ends }: Removal): unknown {
  return { what: kind, until: until.toISOString(), ends };
}
