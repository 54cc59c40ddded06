// A journal in which what earlier runs were refused is presented again.
import type { PresentationJournal } from './journal.js';

/** What was refused was not presented: the goods may be pre-notified by now. */
export function retryRefused(journal: PresentationJournal): PresentationJournal {
  const refusedNow = new Set<string>();
  return {
    read: async (key) => {
      const entry = await journal.read(key);
      return entry?.outcome === 'refused' && !refusedNow.has(key) ? undefined : entry;
    },
    write: async (entry) => {
      await journal.write(entry);
      if (entry.outcome === 'refused') refusedNow.add(entry.key);
    },
  };
}
