// The playgrounds that run and were started in this folder: a file for each, so that later commands need no --data.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEFAULT_DATA_FOLDER } from '../output/next-command.js';

/** What a file says. */
type Running = { data: string; process: number };

/** A file, when it was written, and what it says; nothing, if that cannot be read. */
type Note = { file: string; writtenAt: number; running: Running | undefined };

/** The folder of the files, in that in which the playgrounds were started. */
const notesFolder = () => resolve(DEFAULT_DATA_FOLDER);

const NOTE_NAME = /^running-[\da-f-]{36}\.json$/;

/**
 * Says that the playground with this data folder runs. What a playground left that was killed is removed.
 *
 * @returns a function that says that it has ended
 */
export async function noteRunning(data: string): Promise<() => Promise<void>> {
  const file = join(notesFolder(), `running-${randomUUID()}.json`);
  const running: Running = { data: resolve(data), process: process.pid };
  try {
    await mkdir(notesFolder(), { recursive: true, mode: 0o700 });
    for (const note of await readNotes()) {
      if (note.running !== undefined && !isAlive(note.running.process)) {
        await rm(note.file, { force: true });
      }
    }
    // It is short: whoever reads it meanwhile finds all of it or nothing.
    await writeFile(file, `${JSON.stringify(running)}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // A folder in which nothing can be written has no such file: commands name the data folder.
    return async () => undefined;
  }
  return () => rm(file, { force: true });
}

/**
 * The data folder of the playground that was started last of those that run; `undefined` if none was started in this folder,
 * or all have ended. A file or a data folder that others could have made or changed is ignored: credentials there name the
 * host that gets requests, and a program that is run.
 */
export async function findRunning(): Promise<string | undefined> {
  try {
    if (!(await isOwn(notesFolder()))) return undefined;
    const notes = await readNotes();
    for (const { file, running } of notes.sort((a, b) => b.writtenAt - a.writtenAt)) {
      if (running === undefined || !isAlive(running.process)) continue;
      if ((await isOwn(file)) && (await isOwn(running.data))) return running.data;
    }
  } catch {
    // There is none.
  }
  return undefined;
}

async function readNotes(): Promise<Note[]> {
  const names = (await readdir(notesFolder())).filter((name) => NOTE_NAME.test(name));
  return Promise.all(
    names.map(async (name) => {
      const file = join(notesFolder(), name);
      // A playground that ends at this moment removes its own.
      const text = await readFile(file, 'utf8').catch(() => '');
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
      return { file, writtenAt: mtimeMs, running: parse(text) };
    }),
  );
}

function parse(text: string): Running | undefined {
  try {
    const { data, process: id }: Partial<Running> = JSON.parse(text);
    if (typeof data !== 'string' || typeof id !== 'number' || !(id > 0)) return undefined;
    return { data, process: id };
  } catch {
    return undefined;
  }
}

/** Whether it is there, belongs to this user, and nobody else may write to it. Windows has no such modes. */
async function isOwn(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return false;
  const { uid, mode } = found;
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
