// A stored token is readable by its owner only, and is used for its service, client and scope alone.
import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { makeTokenFiles } from './token-files.js';

const folder = join(await makeTemporaryFolder(), 'tokens');
const store = makeTokenFiles(folder);
const key = 'https://customs.example carrier customs:movement/entry';
const token = { token: 'the token', expiresAt: 1_800_000_000_000 };
await store.write(key, token);
const [name = ''] = await readdir(folder);

it('is read by its key', async () => {
  assert.deepEqual(await store.read(key), { key, ...token });
  await assert.rejects(store.read(`${key}/other`), { code: 'ENOENT' });
});

it('is readable by its owner only', { skip: process.platform === 'win32' }, async () => {
  assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

it('a file with other content is no token', async () => {
  for (const text of ['null', '{"token":1}', JSON.stringify({ key: 'another', ...token })]) {
    await writeFile(join(folder, name), text);
    assert.equal(await store.read(key), undefined);
  }
});
