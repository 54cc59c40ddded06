// Reads what a command is given: a file, or standard input.
import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { CommandFailedError, codeOf } from './exit.js';

/**
 * The whole text of a file, or of standard input where its name is `-`.
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

/** The error of a file, or of standard input, in the command's terms. */
export function cannotRead(file: string, error: unknown): CommandFailedError {
  const name = file === '-' ? 'standard input' : file;
  const reason = codeOf(error) ?? (error instanceof Error ? error.message : String(error));
  return new CommandFailedError(`cannot read ${name} (${reason})`);
}
