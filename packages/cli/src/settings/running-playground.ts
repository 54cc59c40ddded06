// The playground that was started last in this folder: a file says which one, so that later commands need no --data.
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DEFAULT_DATA_FOLDER } from '../output/next-command.js';

/** What the file says. */
type Running = { data: string; process: number };

/** The file, in the folder in which the playground was started. */
function runningFile(): string {
  return resolve(DEFAULT_DATA_FOLDER, 'running.json');
}

/**
 * Says that the playground with this data folder runs. Whoever starts another one in the same folder replaces that.
 *
 * @returns a function that says that it has ended
 */
export async function noteRunning(data: string): Promise<() => Promise<void>> {
  const file = runningFile();
  const running: Running = { data: resolve(data), process: process.pid };
  const text = `${JSON.stringify(running)}\n`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.${process.pid}`, text, { mode: 0o600 });
    await rename(`${file}.${process.pid}`, file);
  } catch {
    // A folder in which nothing can be written has no such file: commands name the data folder.
    return async () => undefined;
  }
  return async () => {
    const found = await readFile(file, 'utf8').catch(() => undefined);
    if (found === text) await rm(file, { force: true });
  };
}

/**
 * The data folder of the playground that runs; `undefined` if none was started in this folder, or it has ended. A file or a
 * data folder that others could have made or changed is ignored: credentials there name the host that gets requests, and a
 * program that is run.
 */
export async function findRunning(): Promise<string | undefined> {
  try {
    if (!(await isOwn(runningFile())) || !(await isOwn(dirname(runningFile())))) return undefined;
    const { data, process: id }: Partial<Running> = JSON.parse(
      await readFile(runningFile(), 'utf8'),
    );
    if (typeof data !== 'string' || typeof id !== 'number' || id <= 0) return undefined;
    return isAlive(id) && (await isOwn(data)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is there, belongs to this user, and nobody else may write to it. Windows has no such modes. */
async function isOwn(path: string): Promise<boolean> {
  const { uid, mode } = await stat(path);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** One of another user is alive too. */
function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
