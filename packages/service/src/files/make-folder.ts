// Makes a folder and what is missing above it. Node's own way (`recursive`) never returns where the parent is
// there but takes no entries, as in /proc.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder unless it is there.
 *
 * @param mode rights of each folder that is made (default: what the process gives to all)
 * @throws the system's error, such as ENOENT, ENOTDIR or EACCES
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !(await isThere(parent))) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!hasCode(error, 'EEXIST') || !(await stat(folder)).isDirectory()) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
