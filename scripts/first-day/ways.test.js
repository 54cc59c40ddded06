// What the first day names is there: a way that leads nowhere would pass.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findTests } from '../find-tests.js';
import { ways } from './ways.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

for (const [name, [script = '', ...words]] of Object.entries(ways)) {
  test(`the way ${name} names documents and tests that exist`, () => {
    assert(existsSync(`${root}/${script}`), script);
    const isFound = (word) =>
      script.endsWith('test.js') ? findTests([word]).length > 0 : existsSync(`${root}/${word}`);
    assert.deepEqual(
      words.filter((word) => !isFound(word)),
      [],
    );
  });
}
