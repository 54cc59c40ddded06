// Opens the journal of a list: beside the list, unless an option names it.
import { type Journal, MemoryJournal } from '@landfall/client';
import { FileJournal } from '@landfall/client/node';
import { CommandFailedError, codeOf } from '../process/exit.js';
import type { Service } from '../service/open-service.js';
import { claimJournal } from './claim-journal.js';
import type { SentList } from './list.js';

/** Where the list and its journal are. */
export type JournalOptions = { file: string; journal?: string; corrected?: true };

/** Opens it. A list from standard input has none by itself. */
export async function openJournal<Item>(
  { client, clientId, tokens }: Service,
  list: SentList<Item>,
  { file, journal: given, ...options }: JournalOptions,
): Promise<{ journal: Journal; close: () => Promise<void> }> {
  const path = given ?? (file === '-' ? undefined : `${file}.journal`);
  if (path === undefined) return { journal: new MemoryJournal(), close: async () => undefined };
  try {
    const owner = { service: client.baseUrl, client: clientId };
    const journal = await FileJournal.open(path, { owner });
    try {
      await claimJournal(journal, await tokens.identity(), list, { ...options, path });
    } catch (error) {
      await journal.close();
      throw error;
    }
    return { journal, close: () => journal.close() };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandFailedError(
      `cannot write the journal ${path} (${code}); name another one with --journal. Nothing was sent.`,
    );
  }
}
