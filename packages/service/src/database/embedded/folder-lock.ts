// Locks a data folder for one process: PGlite does not lock its folder, and two processes in it destroy the data.
import { createHash } from 'node:crypto';
import { realpath, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder is open in another process. */
export class FolderInUseError extends Error {
  readonly code = 'FOLDER_IN_USE';
  override name = 'FolderInUseError';
}

/** A lock that is held. */
export type FolderLock = { release(): Promise<void> };

/** The longest path that a socket may have on every system. */
const SOCKET_PATH_LIMIT = 100;

/** How long the process that holds a lock gets to say its id, in milliseconds: it may be busy, or stopped. */
const HOLDER_TIMEOUT_MS = 2000;

/** How often a socket that a killed process left behind is cleared away before giving up. */
const ATTEMPTS = 3;

/**
 * Locks a folder by listening on a socket in it. The system closes the socket when the process ends, however it
 * ends, so a lock is never left behind: a socket that nobody listens on is cleared away.
 *
 * @throws FolderInUseError when another process holds it
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = socketPath(await realpath(folder));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const server = await listen(path);
    if (server !== undefined) {
      return { release: () => close(server) };
    }
    const holder = await readHolder(path);
    if (holder !== undefined) {
      throw new FolderInUseError(
        holder === ''
          ? `${folder} is already open in a process that does not respond`
          : `${folder} is already open in process ${holder}`,
      );
    }
    // The socket of another process that ended; if it cannot be removed, listening fails and says so.
    await unlink(path).catch(() => undefined);
  }
  throw new FolderInUseError(`${folder} is being opened by another process`);
}

function socketPath(folder: string): string {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  if (process.platform === 'win32') return `\\\\.\\pipe\\landfall-${digest}`;
  const path = join(folder, 'lock');
  return Buffer.byteLength(path) <= SOCKET_PATH_LIMIT
    ? path
    : join(tmpdir(), `landfall-${digest}.lock`);
}

/** The server that holds the lock, or `undefined` when the path is taken. It sends its process id to clients. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      // A client that checks whether the lock is held may disconnect at any time.
      socket.on('error', () => undefined);
      socket.end(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** The process id of the holder, empty if it does not respond, or `undefined` when nobody listens. */
function readHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let processId = '';
    const socket = connect(path);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      processId += text;
    });
    socket.on('end', () => resolve(processId));
    socket.on('error', () => resolve(undefined));
    // The system has accepted the connection, so somebody listens.
    socket.setTimeout(HOLDER_TIMEOUT_MS, () => {
      socket.destroy();
      resolve('');
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
