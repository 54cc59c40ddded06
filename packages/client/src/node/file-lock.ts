// Locks a file for one holder: by a socket beside it, which the system closes when its process ends, however it ends.
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isError } from '../errors/is-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';

/** A lock that is held until it is released, or until the process ends. Releasing it again does nothing. */
export type FileLock = {
  /** The file that is locked. Its path has no symbolic links: replacing it replaces no link. */
  path: string;
  release(): void;
};

/** The longest path that a socket may have on every system, in bytes. */
const SOCKET_PATH_LIMIT = 103;

/** A longer file name is replaced by its digest in the name of a lock, in bytes: it must fit below a short folder. */
const FILE_NAME_LIMIT = 24;

/** How long another process gets to say whether it has the lock, in milliseconds: it may be busy, or stopped. */
const RESPONSE_TIMEOUT_MS = 5000;

/** How long a process waits for others that want the lock at the same time, in milliseconds. */
const DECIDE_WITHIN_MS = 10_000;

/** How often a socket is made that another process removes before it is shown. */
const MAX_ATTEMPTS = 20;

/** A chain of symbolic links that is longer has no end. */
const MAX_LINKS = 20;

/**
 * Locks a file of this machine, for all processes that see it: containers that share a volume too. Process ids do not
 * tell them apart, and outlive nothing.
 *
 * Each process that wants the lock makes a socket of its own, with a name that is never used again, and then looks for
 * those of others. It has the lock when all that it saw are gone. Of two that see each other, the one whose name sorts
 * first goes on. So nothing that another process listens on is ever moved or removed.
 *
 * @throws ConfigurationError when another process, or another part of this one, has the file
 * @example
 * const lock = await lockFile('presentations.csv');
 * try {
 *   await presentAll(lock.path);
 * } finally {
 *   lock.release();
 * }
 */
export async function lockFile(path: string): Promise<FileLock> {
  const file = await resolveLinks(path);
  if (process.platform === 'win32') return lockPipe(path, file);
  const folder = new LockFolder(file);
  try {
    const deadline = performance.now() + DECIDE_WITHIN_MS;
    for (;;) {
      const own = await folder.publish();
      const result = await decide(folder, own, deadline).catch((error) => {
        own.remove();
        throw error;
      });
      if (result === 'locked') {
        own.isHolder = true;
        return { path: file, release: () => own.remove() };
      }
      own.remove();
      if (result !== 'withdrawn') throw inUse(path, result.holder);
      // Others that are first may withdraw too; random, so that they do not all come back at once.
      await delay(5 + Math.random() * 20);
      if (performance.now() > deadline) throw inUse(path, '');
    }
  } finally {
    folder.close();
  }
}

/** A socket of this process. */
type OwnSocket = { name: string; isHolder: boolean; remove(): void };

/** The end of the name of a socket that is not shown yet. */
const UNSHOWN = '~';

/** What others respond. */
const HOLDER = 'holder';
const CANDIDATE = 'candidate';

async function decide(
  folder: LockFolder,
  own: OwnSocket,
  deadline: number,
): Promise<'locked' | 'withdrawn' | { holder: string }> {
  for (;;) {
    let isWaiting = false;
    for (const name of folder.list()) {
      if (name === own.name) continue;
      const response = await ask(folder.pathOf(name)).catch(() => {
        throw folder.cannotRemove(name);
      });
      if (response === undefined) {
        // Its name is never used again, so it can only be the one that was asked.
        folder.remove(name);
        continue;
      }
      // It is not shown yet: the process that makes it will see this one.
      if (name.endsWith(UNSHOWN)) continue;
      const [state, pid = ''] = response.split(' ');
      if (state !== CANDIDATE) return { holder: pid };
      if (name < own.name) return 'withdrawn';
      isWaiting = true;
    }
    if (!isWaiting) return 'locked';
    if (performance.now() > deadline) return { holder: '' };
    await delay(5);
  }
}

/** The folder of a file, in which its locks are. */
class LockFolder {
  readonly folder: string;
  readonly #prefix: string;
  /** A short way to a folder whose path is too long for sockets. */
  #link: string | undefined;

  constructor(file: string) {
    const name = basename(file);
    this.folder = dirname(file);
    // Of the name alone: two containers may have the folder at different paths.
    const short =
      Buffer.byteLength(name) <= FILE_NAME_LIMIT
        ? name
        : `.${createHash('sha256').update(name).digest('hex').slice(0, 20)}`;
    this.#prefix = `${short}.lock.`;
  }

  /** The names of all locks of the file. A file of another kind or form is somebody else's. */
  list(): string[] {
    return readdirSync(this.folder).filter(
      (name) =>
        name.startsWith(this.#prefix) &&
        /^[0-9a-f]{12}~?$/.test(name.slice(this.#prefix.length)) &&
        lstatSync(join(this.folder, name), { throwIfNoEntry: false })?.isSocket() === true,
    );
  }

  /** The path of a socket in the folder: as short as sockets need it. */
  pathOf(name: string): string {
    const path = join(this.folder, name);
    if (Buffer.byteLength(path) <= SOCKET_PATH_LIMIT) return path;
    if (this.#link === undefined) {
      const made = mkdtempSync(join(tmpdir(), 'lf-'));
      this.#link = join(made, 'l');
      symlinkSync(this.folder, this.#link);
    }
    const linked = join(this.#link, name);
    if (Buffer.byteLength(linked) <= SOCKET_PATH_LIMIT) return linked;
    throw new ConfigurationError(
      `a lock in ${this.folder} needs a shorter path: set TMPDIR to a folder with a short name`,
    );
  }

  /**
   * Removes what a process left that has ended.
   *
   * @throws ConfigurationError when it is another user's, in a folder where each removes what is their own
   */
  remove(name: string): void {
    try {
      rmSync(join(this.folder, name), { force: true });
    } catch {
      throw this.cannotRemove(name);
    }
  }

  /** The error of a lock that somebody else must remove. */
  cannotRemove(name: string): ConfigurationError {
    const path = join(this.folder, name);
    const uid = lstatSync(path, { throwIfNoEntry: false })?.uid;
    return new ConfigurationError(
      `${path} is a lock of another user (uid ${uid}): remove it if no process of theirs uses the file`,
    );
  }

  /**
   * Makes a socket that others find only when it is listening: one that does not listen is of a process that ended. A process
   * that asks before this one listens takes it for such, and removes it; then another one is made.
   */
  async publish(): Promise<OwnSocket> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#publishOnce();
      } catch (error) {
        if (!hasCode(error, 'ENOENT') || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** @throws ENOENT also when the socket is removed before it has its permissions, or its name */
  async #publishOnce(): Promise<OwnSocket> {
    const name = `${this.#prefix}${randomBytes(6).toString('hex')}`;
    const path = join(this.folder, name);
    const own: OwnSocket = { name, isHolder: false, remove: () => undefined };
    const unshown = `${name}${UNSHOWN}`;
    const server = await listen(this.pathOf(unshown), () => own.isHolder);
    own.remove = () => {
      own.remove = () => undefined;
      rmSync(path, { force: true });
      server.close();
    };
    try {
      renameSync(join(this.folder, unshown), path);
    } catch (error) {
      server.close();
      throw error;
    }
    return own;
  }

  close(): void {
    if (this.#link !== undefined) rmSync(dirname(this.#link), { recursive: true, force: true });
  }
}

/** The path of the file behind symbolic links; it may not exist yet. */
async function resolveLinks(path: string, links = 0): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const file = join(await realpath(dirname(absolute)), basename(absolute));
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink) return file;
  if (links >= MAX_LINKS) throw new ConfigurationError(`${path} is a symbolic link without an end`);
  return resolveLinks(resolve(dirname(file), await readlink(file)), links + 1);
}

/** A server that says to who asks whether it has the lock, and its process id. */
function listen(path: string, isHolder: () => boolean): Promise<Server> {
  return new Promise((fulfil, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${isHolder() ? HOLDER : CANDIDATE} ${process.pid}`);
    });
    server.once('error', reject);
    // By all users: who may not ask cannot tell whether the process has ended.
    server.listen({ path, readableAll: true, writableAll: true }, () => {
      // A lock keeps no program running.
      server.unref();
      fulfil(server);
    });
  });
}

/**
 * What the process that listens says, empty if it says nothing in time; `undefined` when there is none. Rejects where this
 * user may not ask.
 */
function ask(path: string): Promise<string | undefined> {
  return new Promise((fulfil, reject) => {
    let text = '';
    const socket = connect(path);
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text = `${text}${part}`.slice(0, 40);
    });
    socket.on('end', () => fulfil(text));
    socket.on('error', (error) => {
      const hasEnded = hasCode(error, 'ECONNREFUSED') || hasCode(error, 'ENOENT');
      if (hasCode(error, 'EACCES')) reject(error);
      else fulfil(hasEnded ? undefined : text);
    });
    socket.on('close', () => fulfil(text));
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy());
  });
}

/** Windows: a pipe, whose name is free when its process has ended. */
async function lockPipe(path: string, file: string): Promise<FileLock> {
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 32);
  const pipe = `\\\\.\\pipe\\landfall-${digest}`;
  try {
    const server = await listen(pipe, () => true);
    return { path: file, release: () => void server.close() };
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw inUse(path, (await ask(pipe))?.split(' ')[1] ?? '');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return isError(error) && 'code' in error && error.code === code;
}

function inUse(path: string, holder: string): ConfigurationError {
  const who = /^\d+$/.test(holder) ? `process ${holder}` : 'a process that does not respond';
  return new ConfigurationError(
    `${path} is in use (by ${who}): use another file, or end that process`,
  );
}
