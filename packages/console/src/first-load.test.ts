// What a browser loads before a page is shown stays small, and is loaded at once.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageList } from './layout/page-list.js';

const MAX_BYTES = 200_000;

const site = fileURLToPath(new URL('site/', import.meta.url));

test('the first load of each page is under 200 kB, compressed', async () => {
  const html = await readFile(`${site}index.html`, 'utf8');
  const ofIndex = Array.from(
    html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g),
    ([, path = '']) => path,
  );
  assert(ofIndex.length >= 2, 'the page names no script and no stylesheet');
  const pages: Record<string, string[]> = JSON.parse(
    await readFile(`${site}page-files.json`, 'utf8'),
  );
  const paths = new Set(pageList.map(({ path }) => path.split('/')[1]));
  assert.deepEqual(new Set(Object.keys(pages)), paths);
  for (const [page, ofPage] of Object.entries(pages)) {
    assert(ofPage.length >= 4, `${page}: ${ofPage}`);
    let bytes = 0;
    for (const path of [...ofIndex, ...ofPage]) {
      const file = `${site}${path.replace('/console/', '')}`;
      bytes += (await stat(existsSync(`${file}.gz`) ? `${file}.gz` : file)).size;
    }
    assert(bytes < MAX_BYTES, `${page}: ${bytes} bytes`);
  }
});

test('the page has nothing inline, which its content policy refuses', async () => {
  const page = await readFile(`${site}index.html`, 'utf8');
  assert.doesNotMatch(page, /<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/);
});

test('each component of the design system that the pages use has its style', async () => {
  const styled = classesOf(
    await readFile(fileURLToPath(import.meta.resolve('@digdir/designsystemet-css')), 'utf8'),
  );
  const loaded = classesOf(await readAssets('.css'));
  const used = new Set((await readAssets('.js')).match(/\bds-[a-z-]+/g));
  assert(used.has('ds-button'), 'the scripts name no component');
  const missing = [...used].filter((name) => styled.has(name) && !loaded.has(name));
  assert.deepEqual(missing, [], 'not imported in design-system.css');
});

/** The classes of the design system that a stylesheet has rules for. */
function classesOf(stylesheet: string): Set<string> {
  return new Set(stylesheet.match(/(?<=\.)ds-[a-z-]+/g));
}

async function readAssets(ending: string): Promise<string> {
  const names = (await readdir(`${site}assets`)).filter((name) => name.endsWith(ending));
  const texts = names.map((name) => readFile(`${site}assets/${name}`, 'utf8'));
  return (await Promise.all(texts)).join('\n');
}
