// Checks whether a port is free, before anything else is done.
import { createServer } from 'node:net';

/**
 * The port itself when it can be listened on, and any free one for 0.
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
