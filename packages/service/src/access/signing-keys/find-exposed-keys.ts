// Finds signing keys that users other than their owner can read or replace; they could sign any token.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../native-error.js';

/** The rights of group and others. */
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Checks the folder of the keys and every file in it; a missing folder has no findings.
 *
 * @returns for each that is open to group or others, a sentence that says so and what to do
 */
export async function findExposedKeys(folder: string): Promise<string[]> {
  // Windows has no such permissions, and Node.js reports invented ones.
  if (process.platform === 'win32') return [];
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (names === undefined) return [];
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const found = await Promise.all([
    describe(folder, 'the folder of the signing keys', '0700'),
    ...files.map((file) => describe(file, 'the key file', '0600')),
  ]);
  return found.flat();
}

async function describe(path: string, what: string, mode: string): Promise<string[]> {
  const rights = (await stat(path)).mode & 0o777;
  if ((rights & RIGHTS_OF_OTHERS) === 0) return [];
  const shown = rights.toString(8).padStart(4, '0');
  return [`${what} ${path} is open to others than its owner (mode ${shown}): chmod ${mode} it`];
}
