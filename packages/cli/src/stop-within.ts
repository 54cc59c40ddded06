// Stops a server, and gives up when that takes too long.
import { tell } from './output.js';

/** The exit code of a server that had to be given up. */
const GIVEN_UP = 1;

/**
 * Stops a server; the process ends when that takes too long, because what is open would keep it for ever.
 *
 * @param limit how long it may take, in seconds
 */
export async function stopWithin(limit: number, server: { close(): Promise<void> }): Promise<void> {
  const timer = setTimeout(() => {
    tell(`error: it did not stop within ${limit} s`);
    process.exit(GIVEN_UP);
  }, limit * 1000);
  await server.close();
  clearTimeout(timer);
}
