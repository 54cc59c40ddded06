// The index of the search, in which every section of a page is found by itself, and a thing that has a name by its name.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { createMarkdownRenderer } from 'vitepress';
import { options } from './search-options.js';

const ID = '@localSearchIndex';

/** Pages on which each heading is the name of something. */
const NAMED = /^reference\/(?:operations|options|configuration|scenarios)|^guide\/glossary/;

/**
 * A plugin of Vite, which takes the place of the one of VitePress: that one cannot be given how names are split without
 * code in the page that the content policy refuses.
 *
 * @param {{ source: string, base: string, markdown: object, listPages: () => string[] }} site
 */
export function searchIndex({ source, base, markdown, listPages }) {
  return {
    name: 'landfall-search-index',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(ID) ? `/${id}` : undefined),
    load: async (id) => {
      if (id === `/${ID}`) return `export default { root: () => import('${ID}root') }`;
      if (id !== `/${ID}root`) return undefined;
      const index = await makeIndex({ source, base, markdown, pages: listPages() });
      return `export default ${JSON.stringify(JSON.stringify(index))}`;
    },
  };
}

/** Pages of one error each, whose name is the heading of the page. */
const ERROR = /^reference\/errors\/(?!index)/;

/** @param {{ source: string, base: string, markdown: object, pages: readonly string[] }} site */
async function makeIndex({ source, base, markdown, pages }) {
  // Colours of code are not searched.
  const highlight = (/** @type {string} */ code) => `<pre><code>${escapeHtml(code)}</code></pre>`;
  const md = await createMarkdownRenderer(source, { ...markdown, highlight }, base);
  const index = new MiniSearch(options);
  for (const page of pages) {
    const text = await readFile(join(source, page), 'utf8');
    const env = { path: join(source, page), relativePath: page, cleanUrls: false };
    const address = `${base}${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`;
    const sections = splitSections(md.render(text, env));
    for (const { anchor, titles, text: content } of sections) {
      const title = titles.at(-1) ?? '';
      index.add({
        id: anchor === '' ? address : `${address}#${anchor}`,
        name:
          NAMED.test(page) && titles.length > 1
            ? title
            : titles.length === 1 && ERROR.test(page)
              ? title
              : '',
        title,
        titles: titles.slice(0, -1),
        text: content,
      });
    }
  }
  return index;
}

const HEADING = /<h([1-6]) id="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/g;

/** The sections of a page, each from one heading to the next. @param {string} html */
function splitSections(html) {
  const headings = [...html.matchAll(HEADING)];
  /** @type {string[]} */
  let titles = [];
  return headings.map((heading, index) => {
    const [whole, level, anchor = '', content = ''] = heading;
    const from = heading.index + whole.length;
    titles = [...titles.slice(0, Number(level) - 1), plainText(content)];
    const text = plainText(html.slice(from, headings[index + 1]?.index));
    return { anchor: index === 0 ? '' : anchor, titles: titles.filter(Boolean), text };
  });
}

/** @param {string} html */
function plainText(html) {
  return html
    .replace(/<a class="header-anchor"[\s\S]*?<\/a>/g, '')
    .replace(/<button[\s\S]*?<\/button>|<span class="lang">.*?<\/span>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#8203;', '')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** @param {string} code */
function escapeHtml(code) {
  return code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
