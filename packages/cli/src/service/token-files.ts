// Keeps customs tokens in files, so that one token serves many commands.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredToken, TokenStore } from '@landfall/client';

/** Keeps each token in a file of the folder that only its owner can read. */
export function makeTokenFiles(folder: string): TokenStore {
  return {
    read: async (key) => {
      const stored: unknown = JSON.parse(await readFile(fileOf(folder, key), 'utf8'));
      return isToken(stored) && stored.key === key ? stored : undefined;
    },
    write: async (key, token) => {
      const file = fileOf(folder, key);
      // Written to a temporary file and renamed, so that a concurrent command never reads an incomplete file.
      const temporary = `${file}.${randomUUID()}`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        await writeFile(temporary, JSON.stringify({ key, ...token }), { mode: 0o600 });
        await rename(temporary, file);
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
}

/** A digest, because a key contains an address and a scope, which are no file names. */
function fileOf(folder: string, key: string): string {
  return join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
}

function isToken(value: unknown): value is StoredToken & { key: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    'token' in value &&
    typeof value.token === 'string' &&
    'expiresAt' in value &&
    typeof value.expiresAt === 'number'
  );
}
