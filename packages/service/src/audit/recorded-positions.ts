// Which positions of which feed a client has received today, as far as this server remembers, so that each is recorded
// once a day.
import { LRUCache } from 'lru-cache';
import { atMost } from '../bounded-cache.js';

/** A range of positions, both included. */
export type Range = { first: number; last: number };

/** Positions of one set of bits. */
const SET_SIZE = 4096;

/** Maximum number of sets, about 30 MB. What is forgotten is recorded again. */
const MAX_SETS = 50_000;

/** Milliseconds of a day. */
const DAY_MS = 24 * 60 * 60_000;

type PositionSet = { day: number; bits: Uint32Array };

/** The positions that were recorded on the current day in UTC. */
export class RecordedPositions {
  readonly #sets = new LRUCache<string, PositionSet>({ ...atMost(MAX_SETS) });

  /**
   * The parts of a range that were not recorded on this day.
   *
   * @param key identifies the client and the feed
   */
  findNew(key: string, at: Date, range: Range): Range[] {
    const found: Range[] = [];
    for (const { index, first, last } of bySet(range)) {
      const bits = this.#findBits(`${index} ${key}`, at);
      for (let position = first; position <= last; position++) {
        if (bits !== undefined && isSet(bits, position)) continue;
        const before = found.at(-1);
        if (before !== undefined && before.last === position - 1) before.last = position;
        else found.push({ first: position, last: position });
      }
    }
    return found;
  }

  add(key: string, at: Date, range: Range): void {
    for (const { index, first, last } of bySet(range)) {
      const name = `${index} ${key}`;
      let bits = this.#findBits(name, at);
      if (bits === undefined) {
        bits = new Uint32Array(SET_SIZE / 32);
        this.#sets.set(name, { day: dayOf(at), bits });
      }
      for (let position = first; position <= last; position++) setBit(bits, position);
    }
  }

  clear(): void {
    this.#sets.clear();
  }

  /** Those of the day. */
  #findBits(name: string, at: Date): Uint32Array | undefined {
    const set = this.#sets.get(name);
    return set !== undefined && set.day === dayOf(at) ? set.bits : undefined;
  }
}

/** The parts of a range by the set that they belong to. */
function* bySet({ first, last }: Range): Generator<Range & { index: number }> {
  for (let start = first; start <= last; ) {
    const index = Math.floor(start / SET_SIZE);
    const end = Math.min(last, (index + 1) * SET_SIZE - 1);
    yield { index, first: start, last: end };
    start = end + 1;
  }
}

function isSet(bits: Uint32Array, position: number): boolean {
  const bit = position % SET_SIZE;
  return ((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}

function setBit(bits: Uint32Array, position: number): void {
  const bit = position % SET_SIZE;
  const word = bit >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (bit & 31));
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}
