// The lock files: every package that npm downloads, on any platform, has its digest (decision 0006), and every package that
// another one needs is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

for (const file of [
  'package-lock.json',
  'tools/package-lock.json',
  'bench/peers/package-lock.json',
  'site/package-lock.json',
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

  test(`every package of ${file} has what it needs`, () => {
    const { packages } = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
    const missing = Object.entries(packages).flatMap(([path, { dependencies = {} }]) =>
      Object.keys(dependencies)
        .filter((name) => !isFound(packages, path, name))
        .map((name) => `${path} needs ${name}`),
    );
    assert.deepEqual(missing, []);
  });
}

/** Whether Node.js finds a package from the folder of another one: in its `node_modules`, or in one above. */
function isFound(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}
