// Finds a free port, or checks whether a port is free.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The ports from which a free one is chosen. Those from 32768 are given to outgoing connections by Linux, so one of them
 * is often taken between this check and its use.
 */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;

/** How many of them are tried before the system chooses any free port. */
const ATTEMPTS = 20;

/**
 * Returns the port if it is free, and any free port for 0.
 *
 * @throws the system's error, such as EADDRINUSE or EACCES
 */
export async function findPort(host: string, port: number): Promise<number> {
  for (let attempt = 0; port === 0 && attempt < ATTEMPTS; attempt++) {
    const found = await tryPort(host, randomInt(FIRST_PORT, END_PORT)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') return undefined;
        throw error;
      },
    );
    if (found !== undefined) return found;
  }
  return tryPort(host, port);
}

function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const found = address !== null && typeof address === 'object' ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}
