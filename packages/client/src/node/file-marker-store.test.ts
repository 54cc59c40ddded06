// A marker in a file survives the death of its program, and belongs to one follower of one feed.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
    assert.equal(store.read(followed), durable ? 'second' : undefined);
    await store.write('first');
    await store.write('second');
    assert.match(readFileSync(path, 'utf8'), /\nsecond\n$/);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    store.close();
  }
});

test('a line that was not written completely is left out', () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  store.read(followed);
  store.write('whole');
  store.close();
  appendFileSync(path, 'tor');
  assert.equal(store.read(followed), 'whole');
  store.close();
});

test('a file that has grown is replaced', () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  store.read(followed);
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
  assert.equal(store.read(followed), 'marker 39999');
  store.close();
});

/** The files that this process has open, where the system lists them. */
function countOpenFiles(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
}

/** The limit of a process can be changed while it runs only on Linux. */
const skip = process.platform !== 'linux' && 'needs prlimit';

test('a marker remains when there is no space to replace its file', { skip }, () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  store.read(followed);
  store.write('kept');
  store.close();
  const limitFileSize = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:`]);
  // Enough for the lock, not for the first line.
  limitFileSize(20);
  try {
    assert.throws(() => store.read(followed), { code: 'EFBIG' });
  } finally {
    limitFileSize('unlimited');
  }
  assert.equal(store.read(followed), 'kept');
  store.close();
});

test('a file of another feed or service, and another file, are refused and left as they are', () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  store.read(followed);
  store.write('mine');
  store.close();
  const refused = { name: 'ConfigurationError', message: /has the marker of readRoutingSignals/ };
  for (const other of [{ feed: 'listGoodsItems' }, { service: 'https://test.example' }]) {
    assert.throws(() => store.read({ ...followed, ...other }), refused);
  }
  assert.equal(store.read(followed), 'mine');
  store.close();

  const letter = newPath();
  writeFileSync(letter, 'Dear customs,\n');
  assert.throws(() => new FileMarkerStore(letter).read(followed), /is no marker file/);
  assert.equal(readFileSync(letter, 'utf8'), 'Dear customs,\n');
});

test('two followers cannot have one file', () => {
  const path = newPath();
  const store = new FileMarkerStore(path);
  store.read(followed);
  assert.throws(() => new FileMarkerStore(path).read(followed), ConfigurationError);
  store.close();
  assert(!existsSync(`${path}.lock`));
  // One that its holder is about to write.
  writeFileSync(`${path}.lock`, '');
  assert.throws(() => store.read(followed), ConfigurationError);
  // The process of the test runner is alive and another one.
  writeFileSync(`${path}.lock`, `${process.ppid}`);
  assert.throws(() => store.read(followed), new RegExp(`process ${process.ppid}\\)`));
});

test('the lock of a process that has died is no obstacle', async () => {
  const path = newPath();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  // The second is that of a container, in which the program has the same process id after each restart.
  for (const holder of [child.pid, process.pid]) {
    writeFileSync(`${path}.lock`, `${holder}`);
    const store = new FileMarkerStore(path);
    store.read(followed);
    assert.equal(readFileSync(`${path}.lock`, 'utf8'), `${process.pid}`);
    store.close();
  }
});
