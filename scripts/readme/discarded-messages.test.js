// The documents of operators show the messages of every command: what fails on a server must not fail in silence.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findDiscardedMessages } from './discarded-messages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Those that are followed on servers. */
const documents = [
  'deploy/README.md',
  ...['configure', 'first-day', 'high-availability', 'identity-provider'].map(inGuide),
  ...['install', 'operate', 'production'].map(inGuide),
];

/** @param {string} name */
function inGuide(name) {
  return `docs/guide/${name}.md`;
}

test('a command whose messages or failure are discarded is found, also in a comment', () => {
  const lines = [
    'npm ci >/dev/null 2>&1',
    'psql 2>/dev/null | tail -1',
    'rm file || true',
    'curl -s &> /dev/null',
  ];
  const shown = [
    'until kill -0 "$PID" 2>/dev/null; do sleep 1; done',
    'landfall present >/dev/null',
  ];
  const markdown = `\`\`\`sh\n${[...lines, ...shown].join('\n')}\n\`\`\`\n`;
  assert.deepEqual(findDiscardedMessages(markdown), lines);
  assert.deepEqual(findDiscardedMessages(`<!--\n${markdown}-->\n`), lines);
  assert.deepEqual(findDiscardedMessages('In a sentence: `2>/dev/null`.'), []);
});

for (const name of documents) {
  test(`${name} shows the messages of its commands`, () => {
    assert.deepEqual(findDiscardedMessages(readFileSync(`${root}/${name}`, 'utf8')), []);
  });
}
