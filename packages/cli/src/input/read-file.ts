// Reads a file or standard input.
import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { CommandFailedError, codeOf } from '../process/exit.js';

/**
 * Reads the whole text of a file, or of standard input for `-`.
 *
 * @throws CommandFailedError
 */
export async function readFileOrInput(file: string): Promise<string> {
  try {
    return await (file === '-' ? readStream(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw cannotRead(file, error);
  }
}

/** The error for a file or standard input that cannot be read. */
export function cannotRead(file: string, error: unknown): CommandFailedError {
  const name = file === '-' ? 'standard input' : file;
  const reason = codeOf(error) ?? (error instanceof Error ? error.message : String(error));
  return new CommandFailedError(`cannot read ${name} (${reason})`);
}
