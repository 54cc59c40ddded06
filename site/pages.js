// Which files of the repository are pages of the site, and at which path each of them is.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

/** Folders without pages for readers: what is built or installed, and what only those who change the code read. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'site', 'readme', '.landfall']);

/** Where pages are whose path in the repository would be a bad one in the site. */
const MOVED = new Map([
  ['README.md', 'start.md'],
  ['docs/decisions/README.md', 'decisions/index.md'],
]);

/**
 * Every page that is a file of the repository: the path of the page by the path of the file, both with `/` and `.md`.
 *
 * @returns {Map<string, string>}
 */
export function findPages() {
  return new Map(listMarkdown('').map((file) => [file, pageOf(file)]));
}

/** @param {string} folder @returns {string[]} */
function listMarkdown(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : listMarkdown(path);
      return entry.name.endsWith('.md') ? [path] : [];
    });
}

/** @param {string} file */
function pageOf(file) {
  const moved = MOVED.get(file);
  if (moved !== undefined) return moved;
  // The README of a folder is the page of the folder: packages/client/README.md is packages/client.md.
  const page = file.endsWith('/README.md') ? `${dirname(file)}.md` : file.toLowerCase();
  return page.replace(/^docs\//, '');
}
