// What the runbook quotes from the log is what the service writes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeRunbook } from './runbook-reference.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What PostgreSQL says, not the service. */
const OF_OTHERS = [
  '53100',
  'No space left on device',
  'too many connections',
  'too many clients already',
];

/** @param {string} text @returns {string[]} */
function findQuoted(text) {
  const lists = text.matchAll(/\blog (?:for|has) ((?:`[^`\n]+`(?:,? (?:and|or) )?)+)/g);
  return [...lists]
    .flatMap(([, list = '']) => [...list.matchAll(/`([^`]+)`/g)])
    .map(([, quoted = '']) => quoted);
}

const sources = execFileSync('git', ['ls-files', 'packages/service/src/*.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${root}/${name}`, 'utf8').replaceAll(/^\s*(?:\/\/|\*).*$/gm, ''))
  .join('\n');

/** @param {string} sentence */
const isWritten = (sentence) => OF_OTHERS.includes(sentence) || sources.includes(sentence);

test('sentences of the log are in the service', () => {
  const quoted = findQuoted(makeRunbook());
  assert(quoted.length >= 6, quoted.join());
  assert.deepEqual(
    quoted.filter((sentence) => !isWritten(sentence)),
    [],
  );
});

test('one that no server writes is found', () => {
  const [first, second, none] = findQuoted('Search the log for `unavailable` and `no such words`.');
  assert.deepEqual([first, second, none], ['unavailable', 'no such words', undefined]);
  assert(isWritten('unavailable'));
  assert(!isWritten('no such words'));
});
