// A folder that cannot be made is an immediate error of the system.
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

test('missing parents are made too, with the same permissions, by several callers at once', async () => {
  const deep = join(folder, 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 5 }, () => makeFolder(deep, 0o700)));
  for (const made of [deep, join(folder, 'a')]) {
    assert.equal((await stat(made)).mode & 0o777, 0o700);
  }
  await makeFolder(deep);
});

test('a file with the name of the folder or of a parent is an error', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await assert.rejects(makeFolder(file), { code: 'EEXIST' });
  await assert.rejects(makeFolder(join(file, 'below')), { code: 'ENOTDIR' });
  await assert.rejects(makeFolder(join(file, 'below', 'deeper')), { code: 'ENOTDIR' });
});

test('it fails below a folder that accepts no entries', {
  skip: process.platform !== 'linux' && 'only Linux has /proc',
}, async () => {
  await assert.rejects(makeFolder('/proc/landfall'), { code: 'ENOENT' });
  await assert.rejects(makeFolder('/proc/landfall/deeper'), { code: 'ENOENT' });
});
