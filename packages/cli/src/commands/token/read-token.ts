// A token from a file or from standard input.
import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { codeOf, UsageError } from '../../process/exit.js';

/**
 * Reads a token, with or without `Bearer` before it.
 *
 * @param file its path; `-` reads standard input
 * @throws UsageError when it cannot be read or is empty
 */
export async function readToken(file: string): Promise<string> {
  let text: string;
  try {
    text = await (file === '-' ? readStream(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${codeOf(error)})`);
  }
  const token = text.trim().replace(/^Bearer +/i, '');
  if (token === '') throw new UsageError(`${file === '-' ? 'stdin' : file} is empty`);
  return token;
}
