// What a browser loads before the first page is shown stays small.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAX_BYTES = 200_000;

const site = fileURLToPath(new URL('site/', import.meta.url));

test('the first load is under 200 kB, compressed', async () => {
  const page = await readFile(`${site}index.html`, 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  assert(files.length >= 2, 'the page names no script and no stylesheet');
  let bytes = 0;
  for (const path of files) {
    const compressed = `${site}${path}.gz`;
    bytes += (await stat(existsSync(compressed) ? compressed : `${site}${path}`)).size;
  }
  assert(bytes < MAX_BYTES, `${bytes} bytes`);
});

test('the page has nothing inline, which its content policy refuses', async () => {
  const page = await readFile(`${site}index.html`, 'utf8');
  assert.doesNotMatch(page, /<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/);
});
