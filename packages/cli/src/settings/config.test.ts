// Several change the file at once, whatever a command that was killed has left.
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { changeConfig, readConfig } from './config.js';

const leftovers: Record<string, (lock: string) => void> = {
  nothing: () => undefined,
  'an old lock': (lock) => {
    writeFileSync(lock, '');
    utimesSync(lock, 1, 1);
  },
  'a link to nothing': (lock) => symlinkSync('/nonexistent', lock),
  'a folder': (lock) => mkdirSync(lock),
};

for (const [what, leave] of Object.entries(leftovers)) {
  test(`no profile is lost beside ${what}`, { timeout: 60_000 }, async () => {
    for (let round = 0; round < 5; round++) {
      const file = join(await makeTemporaryFolder(), 'config.json');
      leave(`${file}.lock`);
      const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
      const add = (name: string) =>
        changeConfig(
          ({ profiles, ...config }) => ({ ...config, profiles: { ...profiles, [name]: {} } }),
          file,
        );
      await Promise.all(names.map(add));
      assert.deepEqual(Object.keys((await readConfig(file)).profiles).sort(), names);
    }
  });
}

test('a link to the file stays one', async () => {
  const folder = await makeTemporaryFolder();
  const file = join(folder, 'config.json');
  symlinkSync('elsewhere.json', file);
  await changeConfig((config) => ({ ...config, current: 'x' }), file);
  assert(lstatSync(file).isSymbolicLink());
  assert.equal((await readConfig(join(folder, 'elsewhere.json'))).current, 'x');
});
