// Files of the data folder that contain private keys: readable only by their owner, replaced as a whole.
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '@landfall/service';
import { makeFolder } from '@landfall/service/assembly';

/** The text of a file; `undefined` if it is missing. */
export async function readPrivate(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** The JSON of a file; `undefined` if it is missing or not JSON. */
export async function readPrivateJson(file: string): Promise<unknown> {
  const text = await readPrivate(file);
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Writes a file as JSON. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  await writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a file. */
export async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(file), 0o700);
  const beside = `${file}.${randomUUID()}`;
  await writeFile(beside, content, { mode: 0o600 });
  await rename(beside, file);
}
