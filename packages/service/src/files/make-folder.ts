// Makes a folder and its missing parents. Node's `recursive` option never returns if the parent exists but accepts no
// entries, such as /proc.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../native-error.js';

/**
 * Makes a folder unless it exists.
 *
 * @param mode permissions of each new folder (default: those of the process)
 * @throws the system's error, such as ENOENT, ENOTDIR or EACCES
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !(await exists(parent))) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!hasCode(error, 'EEXIST') || !(await stat(folder)).isDirectory()) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}
