// The package as npm would publish it runs without the rest of the repository.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allAreas } from './requirements/all.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Our packages that it needs, and those of others, with their folders. */
const ours = {
  '@landfall/conformance': 'conformance',
  '@landfall/contract': 'packages/contract',
  '@landfall/samples': 'packages/samples',
};
const others = ['jose', 'pure-rand', 'typebox'];

test('the packed command lists every requirement, and no test code is packed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-conformance-'));
  try {
    const modules = join(folder, 'node_modules');
    for (const [name, source] of Object.entries(ours)) {
      const target = join(modules, name);
      mkdirSync(target, { recursive: true });
      const packed = execFileSync(
        'npm',
        ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
        { cwd: join(root, source), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
      const [{ filename, files }] = JSON.parse(packed);
      const paths = files.map(({ path }: { path: string }) => path);
      assert.deepEqual(
        paths.filter((path: string) => /\.test\.|\/testing\/|\/wrong-server\//.test(path)),
        [],
      );
      execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
    }
    for (const name of others) symlinkSync(join(root, 'node_modules', name), join(modules, name));
    const bin = join(modules, '@landfall/conformance/bin/landfall-conformance.js');
    const listed = execFileSync(process.execPath, [bin, '--list', '--json'], { encoding: 'utf8' });
    const count = allAreas.reduce((sum, { requirements }) => sum + requirements.length, 0);
    assert.equal(JSON.parse(listed).length, count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
