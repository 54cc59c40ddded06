// Opens a file that is read as a whole, and nothing else: a FIFO could be waited for, and a device read, without end.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** The path is not that of a regular file. */
export class NotAFileError extends Error {
  readonly code = 'NOT_A_FILE';
  override name = 'NotAFileError';
}

/** Opening it does not wait for a writer of a FIFO. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file for reading, also by a link.
 *
 * @throws NotAFileError, or the error of the system
 */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
    // A socket.
    throw error.code === 'ENXIO' ? new NotAFileError(notAFile(path)) : error;
  });
  // Of what was opened, even if something else gets its name meanwhile.
  const isFile = await handle.stat().then(
    (found) => found.isFile(),
    () => false,
  );
  if (isFile) return handle;
  await handle.close();
  throw new NotAFileError(notAFile(path));
}

function notAFile(path: string): string {
  return `${path} is not a regular file`;
}
