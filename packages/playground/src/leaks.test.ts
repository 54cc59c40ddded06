// Playgrounds leave nothing behind: no handle, descriptor, thread, file or memory, and no file where the process exits
// without closing them. PLAYGROUNDS=50 starts more of them.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Holdings } from './testing/start-repeatedly.js';

const COUNT = Number(process.env.PLAYGROUNDS ?? 8);

/** After how many of them everything is loaded that is loaded once. */
const WARM = Math.floor(COUNT / 2);

/**
 * How much memory may grow with each playground, in bytes. In 50 of them, the heap grew by 40 kB and the process by 200 kB
 * each, which is code that V8 optimises. What a running playground holds is 3 MB of heap and 80 MB.
 */
const MAX_HEAP_GROWTH = 1e6;
const MAX_EXTERNAL_GROWTH = 1e6;
const MAX_RESIDENT_GROWTH = 20e6;

let temporary: string;
before(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'landfall-test-'));
});
const children: ChildProcess[] = [];
after(async () => {
  // Those of a test that failed.
  for (const child of children) child.kill('SIGKILL');
  await rm(temporary, { recursive: true, force: true });
});

function run(program: string, ...args: string[]): ChildProcess {
  const env = { ...process.env, TMPDIR: temporary };
  const child = fork(new URL(program, import.meta.url), args, { env });
  children.push(child);
  return child;
}

test(`${COUNT} playgrounds one after the other leave nothing behind`, async () => {
  const child = run('./testing/start-repeatedly.js', String(COUNT), String(WARM));
  const found: Holdings[] = [];
  child.on('message', (holdings: Holdings) => found.push(holdings));
  const exited = once(child, 'exit');
  await once(child, 'disconnect');
  assert.equal(found.length, COUNT);

  // Some descriptors and threads are opened with the first one and kept by Node.js.
  const [, second, ...others] = found.map(({ memory: _, ...held }) => held);
  for (const held of others) assert.deepEqual(held, second);
  assert.deepEqual(second?.temporaryFiles, []);

  const warm = found[WARM - 1]?.memory;
  const last = found[COUNT - 1]?.memory;
  assert(warm !== undefined && last !== undefined);
  const growth = (kind: keyof typeof last) => (last[kind] - warm[kind]) / (COUNT - WARM);
  assert(growth('heap') < MAX_HEAP_GROWTH, `${growth('heap')} bytes of heap each`);
  assert(growth('external') < MAX_EXTERNAL_GROWTH, `${growth('external')} external bytes each`);
  assert(growth('resident') < MAX_RESIDENT_GROWTH, `${growth('resident')} resident bytes each`);
  // Nothing keeps it running.
  assert.deepEqual(await exited, [0, null]);
});

test('a process that exits without closing them leaves no file behind', async () => {
  const child = run('./testing/start-and-exit.js');
  const [started] = await once(child, 'message');
  assert.deepEqual(started, { temporaryFiles: 2 });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.deepEqual(await readdir(temporary), []);
});
