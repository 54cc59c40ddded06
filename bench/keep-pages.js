// Stores pages of Landfall for the bare server, which sends the same bytes from memory.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Maximum number of pages of the bare server: as many as Landfall sends in turn from its page cache. */
const MAX_PAGES = 20;

/**
 * Stores pages in a new folder. A single page would stay in the processor's caches, unlike a real server's pages.
 *
 * @param {string} folder parent of the new folder
 * @param {(path: string) => Promise<Response>} send requests a page
 * @param {string[]} paths of the pages; evenly spaced ones are stored
 */
export async function keepPages(folder, send, paths) {
  const kept = mkdtempSync(join(folder, 'pages-'));
  const every = Math.ceil(paths.length / MAX_PAGES);
  for (let index = 0; index < paths.length; index += every) {
    const bytes = await (await send(paths[index])).arrayBuffer();
    writeFileSync(join(kept, String(index)), Buffer.from(bytes));
  }
  return kept;
}
