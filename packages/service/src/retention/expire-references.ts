// Removes presentations of references some time after they were made, when the goods that they presented are gone.
import type { ExpiryContext } from './expire-entries.js';
import { deleteReferences, lockOldReferences, type ReferenceRow } from './reference-queries.js';

/** Presentations that one step examines. Whoever presents or registers waits for it, some milliseconds. */
const EXAMINED = 500;

/**
 * Removes presentations of references that were made before a time. As long as goods of one are kept, what enters it is
 * flagged. A reference that somebody presents or registers now is left to the next run.
 *
 * @returns how many each step has removed
 */
export async function* expireReferences(
  { database, audit, clock }: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const { last, removed } = await database.transact(async (transaction) => {
      const old: ReferenceRow[] = await transaction.query(
        lockOldReferences(before, after, EXAMINED),
      );
      const numbers = old.flatMap(({ number, isLocked }) => (isLocked ? number : []));
      const [gone] = numbers.length === 0 ? [] : await transaction.query(deleteReferences(numbers));
      const references = gone?.removed ?? 0;
      if (references > 0) {
        await audit.record(transaction, {
          at: clock(),
          actor: undefined,
          requestId: undefined,
          action: 'presented-references.expired',
          details: { before, references },
        });
      }
      return { last: old.at(-1)?.number, removed: references };
    });
    if (last === undefined) return;
    after = last;
    yield removed;
  }
}
