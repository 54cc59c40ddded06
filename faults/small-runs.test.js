// The scenarios run on little data and keep every promise, and a missing program is named. A run of all tests draws a few.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drawCases } from '../packages/contract/dist/testing/drawn-cases.js';
import { whyNoNats } from '../packages/service/dist/testing/own-nats.js';
import { whyNoOwnPostgresql } from '../packages/service/dist/testing/own-postgresql.js';

const script = fileURLToPath(new URL('run.js', import.meta.url));
const skip = whyNoOwnPostgresql() || (await whyNoNats());

const { stdout: help } = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
const scenarios = /only these scenarios: (.*)/.exec(help)[1].split(', ');

/** Those that have a test of their own, or need minutes. */
const others = ['airport', 'record', 'upgrade', 'failover'];

const small = scenarios.filter((each) => !others.includes(each));
for (const name of drawCases('scenarios', small, 2)) {
  test(name, { skip }, async () => {
    const options = ['--small', '--times', '1', '--seconds', '1', '--only', name];
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...process.execArgv,
      script,
      ...options,
    ]);
    assert.match(stdout, /^1 passed, 0 failed$/m);
  });
}

test('a program that is not installed is named, with the command that installs it', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--only', 'failover'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: '' },
  });
  assert.equal(status, 2);
  assert.match(stderr, /^the scenario "failover" needs .*etcd.*: apt-get install .*etcd-server/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

test('an unknown scenario is refused before anything is started', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--only', 'server,nothing'], {
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /^no scenario "nothing": it is one of server, /);
});
