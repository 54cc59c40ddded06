// A file is replaced as a whole, and whatever others put beside it stays as it is.
import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { FileMarkerStore } from './file-marker-store.js';
import { FileTokenStore } from './file-token-store.js';
import { replaceFile } from './replace-file.js';

const folder = mkdtempSync(join(tmpdir(), 'replace-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What replaces files; each returns the path of its file. */
const writers: Record<string, () => Promise<string>> = {
  replaceFile: async () => {
    const path = join(folder, 'replaced');
    for (const durable of [false, true]) replaceFile(path, 'text', durable);
    return path;
  },
  FileMarkerStore: async () => {
    const path = join(folder, 'marker');
    const store = new FileMarkerStore(path, { durable: true });
    await store.read({ service: 'https://customs.example', feed: 'f' });
    for (let size = 0; size < 600_000; size += 1000) await store.write('m'.repeat(1000));
    store.close();
    return path;
  },
  FileTokenStore: async () => {
    const tokens = join(folder, 'tokens');
    await new FileTokenStore(tokens).write('k', { token: 't', expiresAt: 0 });
    const [file = ''] = readdirSync(tokens);
    return join(tokens, file);
  },
};

for (const [name, write] of Object.entries(writers)) {
  test(`${name} writes through nothing that is beside its file, and leaves nothing there`, async () => {
    const path = await write();
    const precious = join(folder, `precious of ${name}`);
    writeFileSync(precious, 'mine');
    const beside = ['.tmp', '.new', '~', `.${process.pid}`].map((end) => `${path}${end}`);
    for (const link of beside) symlinkSync(precious, link);
    const before = readdirSync(folder).length;
    await write();
    assert.equal(readFileSync(precious, 'utf8'), 'mine');
    assert.equal(readdirSync(folder).length, before);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });
}

test('where it cannot be replaced, nothing is left', () => {
  const path = join(folder, 'a folder', 'in it');
  assert.throws(() => replaceFile(path, 'text'), { code: 'ENOENT' });
  assert.throws(() => replaceFile(folder, 'text'));
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith(`${folder.split('/').at(-1)}.`)),
    [],
  );
});
