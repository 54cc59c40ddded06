// Checks whether a port is free.
import { createServer } from 'node:net';

/**
 * Returns the port if it is free, and any free port for 0.
 *
 * @throws the system's error, such as EADDRINUSE or EACCES
 */
export function findPort(host: string, port: number): Promise<number> {
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
