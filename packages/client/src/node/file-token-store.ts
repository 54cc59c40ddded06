// Keeps tokens in files, so that one token serves many runs of a program.
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRecord, textOf } from '../errors/read-api-error.js';
import type { StoredToken, TokenStore } from '../tokens/token-store.js';
import { replaceFile } from './replace-file.js';

/**
 * A folder of tokens, one file each, which only their owner can read. Several programs may share it.
 *
 * @example
 * const landfall = new Landfall({ baseUrl, credentials, tokenStore: new FileTokenStore('.tokens') });
 */
export class FileTokenStore implements TokenStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(key: string): Promise<StoredToken | undefined> {
    const { token, expiresAt } = parseRecord(await readFile(this.#fileOf(key), 'utf8'));
    const text = textOf(token);
    return text === undefined ? undefined : { token: text, expiresAt: Number(expiresAt) };
  }

  async write(key: string, token: StoredToken): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    replaceFile(this.#fileOf(key), `${JSON.stringify(token)}\n`);
  }

  /** Keys have characters that file names cannot have. */
  #fileOf(key: string): string {
    return join(this.#folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  }
}
