// The configuration of VitePress. The pages are copied to dist/source by build.js.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import { linkPages } from '../link-pages.js';
import { makeSidebar } from '../navigation.js';
import { findPages } from '../pages.js';
import { plainCells } from '../plain-cells.js';
import { searchIndex } from '../search-index.js';

const here = fileURLToPath(new URL('../', import.meta.url));
const source = join(here, 'dist/source');
const pages = findPages();
/** @type {Set<string>} */
const dead = new Set();

const markdown = {
  // The anchors that GitHub gives headings, by which files of the repository link to each other.
  anchor: { slugify: slug },
  // Markdown of the repository is that of GitHub: braces, colons and addresses in it are text.
  attrs: { disable: true },
  linkify: false,
  theme: /** @type {const} */ ({ light: 'github-light-high-contrast', dark: 'github-dark' }),
  /** @param {import('vitepress').MarkdownRenderer} md */
  config: (md) => {
    md.core.ruler.disable('emoji');
    const images = new Set();
    const repositoryUrl = process.env.LANDFALL_REPOSITORY_URL ?? '';
    plainCells(md);
    linkPages(md, { pages, images, repositoryUrl, dead });
  },
};

/** The heading of a page, as plain text. @param {string} page */
function titleOf(page) {
  const file = [join(source, `${page}.md`), join(source, page, 'index.md')].find(existsSync);
  if (file === undefined) throw new Error(`The navigation names ${page}, which is no page`);
  const [, title = ''] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

/** @type {import('vitepress').UserConfig} */
export default {
  title: 'Landfall',
  description: 'Present goods that arrive, and read whether they go to control or to entry',
  lang: 'en-GB',
  base: '/docs/',
  srcDir: 'dist/source',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  // What all pages share is a file, so that the only scripts within a page are those that choose light or dark.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/favicon.ico' }]],
  markdown,
  // check-site.js finds them in what was built, with links to parts of pages and to files.
  ignoreDeadLinks: true,
  themeConfig: {
    nav: [
      { text: 'Client', link: '/guide/first-integration' },
      { text: 'Tests', link: '/guide/testing-your-client' },
      { text: 'Stream', link: '/guide/goods-item-stream' },
      { text: 'Service', link: '/guide/first-day' },
      { text: 'API', link: '/api/', target: '_self' },
    ],
    sidebar: makeSidebar(titleOf),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: false } },
  },
  vite: {
    plugins: [
      searchIndex({
        source,
        base: '/docs/',
        markdown,
        listPages: () => globalThis.VITEPRESS_CONFIG.pages,
      }),
    ],
    build: { chunkSizeWarningLimit: 10_000 },
    publicDir: join(here, 'dist/public'),
  },
  buildEnd: () => {
    if (dead.size > 0) throw new Error(`Links to no file:\n${[...dead].sort().join('\n')}`);
  },
};
