// The lock files: every package that npm downloads, on any platform, has its digest (decision 0006).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

for (const file of [
  'package-lock.json',
  'tools/package-lock.json',
  'bench/peers/package-lock.json',
]) {
  test(`every package of ${file} has an integrity hash`, () => {
    const { packages } = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
    const downloaded = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link !== true,
    );
    assert(downloaded.length > 100);
    const withoutHash = downloaded
      .filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
      .map(([path, { version }]) => `${path} ${version}`);
    assert.deepEqual(withoutHash, []);
  });
}
