// No page polls without an end: what reads again by itself stops when nobody uses the page.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const SOURCE = new URL('../../src/', import.meta.url);

/** What goes on while nobody touches the page, and why. */
const WITHOUT_END: Readonly<Record<string, string>> = {
  'pages/gate/use-release.ts': 'a guard looks at the screen and opens the gate without touching it',
  'pages/gate/transport-gate.tsx': 'the same, for a transport',
  'session/session-context.tsx': 'ends when the service is reached again',
};

test('every query that is repeated by itself ends with the presence of the user', () => {
  const repeated = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .filter((file) => readFileSync(new URL(file, SOURCE), 'utf8').includes('refetchInterval:'));
  assert.ok(repeated.length > 10, String(repeated));
  for (const file of repeated) {
    const usesPresence = readFileSync(new URL(file, SOURCE), 'utf8').includes('usePollInterval(');
    assert.equal(usesPresence, !(file in WITHOUT_END), file);
  }
});
