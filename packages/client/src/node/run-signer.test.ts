// A command that signs is bounded in time and output, with everything that it starts.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import { runSigner } from './run-signer.js';

const skip = process.platform === 'win32' && 'needs a shell';
const folder = await mkdtemp(join(tmpdir(), 'landfall-signer-'));
after(() => rm(folder, { recursive: true, force: true }));

const data = new TextEncoder().encode('to be signed');
const run = (script: string, limits: { withinMs?: number; graceMs?: number } = {}) =>
  runSigner(
    { program: 'sh', words: ['-c', script], folder, name: 'sign_command', ...limits },
    data,
  );

/** Whether a process runs; one that has ended and that nobody has waited for does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    );
  } catch {
    return false;
  }
}

test('what it writes is the signature', { skip }, async () => {
  assert.deepEqual(await run('cat'), data);
});

const failures: [script: string, message: RegExp][] = [
  ['cat > /dev/null', /sign_command \(sh\) failed: it wrote no signature to standard output$/],
  ['echo no card >&2', /it wrote no signature to standard output: no card$/],
  ['echo no card >&2; exit 3', /failed: it ended with 3: no card$/],
  ['kill -9 $$', /it ended with SIGKILL/],
  ['cat /dev/zero', /it wrote more than 64 KiB/],
  ['yes >&2', /it took longer than 0\.3 s: y/],
];
for (const [script, message] of failures) {
  test(`${script}: is an error that says so`, { skip }, async () => {
    await assert.rejects(
      run(script, { withinMs: script.startsWith('yes') ? 300 : 30_000 }),
      (error) => {
        assert(error instanceof ConfigurationError);
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('a program that does not exist is an error', async () => {
  await assert.rejects(
    runSigner({ program: './none', words: [], folder, name: 'sign_command' }, data),
    /ENOENT/,
  );
});

test('one that ignores SIGTERM ends, with what it has started', { skip }, async () => {
  const script = `trap '' TERM; sleep 1000 & echo $$ $! > pids; wait; sleep 1000`;
  await assert.rejects(run(script, { withinMs: 500, graceMs: 100 }), /longer than 0\.5 s/);
  const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number);
  assert.equal(pids.length, 2);
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 10));
});

test('one that leaves a program behind that holds its output open ends in time', {
  skip,
}, async () => {
  await assert.rejects(run('sleep 1000 &', { withinMs: 300, graceMs: 100 }), /longer than 0\.3 s/);
});
