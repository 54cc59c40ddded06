// A journal in which what earlier runs were refused is sent again.
import type { Journal } from './journal.js';

/** What was refused was not carried out: the goods may be pre-notified by now. */
export function retryRefused(journal: Journal): Journal {
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
