// Finds links of the built site that lead to no page, to no part of a page, or to no file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const BASE = '/docs/';
/** What the server has beside the site. */
const SERVED = new Set(['/docs/api/', '/favicon.ico']);

/**
 * The links that lead nowhere, as `page: link`.
 *
 * @param {string} site the folder
 * @returns {string[]}
 */
export function checkSite(site) {
  const pages = readdirSync(site, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html'));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), 'utf8')]));
  const anchors = new Map([...texts].map(([page, text]) => [page, idsOf(text)]));
  return [...texts].flatMap(([page, text]) =>
    [...new Set(linksOf(text))]
      .filter((link) => !leads(page, link))
      .map((link) => `${page}: ${link}`),
  );

  /** @param {string} page @param {string} link */
  function leads(page, link) {
    if (/^[a-z][a-z+.-]*:/i.test(link)) return true;
    const [address = '', anchor = ''] = link.split('#');
    if (SERVED.has(address)) return true;
    const path =
      address === '' ? `${BASE}${page}` : posix.resolve(`${BASE}${dirname(page)}`, address);
    if (!`${path}/`.startsWith(BASE)) return false;
    const file = address.endsWith('/') || `${path}/` === BASE ? `${path}/index.html` : path;
    const name = file.replace(/^\/docs\/+/, '');
    if (anchor === '') return existsSync(join(site, name));
    return anchors.get(name)?.has(decodeURIComponent(anchor)) ?? false;
  }
}

/** @param {string} html */
function linksOf(html) {
  return [...html.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(
    ([, link = '']) => link.replaceAll('&amp;', '&'),
  );
}

/** @param {string} html */
function idsOf(html) {
  return new Set(
    [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')),
  );
}
