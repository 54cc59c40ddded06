// A proxy to a server that a test can interrupt and restore.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A running proxy. */
export type BreakableConnection = {
  /** The server's address with the host and port of the proxy. */
  url: string;
  interrupt(): Promise<void>;
  restore(): Promise<void>;
  /** How many parts of what clients have sent were passed on. */
  passed(): number;
};

/**
 * Starts a proxy to the server at an address.
 *
 * @param maxParts it interrupts itself when clients have sent so many parts; default: never
 */
export async function startBreakableConnection(
  address: string,
  maxParts = Number.POSITIVE_INFINITY,
): Promise<BreakableConnection> {
  let parts = 0;
  const target = new URL(address);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    near.on('data', () => {
      parts++;
      if (parts === maxParts) void interrupt();
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      // Errors are expected when the connection is interrupted; `close` follows.
      from.on('error', () => undefined);
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  const url = new URL(address);
  url.host = `127.0.0.1:${port}`;
  const interrupt = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    passed: () => parts,
    interrupt,
    restore: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
