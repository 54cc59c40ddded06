// The command as npm links it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const linked = fileURLToPath(new URL('../bin/landfall.js', import.meta.url));
const run = promisify(execFile);

test('the linked command has a version, a help and a subcommand that loads the service', async () => {
  assert.match((await run(process.execPath, [linked, '--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  assert.match((await run(process.execPath, [linked, '--help'])).stdout, /landfall playground/);
  const failed = run(process.execPath, [linked, 'admin', 'migrate'], {
    env: { PATH: process.env.PATH },
  });
  await assert.rejects(failed, ({ code, stderr }) => {
    assert.equal(code, 1);
    assert.match(stderr, /DATABASE_URL/);
    return true;
  });
});

test('the linked command loads nothing at its start but its bundle, which takes a fraction of the time', async () => {
  const folder = new URL('../dist/bundle/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  assert.ok(files.length > 1);
  for (const name of files) {
    const code = await readFile(new URL(name, folder), 'utf8');
    const packages = [...code.matchAll(/\b(?:from|import) ?"([@a-z][\w@:/.-]*)"/g)].map(
      ([, from]) => from,
    );
    assert.deepEqual(
      packages.filter((from) => !isBuiltin(from ?? '')),
      [],
      `${name} is loaded with other files: see scripts/bundle-command.js`,
    );
  }
});
