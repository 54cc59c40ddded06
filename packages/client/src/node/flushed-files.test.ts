// What is flushed to the disk, and when: a test cannot cut the power, so it reads which calls Node.js makes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';

const folder = await mkdtemp(join(tmpdir(), 'landfall-flushed-'));
after(() => rm(folder, { recursive: true, force: true }));
let runs = 0;

/**
 * Runs statements in a process of its own. Returns the calls that it makes of the operating system, in the order in
 * which they end: writes, flushes of a file (`fdatasync`, `fsync`) or of a folder (`fsync`), renames, and the calls of
 * `reached(step)` by their step.
 */
async function trace(statements: string): Promise<string[]> {
  const own = join(folder, String(++runs));
  const program = `
    import { mkdirSync } from 'node:fs';
    import { FileJournal } from '${new URL('./file-journal.js', import.meta.url)}';
    import { FileMarkerStore } from '${new URL('./file-marker-store.js', import.meta.url)}';
    const steps = [];
    const reached = (step) => { steps.push(step); mkdirSync(${JSON.stringify(own)} + '-' + step); };
    const file = ${JSON.stringify(own)};
    ${statements}
    console.log(JSON.stringify(steps));`;
  const log = `${own}.json`;
  const steps: string[] = JSON.parse(
    execFileSync(
      process.execPath,
      [
        '--trace-event-categories=node.fs.sync,node.fs.async',
        `--trace-event-file-pattern=${log}`,
        '--input-type=module',
        '--eval',
        program,
      ],
      { encoding: 'utf8' },
    ),
  );
  // The cast is true because this is the format of trace events.
  const { traceEvents } = JSON.parse(await readFile(log, 'utf8')) as {
    traceEvents: { name: string; cat: string; ph: string; ts: number }[];
  };
  return traceEvents
    .filter(({ cat, ph }) => cat.includes('node.fs') && ph.toUpperCase() === 'E')
    .sort((a, b) => a.ts - b.ts)
    .map(({ name }) => name.replace('fs.sync.', ''))
    .filter((name) => ['write', 'fdatasync', 'fsync', 'rename', 'mkdir'].includes(name))
    .map((name) => (name === 'mkdir' ? (steps.shift() ?? '') : name));
}

/** The calls after one step until the next one. */
function between(calls: readonly string[], from: string, to: string): string[] {
  return calls.slice(calls.indexOf(from) + 1, calls.indexOf(to));
}

test('an entry of a journal is on the disk when its write resolves; several share a flush', async () => {
  const calls = await trace(`
    reached('begun');
    const journal = await FileJournal.open(file, { owner: { client: 'carrier' } });
    reached('opened');
    const entry = (key) => ({ key, digest: 'd', requestId: 'r' });
    await journal.write(entry('a'));
    reached('one');
    await Promise.all([journal.write(entry('b')), journal.write(entry('c')), journal.write(entry('d'))]);
    reached('three');
    await journal.close();`);
  // The file and its folder; before that, the lock.
  assert.deepEqual(between(calls, 'begun', 'opened').slice(-3), ['write', 'fdatasync', 'fsync']);
  assert.deepEqual(between(calls, 'opened', 'one'), ['write', 'fdatasync']);
  assert.deepEqual(between(calls, 'one', 'three'), ['write', 'fdatasync']);
});

test('a durable marker is on the disk when its write resolves, and so is the file that has it', async () => {
  const calls = await trace(`
    reached('begun');
    const store = new FileMarkerStore(file, { durable: true });
    await store.read({ service: 's', feed: 'f' });
    reached('read');
    await store.write('marker');
    reached('written');
    store.close();`);
  assert.deepEqual(between(calls, 'begun', 'read').slice(-4), [
    'write',
    'fsync',
    'rename',
    'fsync',
  ]);
  assert.deepEqual(between(calls, 'read', 'written'), ['write', 'fdatasync']);
});

test('any other marker is not flushed', async () => {
  const calls = await trace(`
    const store = new FileMarkerStore(file);
    await store.read({ service: 's', feed: 'f' });
    reached('read');
    store.write('marker');
    reached('written');
    store.close();`);
  assert.deepEqual(between(calls, 'read', 'written'), ['write']);
  assert(!calls.includes('fsync') && !calls.includes('fdatasync'));
});
