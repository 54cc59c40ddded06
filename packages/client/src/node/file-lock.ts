// Locks a file against a second process, by a file beside it that has the process id of the holder.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isError } from '../errors/is-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';

/** The files that this process has locked: after a restart in a container, the id of the dead holder is often our own. */
const held = new Set<string>();

/** A lock that is held until it is released, or until the process ends. Releasing it again does nothing. */
export type FileLock = { release(): void };

/** @throws ConfigurationError when another process, or another part of this one, has the file */
export function lockFile(path: string): FileLock {
  const file = `${resolve(path)}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, `${process.pid}`, { flag: 'wx' });
      held.add(file);
      return {
        release: () => {
          if (held.delete(file)) rmSync(file, { force: true });
        },
      };
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      if (attempt > 2 || !removeStale(file)) throw inUse(path, file);
    }
  }
}

/** Removes the lock if its holder has ended. */
function removeStale(file: string): boolean {
  const holder = read(file);
  if (holder === undefined) return true;
  if (holder === `${process.pid}` ? held.has(file) : isAlive(Number(holder))) return false;
  // Renamed first: if another process was faster, this is the lock that it has now, and it is put back.
  const taken = `${file}.${process.pid}`;
  try {
    renameSync(file, taken);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
  if (read(taken) !== holder) {
    renameSync(taken, file);
    return false;
  }
  rmSync(taken);
  return true;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  // A lock without a number is one that its holder is about to write.
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function inUse(path: string, file: string): ConfigurationError {
  return new ConfigurationError(
    `${path} is in use (by process ${read(file) ?? 'unknown'}): use another file. If there is no such process, delete ${file}`,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return isError(error) && 'code' in error && error.code === code;
}
