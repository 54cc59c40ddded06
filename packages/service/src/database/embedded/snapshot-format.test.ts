// A packed cluster has the same files and folders when it is unpacked, in a folder or in memory.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pack, unpack, unpackInMemory } from './snapshot-format.js';

/** All bytes, among them the one that ends the index. */
const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);

let folder: string;
let snapshot: Uint8Array;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-format-'));
  const from = join(folder, 'from');
  await mkdir(join(from, 'base', 'empty'), { recursive: true });
  await writeFile(join(from, 'first'), bytes);
  await writeFile(join(from, 'base', 'nothing'), '');
  await writeFile(join(from, 'base', 'second'), bytes.subarray(1));
  snapshot = await pack(from);
});
after(() => rm(folder, { recursive: true }));

test('a folder gets the files, which only the owner may read', async () => {
  const to = join(folder, 'to');
  await mkdir(to);
  await unpack(snapshot, to);
  assert.deepEqual((await readdir(to)).sort(), ['base', 'first']);
  assert.deepEqual((await readdir(join(to, 'base'))).sort(), ['empty', 'nothing', 'second']);
  assert.deepEqual(new Uint8Array(await readFile(join(to, 'first'))), bytes);
  assert.equal((await readFile(join(to, 'base', 'nothing'))).length, 0);
  assert.deepEqual(new Uint8Array(await readFile(join(to, 'base', 'second'))), bytes.subarray(1));
  assert.equal((await stat(join(to, 'base'))).mode & 0o077, 0);
  assert.equal((await stat(join(to, 'first'))).mode & 0o077, 0);
});

test('in memory, each folder comes before what is in it', () => {
  const entries = unpackInMemory(snapshot);
  const contents = new Map(entries.map((entry) => [entry.name, entry.contents]));
  assert.deepEqual([...contents.keys()].sort(), [
    'base',
    'base/empty',
    'base/nothing',
    'base/second',
    'first',
  ]);
  assert.equal(contents.get('base/empty'), undefined);
  assert.deepEqual(contents.get('base/second'), bytes.subarray(1));
  assert.deepEqual(contents.get('first'), bytes);
  const names = [...contents.keys()];
  assert(names.indexOf('base') < names.indexOf('base/second'));
});
