// Advisory locks: no two kinds share a namespace, and no other file has a number of its own.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as locks from './locks.js';

/** The sources of all packages: `dist/database/` is two folders below the package. */
const packages = fileURLToPath(new URL('../../../', import.meta.url));

/** A call of PostgreSQL's lock functions whose first argument is not a namespace from locks.ts. */
const CALL_WITHOUT_NAMESPACE = /advisory_\w*lock\w*\(\s*(?!\$\{[A-Z_]*LOCK\})/g;

/** A query of `pg_locks` with a number where a namespace belongs. */
const NUMBER_IN_LOCK_TABLE = /\bclassid\s*=\s*\d/g;

/** A lock declared elsewhere. */
const DECLARED = /\bconst [A-Z_]*_LOCK = (0x)?\d/g;

test('every kind of advisory lock has a namespace of its own', () => {
  const numbers = Object.values(locks).filter((value) => typeof value === 'number');
  assert.ok(numbers.length >= 3);
  assert.equal(new Set(numbers).size, numbers.length);
  const jobs = Object.values(locks.SESSION_LOCKS);
  assert.equal(new Set(jobs).size, jobs.length);
});

test('no other source file holds the number of an advisory lock', async () => {
  const found: string[] = [];
  let calls = 0;
  for (const name of await readdir(packages)) {
    const source = join(packages, name, 'src');
    const files = await readdir(source, { recursive: true }).catch(() => []);
    for (const file of files.filter((path) => path.endsWith('.ts'))) {
      if (/database[/\\]locks(\.test)?\.ts$/.test(file)) continue;
      const text = await readFile(join(source, file), 'utf8');
      calls += [...text.matchAll(/advisory_\w*lock/g)].length;
      for (const pattern of [CALL_WITHOUT_NAMESPACE, NUMBER_IN_LOCK_TABLE, DECLARED]) {
        for (const [match] of text.matchAll(pattern)) found.push(`${name}/src/${file}: ${match}`);
      }
    }
  }
  assert.ok(calls > 5, `${calls} uses of advisory locks were checked`);
  assert.deepEqual(found, []);
});
