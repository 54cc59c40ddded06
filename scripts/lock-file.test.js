// The lock file: every package that npm downloads, on any platform, has its digest (decision 0009).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every package of the lock file has an integrity hash', () => {
  const { packages } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  );
  const downloaded = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );
  assert(downloaded.length > 100);
  const withoutHash = downloaded
    .filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
    .map(([path, { version }]) => `${path} ${version}`);
  assert.deepEqual(withoutHash, []);
});
