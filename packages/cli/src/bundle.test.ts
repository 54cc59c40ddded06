// The command as npm links it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
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
