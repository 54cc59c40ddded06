// Locks a file for one holder: by a socket beside it, which the system closes when its process ends, however it ends.
import { createHash } from 'node:crypto';
import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isError } from '../errors/is-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';

/** A lock that is held until it is released, or until the process ends. Releasing it again does nothing. */
export type FileLock = { release(): void };

/** The longest path that a socket may have on every system. */
const SOCKET_PATH_LIMIT = 100;

/** How long the holder gets to say its process id, in milliseconds: it may be busy, or stopped. */
const HOLDER_TIMEOUT_MS = 1000;

/** How often the lock of a holder that has ended is cleared away before giving up. */
const ATTEMPTS = 4;

/**
 * Locks a file of this machine, for all processes that see it: containers that share a volume too. Process ids do not
 * tell them apart, and outlive nothing.
 *
 * @throws ConfigurationError when another process, or another part of this one, has the file
 */
export async function lockFile(path: string): Promise<FileLock> {
  const socket = await socketPath(path);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const server = await listen(socket);
    const holder = server === undefined ? await readHolder(socket) : await findMoved(socket);
    if (server !== undefined && holder === undefined) {
      return { release: () => void server.close() };
    }
    server?.close();
    if (holder !== undefined) throw inUse(path, holder);
    await removeEnded(socket);
  }
  throw inUse(path, '');
}

async function socketPath(path: string): Promise<string> {
  const absolute = resolve(path);
  const folder = await realpath(dirname(absolute));
  const file = join(folder, basename(absolute));
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 32);
  if (process.platform === 'win32') return `\\\\.\\pipe\\landfall-${digest}`;
  const beside = `${file}.lock`;
  if (Buffer.byteLength(beside) <= SOCKET_PATH_LIMIT) return beside;
  const short = join(folder, `.${digest.slice(0, 16)}.lock`);
  return Buffer.byteLength(short) <= SOCKET_PATH_LIMIT
    ? short
    : join(tmpdir(), `landfall-${digest}.lock`);
}

/** The server that holds the lock, or `undefined` when the path is taken. It sends its process id to who asks. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((fulfil, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(String(process.pid));
    });
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') fulfil(undefined);
      else reject(error);
    });
    server.listen(path, () => {
      // A lock keeps no program running.
      server.unref();
      fulfil(server);
    });
  });
}

/** The process id of the holder, empty if it does not say, or `undefined` when nobody holds the lock. */
function readHolder(path: string): Promise<string | undefined> {
  return new Promise((fulfil) => {
    let text = '';
    const socket = connect(path);
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text = `${text}${part}`.slice(0, 20);
    });
    socket.on('end', () => fulfil(text));
    socket.on('error', (error) => {
      const hasEnded =
        'code' in error && ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(`${error.code}`);
      fulfil(hasEnded ? undefined : text);
    });
    socket.on('close', () => fulfil(text));
    socket.setTimeout(HOLDER_TIMEOUT_MS, () => socket.destroy());
  });
}

/**
 * The holder of a lock that somebody moved away to see whether it is held: the path was free meanwhile. `undefined` if
 * there is none, and the socket at the path is still the one that was made.
 */
async function findMoved(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const own = inodeOf(path);
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path)).filter((found) => found.startsWith(prefix))) {
    const moved = join(dirname(path), name);
    if (inodeOf(moved) === own) continue;
    const holder = await readHolder(moved);
    if (holder !== undefined) return holder;
    rmSync(moved, { force: true });
  }
  return own !== undefined && inodeOf(path) === own ? undefined : '';
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}

/**
 * Removes the socket of a holder that has ended, or the lock file of an earlier version. It is moved away first: if
 * another process was faster, this is the lock that it has now, and it is put back.
 */
async function removeEnded(path: string): Promise<void> {
  const taken = `${path}.${process.pid}.${attempts++}`;
  try {
    renameSync(path, taken);
  } catch (error) {
    if (isError(error) && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  const isHeld =
    lstatSync(taken, { throwIfNoEntry: false })?.isSocket() === true &&
    (await readHolder(taken)) !== undefined;
  // If the path is taken meanwhile, the lock stays where it is: whoever took the path finds it there.
  if (isHeld) {
    try {
      linkSync(taken, path);
    } catch {
      return;
    }
  }
  rmSync(taken, { force: true });
}

let attempts = 0;

function inUse(path: string, holder: string): ConfigurationError {
  const who = /^\d+$/.test(holder) ? `process ${holder}` : 'a process that does not respond';
  return new ConfigurationError(
    `${path} is in use (by ${who}): use another file, or end that process`,
  );
}
