// Every link between documents leads to a file and a heading that exist.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');

/** @param {string} path from the root @returns {string} */
const read = (path) => readFileSync(join(root, path), 'utf8');

/** A text without code, in which brackets are no links. @param {string} text */
const withoutCode = (text) =>
  text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a document, as GitHub makes them. @param {string} path */
function anchorsOf(path) {
  const text = read(path);
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)];
  /** @type {Map<string, number>} */
  const times = new Map();
  const anchors = headings.map(([, heading = '']) => {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set([...anchors, ...[...text.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)]);
}

/** @param {string} path @param {string} text @returns {string[]} links that lead nowhere */
function deadLinks(path, text) {
  const links = [...withoutCode(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)];
  return links
    .map(([, link = '']) => link)
    .filter((link) => {
      const [file = '', anchor] = link.split('#', 2);
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
}

for (const path of documents) {
  test(`the links of ${path} lead somewhere`, () => {
    assert.deepEqual(deadLinks(path, read(path)), []);
  });
}

test('a link to no file and one to no heading are found', () => {
  assert.deepEqual(
    deadLinks('README.md', '[a](none.md) [b](README.md#none) [c](README.md) `[d](none.md)`'),
    ['none.md', 'README.md#none'],
  );
});
