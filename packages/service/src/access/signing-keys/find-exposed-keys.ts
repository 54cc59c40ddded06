// Finds signing keys that users other than their owner can read or replace; they could sign any token.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeExposure, exposures } from '../../files/describe-exposure.js';
import { codeOf } from '../../native-error.js';

/**
 * Checks the folder of the keys and every file in it; a missing folder has no findings.
 *
 * @returns for each that is open to group or others, a sentence that says so and what to do
 */
export async function findExposedKeys(folder: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    const code = codeOf(error) ?? 'unreadable';
    if (code === 'ENOENT') return [];
    return [`LANDFALL_KEYS, the folder of the signing keys, cannot be read: ${folder} (${code})`];
  }
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const found = await Promise.all([
    describe(folder, 'the folder of the signing keys (LANDFALL_KEYS)', 'keyFolder'),
    ...files.map((file) => describe(file, 'the key file', 'key')),
  ]);
  return found.flat();
}

async function describe(path: string, what: string, kind: 'key' | 'keyFolder'): Promise<string[]> {
  const reason = describeExposure(path, what, (await stat(path)).mode, exposures[kind]);
  return reason === undefined ? [] : [reason];
}
