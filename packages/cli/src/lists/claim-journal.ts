// Connects a journal with the identity and the list that it was begun for: in that of another one, goods look presented.
import type { Journal } from '@landfall/client';
import { CommandFailedError } from '../process/exit.js';
import type { SentList } from './list.js';

/** Keys of entries that are no line: those of lines are digests. */
const IDENTITY = 'identity';
const LIST = 'list';
const OFFICE = 'office';

/**
 * Checks that the journal was begun for this identity and this list, or notes them in a new one. A list may change as long
 * as nothing of it was sent before.
 *
 * @param options `corrected`: the list was changed, and what was done is not to be done again
 * @throws CommandFailedError when it was begun for others; nothing was sent
 */
export async function claimJournal<Item>(
  journal: Journal,
  identity: string,
  { digest, items, keyOf, office }: SentList<Item>,
  { path, corrected }: { path: string; corrected?: true },
): Promise<void> {
  const owner = await journal.read(IDENTITY);
  if (owner !== undefined && owner.digest !== identity) {
    throw new CommandFailedError(
      `the journal ${path} was written with another key or certificate, and what is in it may be of another organisation; name another one with --journal. Nothing was sent.`,
    );
  }
  const before = await journal.read(OFFICE);
  if (office !== undefined && before !== undefined && before.digest !== office) {
    throw new CommandFailedError(
      `the journal ${path} was begun with --office ${before.digest}, and with ${office} the same goods would be presented again. Give that office, or name another journal with --journal. Nothing was sent.`,
    );
  }
  const begun = await journal.read(LIST);
  const isOther = begun !== undefined && begun.digest !== digest && !corrected;
  for (const item of isOther ? items : []) {
    const { outcome = 'refused' } = (await journal.read(await keyOf(item))) ?? {};
    if (outcome === 'refused') continue;
    throw new CommandFailedError(
      `the list is not the one of its journal ${path}: what is in both would not be ${outcome} again. If it is a new list, name another journal with --journal, or move that one away; if it is the same list with corrections, add --corrected. Nothing was sent.`,
    );
  }
  if (owner === undefined) await journal.write({ key: IDENTITY, digest: identity, requestId: '' });
  if (office !== undefined && before?.digest !== office) {
    await journal.write({ key: OFFICE, digest: office, requestId: '' });
  }
  if (begun?.digest !== digest) await journal.write({ key: LIST, digest, requestId: '' });
}
