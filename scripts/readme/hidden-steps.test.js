// No step that a reader needs stands only in a comment.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findHiddenSteps } from './hidden-steps.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = execFileSync('git', ['ls-files', 'README.md', 'docs/guide/*.md', '*/README.md'], {
  cwd: root,
  encoding: 'utf8',
});

test('a step that stands only in a comment is found', () => {
  const comment = '<!--\n```sh\nexport A=b\n[ -d node_modules ] || npm ci\n```\n-->\n';
  assert.deepEqual(findHiddenSteps(comment), ['[ -d node_modules ] || npm ci']);
  assert.deepEqual(findHiddenSteps(`${comment}After \`npm ci\`, run this.`), []);
  const background = '<!-- background: http://localhost:8080/readyz\n```sh\nnpm start\n```\n-->';
  assert.deepEqual(findHiddenSteps(background), ['npm start']);
  const shown = '<!-- background: http://localhost:8080/readyz -->\n```sh\nnpm start\n```\n';
  assert.deepEqual(findHiddenSteps(shown), []);
  const database = `<!--\n\`\`\`sh\npsql -c 'create database landfall'\n\`\`\`\n-->`;
  assert.deepEqual(findHiddenSteps(database).length, 1);
});

for (const name of documents.trim().split('\n')) {
  test(`${name} shows what a reader must do`, () => {
    assert.deepEqual(findHiddenSteps(readFileSync(`${root}/${name}`, 'utf8')), []);
  });
}
