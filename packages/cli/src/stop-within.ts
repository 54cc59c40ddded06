// Stops a server, and gives up when that takes too long.
import { CommandFailedError } from './exit.js';

/**
 * Stops a server.
 *
 * @param limit how long it may take, in seconds
 * @throws CommandFailedError when it takes longer
 */
export async function stopWithin(limit: number, server: { close(): Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CommandFailedError(`it did not stop within ${limit} s`)),
      limit * 1000,
    );
  });
  await Promise.race([server.close(), tooLong]);
  clearTimeout(timer);
}
