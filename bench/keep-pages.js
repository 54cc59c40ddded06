// What Landfall answers, kept for the bare server that sends the same bytes from memory.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pages that the bare server has at most: as many as Landfall sends in turn where they were read before. */
const MOST = 20;

/**
 * Keeps pages in a new folder. They are several, because one alone would stay nearer to the processor than any
 * server's pages do.
 *
 * @param {string} folder where to make it
 * @param {(path: string) => Promise<Response>} ask reads a page
 * @param {string[]} paths of which pages; those at even distances are kept
 */
export async function keepPages(folder, ask, paths) {
  const kept = mkdtempSync(join(folder, 'pages-'));
  const every = Math.ceil(paths.length / MOST);
  for (let place = 0; place < paths.length; place += every) {
    const bytes = await (await ask(paths[place])).arrayBuffer();
    writeFileSync(join(kept, String(place)), Buffer.from(bytes));
  }
  return kept;
}
