// The lock of a file belongs to one holder, whatever others left behind, and touches nothing that is not a lock.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { ConfigurationError } from '../errors/landfall-error.js';
import { FileJournal } from './file-journal.js';
import { lockFile } from './file-lock.js';
import { FileMarkerStore } from './file-marker-store.js';

const folder = await mkdtemp(join(tmpdir(), 'lock-'));
after(() => rm(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.marker`);
const skip = process.platform === 'win32' && 'Windows has pipes';
const followed = { service: 'https://customs.example', feed: 'readRoutingSignals' };

/** Leaves the socket of a process that was killed. */
async function leaveDead(path: string): Promise<void> {
  const server = createServer().listen(`${path}~`);
  await once(server, 'listening');
  renameSync(`${path}~`, path);
  server.close();
}

const newName = (path: string) => `${path}.lock.${randomBytes(6).toString('hex')}`;

test('of many that come at once, exactly one gets the file, whatever processes left behind', {
  skip,
}, async () => {
  const path = newPath();
  for (let round = 0; round < 20; round++) {
    for (let dead = 0; dead < round % 4; dead++) await leaveDead(newName(path));
    // Of a process that was killed before it showed its socket.
    for (let dead = 0; dead < round % 3; dead++) await leaveDead(`${newName(path)}~`);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFile(path)));
    const locks = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    assert.equal(locks.length, 1, `round ${round}`);
    for (const result of results) {
      if (result.status === 'rejected') assert(result.reason instanceof ConfigurationError);
    }
    await assert.rejects(lockFile(path), /is in use/);
    for (const lock of locks) lock.release();
    // Nothing is left, of the dead ones either.
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('.lock')),
      [],
    );
  }
});

test('a lock can be asked by every user, and one that nobody else can remove is named', {
  skip,
}, async () => {
  const shared = mkdtempSync(join(tmpdir(), 'lock-shared-'));
  after(() => rm(shared, { recursive: true, force: true }));
  // As /tmp: everybody writes, and removes only what is their own.
  chmodSync(shared, 0o1777);
  const path = join(shared, 'm');
  const lockAsOther = async () => {
    const lockModule = new URL('./file-lock.js', import.meta.url);
    const program = `if (process.getuid() === 0) process.setuid(65534);
      const { lockFile } = await import('${lockModule}');
      await lockFile(process.argv[1]).then(() => console.log('locked'), ({ message }) => console.log(message));`;
    const words = ['--input-type=module', '-e', program, path];
    // Not waited for in place: this process must respond.
    return (await promisify(execFile)(process.execPath, words)).stdout;
  };
  const lock = await lockFile(path);
  const [name = ''] = readdirSync(shared);
  assert.equal(lstatSync(join(shared, name)).mode & 0o666, 0o666);
  assert.match(await lockAsOther(), new RegExp(`is in use \\(by process ${process.pid}\\)`));
  lock.release();

  const modes = process.getuid?.() === 0 ? [0, 0o666] : [0];
  for (const mode of modes) {
    const dead = newName(path);
    await leaveDead(dead);
    chmodSync(dead, mode);
    const said = await lockAsOther();
    assert(said.startsWith(`${dead} is a lock of another user (uid ${process.getuid?.()})`), said);
    rmSync(dead);
  }
  assert.equal((await lockAsOther()).trim(), 'locked');
});

test('files and sockets that are no locks are left as they are', { skip }, async () => {
  const path = newPath();
  const others = ['.lock', '.lock.backup', '.lock.0123456789ab', '.lock.0123456789abcd'];
  for (const other of others) writeFileSync(`${path}${other}`, '4711');
  await leaveDead(`${path}.lock.0`);
  const foreign = createServer((socket) => socket.end('somebody else')).listen(`${path}.lock.x`);
  await once(foreign, 'listening');
  const lock = await lockFile(path);
  await assert.rejects(lockFile(path), /is in use/);
  lock.release();
  for (const other of others) assert.equal(readFileSync(`${path}${other}`, 'utf8'), '4711');
  for (const socket of ['.lock.0', '.lock.x']) assert(lstatSync(`${path}${socket}`).isSocket());
  foreign.close();
});

test('a socket that listens under the name of a lock, and is none, is not removed', {
  skip,
}, async () => {
  const path = newPath();
  const name = newName(path);
  const foreign = createServer((socket) => socket.end()).listen(name);
  await once(foreign, 'listening');
  await assert.rejects(lockFile(path), /is in use \(by a process that does not respond\)/);
  assert(existsSync(name));
  foreign.close();
  (await lockFile(path)).release();
});

test('a symbolic link and its file have one lock, and the link stays', { skip }, async () => {
  const path = newPath();
  // It leads nowhere before the file is made.
  const link = join(folder, 'link');
  symlinkSync(path, link);
  const store = new FileMarkerStore(link);
  await store.read(followed);
  store.write('first');
  await assert.rejects(lockFile(path), ConfigurationError);
  store.close();
  assert(lstatSync(link).isSymbolicLink());
  const direct = new FileMarkerStore(path);
  assert.equal(await direct.read(followed), 'first');
  await assert.rejects(lockFile(link), ConfigurationError);
  await assert.rejects(FileJournal.open(link), ConfigurationError);
  direct.close();
  symlinkSync(join(folder, 'circle'), join(folder, 'circle'));
  await assert.rejects(lockFile(join(folder, 'circle')), { code: 'ELOOP' });
});

test('a path of any length is locked in its folder, however the folder is reached', {
  skip,
}, async () => {
  const long = join(folder, 'f'.repeat(100), 'g'.repeat(100));
  mkdirSync(long, { recursive: true });
  const short = join(folder, 'short');
  symlinkSync(long, short);
  for (const name of ['a.marker', `${'b'.repeat(250)}`]) {
    const lock = await lockFile(join(long, name));
    assert.equal(readdirSync(long).length, 1);
    // As in another container, which has the folder at another path.
    await assert.rejects(lockFile(join(short, name)), /is in use/);
    lock.release();
    assert.deepEqual(readdirSync(long), []);
  }
});

test('of two that see each other only the first goes on, and waits until the other is gone', {
  skip,
}, async () => {
  for (const [name, end] of [
    ['000000000000', 'gone'],
    ['ffffffffffff', 'gone'],
    ['000000000000', 'holder'],
    ['ffffffffffff', 'holder'],
  ] as const) {
    const path = newPath();
    let asked = 0;
    let state = 'candidate';
    const other = createServer((socket) => {
      asked += 1;
      socket.end(`${state} 77`);
      // It decides after it was asked a few times.
      if (asked < 4) return;
      if (end === 'gone') other.close();
      else state = 'holder';
    }).listen(`${path}.lock.${name}`);
    await once(other, 'listening');
    if (end === 'gone') (await lockFile(path)).release();
    else await assert.rejects(lockFile(path), /in use \(by process 77\)/);
    assert(asked >= 4, `${name} was asked ${asked} times`);
    other.close();
  }
});

test('a socket that another process takes for one of the past, and removes, is made again', {
  skip,
}, async () => {
  const path = newPath();
  // Half of them, by their names, are removed as soon as they are seen: before they listen, before they have permissions or a
  // name. So twenty attempts fail once in a million.
  const remove = `
    const { readdirSync, rmSync } = require('node:fs');
    const end = Date.now() + 300_000;
    const look = () => {
      for (let round = 0; round < 500; round++) {
        for (const name of readdirSync(${JSON.stringify(folder)})) {
          if (/[0-7]~$/.test(name)) {
            rmSync(${JSON.stringify(`${folder}/`)} + name, { force: true });
            removed++;
          }
        }
      }
      process.send(removed);
      if (Date.now() < end) setImmediate(look);
    };
    let removed = 0;
    look();`;
  const remover = spawn(process.execPath, ['-e', remove], { stdio: ['ignore', 2, 2, 'ipc'] });
  let removed = 0;
  remover.on('message', (message) => {
    removed = Number(message) || removed;
  });
  await once(remover, 'message');
  try {
    // How often it meets one of them depends on the processors.
    for (let round = 0; round < 300 || (removed < 10 && round < 30_000); round++) {
      (await lockFile(path)).release();
    }
  } finally {
    const ended = once(remover, 'exit');
    remover.kill('SIGKILL');
    await ended;
  }
  assert(removed > 0, 'nothing was removed');
});
