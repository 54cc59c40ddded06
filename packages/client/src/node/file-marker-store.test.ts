// A marker in a file survives the death of its program, and belongs to one follower of one feed.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import { FileMarkerStore } from './file-marker-store.js';

const folder = await mkdtemp(join(tmpdir(), 'landfall-marker-'));
after(() => rm(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.marker`);

const followed = { service: 'https://customs.example', feed: 'readRoutingSignals' };

test('a marker is there again, also with durable writes', async () => {
  const path = newPath();
  for (const durable of [false, true]) {
    const store = new FileMarkerStore(path, { durable });
    assert.equal(await store.read(followed), durable ? 'second' : undefined);
    await store.write('first');
    await store.write('second');
    assert.match(readFileSync(path, 'utf8'), /\nsecond\n$/);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    store.close();
  }
});

test('a line that was not written completely is left out', async () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  await store.read(followed);
  store.write('whole');
  store.close();
  appendFileSync(path, 'tor');
  assert.equal(await store.read(followed), 'whole');
  store.close();
});

test('a file that has grown is replaced', async () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  await store.read(followed);
  const openFiles = countOpenFiles();
  let replaced = 0;
  for (let count = 0, before = 0; count < 40_000; count++) {
    store.write(`marker ${count}`);
    const { size } = statSync(path);
    if (size < before) {
      replaced++;
      assert.match(readFileSync(path, 'utf8'), new RegExp(`\nmarker ${count}\n$`));
    }
    before = size;
  }
  assert(replaced > 0 && statSync(path).size < 300_000);
  assert.equal(countOpenFiles(), openFiles);
  store.close();
  assert.equal(await store.read(followed), 'marker 39999');
  store.close();
});

/** The files that this process has open, where the system lists them. */
function countOpenFiles(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
}

/** The limit of a process can be changed while it runs only on Linux. */
const skip = process.platform !== 'linux' && 'needs prlimit';

test('a marker remains when there is no space to replace its file', { skip }, async () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  await store.read(followed);
  store.write('kept');
  store.close();
  limitFileSize(20);
  try {
    await assert.rejects(() => store.read(followed), { code: 'EFBIG' });
  } finally {
    limitFileSize('unlimited');
  }
  assert.equal(await store.read(followed), 'kept');
  store.close();
});

test('a file of another feed or service, and another file, are refused and left as they are', async () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  await store.read(followed);
  store.write('mine');
  store.close();
  const refused = { name: 'ConfigurationError', message: /has the marker of readRoutingSignals/ };
  for (const other of [{ feed: 'listGoodsItems' }, { service: 'https://test.example' }]) {
    await assert.rejects(() => store.read({ ...followed, ...other }), refused);
  }
  assert.equal(await store.read(followed), 'mine');
  store.close();

  const letter = newPath();
  writeFileSync(letter, 'Dear customs,\n');
  await assert.rejects(() => new FileMarkerStore(letter).read(followed), /is no marker file/);
  assert.equal(readFileSync(letter, 'utf8'), 'Dear customs,\n');
});

test('two followers cannot have one file', async () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  await store.read(followed);
  await assert.rejects(() => new FileMarkerStore(path).read(followed), ConfigurationError);
  store.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('.lock')),
    [],
  );
});

/** A process that holds a file until it is killed. */
async function startHolder(path: string): Promise<ChildProcess> {
  const program = `
    import { FileMarkerStore } from '${new URL('./file-marker-store.js', import.meta.url)}';
    await new FileMarkerStore(${JSON.stringify(path)}).read(${JSON.stringify(followed)});
    setInterval(() => {}, 1000);
    console.log('held');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout !== null) await once(child.stdout, 'data');
  return child;
}

test('a file of a live process is refused whatever its id is, and free once it is killed', async (t) => {
  const path = newPath();
  const holder = await startHolder(path);
  t.after(() => holder.kill('SIGKILL'));
  const { pid } = process;
  // As in two containers with one volume, in which both processes have the id 1.
  Object.defineProperty(process, 'pid', { value: holder.pid, configurable: true });
  t.after(() => Object.defineProperty(process, 'pid', { value: pid, configurable: true }));
  const store = new FileMarkerStore(path);
  await assert.rejects(() => store.read(followed), new RegExp(`process ${holder.pid}\\)`));
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await store.read(followed);
  store.close();
});

test('a marker of which only a part could be written is an error, and does not become part of the next', {
  skip,
}, async () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  await store.read(followed);
  store.write('first');
  const { size } = statSync(path);
  limitFileSize(size + 4);
  try {
    assert.throws(() => store.write('second'), /only 4 of 7 bytes/);
  } finally {
    limitFileSize('unlimited');
  }
  store.write('third');
  store.close();
  assert.match(readFileSync(path, 'utf8'), /\nfirst\nthird\n$/);
});

/** Limits the size of the files that this process writes. */
function limitFileSize(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:`]);
}
