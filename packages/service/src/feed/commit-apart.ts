// Commits entries together, and those that are held apart from the others: one organisation that is held, or one
// declaration, must not fail a whole block.
import type { ValidationError } from '@landfall/contract';

/** The error of an entry of which nothing was done, because what it needs was held for too long. */
export const heldError: ValidationError = {
  field: '',
  error:
    'was not processed: other changes of the same goods, or of an organisation that gets their signals, take too long; send it again',
  code: 'HELD',
};

/** How long a block waits as a whole, in milliseconds: what is held is usually free soon. */
const TOGETHER_MS = 3_000;

/** How long the entries that are held may then wait for themselves, in milliseconds. */
const APART_MS = 7_000;

/** How long a block takes at most, beside its own work, in milliseconds. */
export const MAX_HELD_MS = TOGETHER_MS + APART_MS;

/** Nothing was done, because others have held what some entries need. */
export type Held = {
  /** The indexes of these entries; `undefined` if it is not known which. */
  held: ReadonlySet<number> | undefined;
};

/** How entries are committed. */
export type CommitApart<Entry, Outcome> = {
  /** Entries of one key are about the same: they stay together, so that they apply in their order. */
  keyOf: (entry: Entry) => string;
  /** Commits entries in one transaction; waits at most for so long, in milliseconds. */
  commit: (entries: readonly Entry[], maxWaitMs: number) => Promise<readonly Outcome[] | Held>;
};

/** The outcome of each entry in order; `undefined` if what it needs was held for too long: nothing of it was done. */
export async function commitApart<Entry, Outcome>(
  entries: readonly Entry[],
  how: CommitApart<Entry, Outcome>,
): Promise<(Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = entries.map(() => undefined);
  const held = await commitFree(
    entries.map((_, index) => index),
    TOGETHER_MS,
  );
  if (held.length > 0) await commitFree(held, APART_MS);
  return outcomes;

  /** Commits all entries with these indexes that are free; returns the indexes of the others. */
  async function commitFree(indexes: readonly number[], maxWaitMs: number): Promise<number[]> {
    const left: number[] = [];
    let rest = indexes;
    let waitMs = maxWaitMs;
    while (rest.length > 0) {
      const part = rest.flatMap((index) => entries[index] ?? []);
      const result = await how.commit(part, waitMs);
      if (!('held' in result)) {
        rest.forEach((index, position) => {
          outcomes[index] = result[position];
        });
        break;
      }
      const isHeld = withSameKeys(part, result.held, how.keyOf);
      left.push(...rest.filter((_, position) => isHeld(position)));
      rest = rest.filter((_, position) => !isHeld(position));
      waitMs = 0;
    }
    return left.sort((one, other) => one - other);
  }
}

/** Whether an entry has a key of one that is held; all are if it is not known which. */
function withSameKeys<Entry>(
  entries: readonly Entry[],
  held: ReadonlySet<number> | undefined,
  keyOf: (entry: Entry) => string,
): (position: number) => boolean {
  if (held === undefined || held.size === 0) return () => true;
  const keys = new Set(
    entries.flatMap((entry, position) => (held.has(position) ? keyOf(entry) : [])),
  );
  return (position) => {
    const entry = entries[position];
    return entry !== undefined && keys.has(keyOf(entry));
  };
}
