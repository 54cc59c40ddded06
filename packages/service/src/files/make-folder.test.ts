// Folders are made where they can be, and where they cannot the system's error comes at once.
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeFolder } from './make-folder.js';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-folders-'));
});
after(() => rm(folder, { recursive: true }));

test('what is missing above it is made too, with the same rights, by many at once', async () => {
  const deep = join(folder, 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 5 }, () => makeFolder(deep, 0o700)));
  for (const made of [deep, join(folder, 'a')]) {
    assert.equal((await stat(made)).mode & 0o777, 0o700);
  }
  await makeFolder(deep);
});

test('a file in its place, or above it, is an error', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await assert.rejects(makeFolder(file), { code: 'EEXIST' });
  await assert.rejects(makeFolder(join(file, 'below')), { code: 'ENOTDIR' });
  await assert.rejects(makeFolder(join(file, 'below', 'deeper')), { code: 'ENOTDIR' });
});

test('below a folder that takes no entries it fails instead of trying for ever', {
  skip: process.platform !== 'linux' && 'only Linux has /proc',
}, async () => {
  await assert.rejects(makeFolder('/proc/landfall'), { code: 'ENOENT' });
  await assert.rejects(makeFolder('/proc/landfall/deeper'), { code: 'ENOENT' });
});
