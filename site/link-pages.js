// Rewrites links of the repository to links of the site, while a page is rendered: the Markdown stays as it is.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './pages.js';

/** Links that lead out of the repository, or stay within the page. */
const KEPT = /^(?:[a-z][a-z+.-]*:|#|\/)/i;

/**
 * A plugin of markdown-it.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 * @param {{ pages: Map<string, string>, images: Set<string>, repositoryUrl: string, dead: Set<string> }} site
 *   `images` and `dead` get what is found: paths of images in the repository, and links that lead nowhere
 */
export function linkPages(md, { pages, images, repositoryUrl, dead }) {
  const files = new Map([...pages].map(([file, page]) => [page, file]));

  md.core.ruler.push('landfall-links', ({ tokens, env }) => {
    const file = files.get(env.relativePath);
    // Pages that the build generates have links of the site.
    if (file === undefined) return;
    for (const { children } of tokens) {
      /** @type {boolean[]} whether each open link became plain text */
      const open = [];
      for (const token of children ?? []) {
        if (token.type === 'image') {
          const image = resolve(file, token.attrGet('src') ?? '');
          if (image === undefined) continue;
          if (!existsSync(join(root, image.path))) dead.add(`${file}: ${image.path}`);
          images.add(image.path);
          token.attrSet('src', `/${image.path}`);
        } else if (token.type === 'link_open') {
          open.push(!rewrite(token, file));
          if (open.at(-1)) makeText(token, file);
        } else if (token.type === 'link_close' && open.pop()) {
          token.type = 'html_inline';
          token.content = '</span>';
        }
      }
    }
  });

  /** Returns whether the token still is a link. @param {any} token @param {string} file */
  function rewrite(token, file) {
    const target = resolve(file, token.attrGet('href') ?? '');
    if (target === undefined) return true;
    const page = pages.get(target.path) ?? pages.get(posix.join(target.path, 'README.md'));
    if (page !== undefined) {
      token.attrSet('href', `/${page}${target.anchor}`);
      return true;
    }
    const sql = /^docs\/(sql\/[\w-]+)\.sql$/.exec(target.path);
    if (sql !== null) {
      token.attrSet('href', `/${sql[1]}.md${target.anchor}`);
      return true;
    }
    if (!existsSync(join(root, target.path))) dead.add(`${file}: ${target.path}`);
    if (repositoryUrl === '') return false;
    token.attrSet('href', `${repositoryUrl}/${target.path}${target.anchor}`);
    return true;
  }

  /** What a link says remains, and names the file. @param {any} token @param {string} file */
  function makeText(token, file) {
    const path = resolve(file, token.attrGet('href'))?.path ?? '';
    token.type = 'html_inline';
    token.content = `<span class="file" title="${md.utils.escapeHtml(path)}">`;
  }
}

/** The file that a link leads to, from the root of the repository. @param {string} file @param {string} href */
function resolve(file, href) {
  if (href === '' || KEPT.test(href)) return undefined;
  const at = href.indexOf('#');
  const path = decodeURI(at === -1 ? href : href.slice(0, at));
  return {
    path: posix.join(posix.dirname(file), path).replace(/\/$/, ''),
    anchor: at === -1 ? '' : href.slice(at),
  };
}
