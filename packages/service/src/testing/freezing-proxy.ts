// A TCP proxy that stops forwarding without closing a connection, as a firewall that forgets a connection does.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL. */
export type FreezingProxy = {
  /** The address of the database through the proxy. */
  url: string;
  /**
   * Stops forwarding on the open connections; with `all`, also on new ones until `thaw`; with `responses`, only what the
   * open connections have for clients.
   */
  freeze(scope?: 'open' | 'all' | 'responses'): void;
  /** Forwards on new connections again. Frozen connections stay frozen. */
  thaw(): void;
  /** Sends bytes to the clients as if they came from the database. */
  inject(bytes: Uint8Array): void;
  /** How many connections are open to the database. */
  connections(): number;
  close(): Promise<void>;
};

/** Starts a proxy in front of the database at an address. */
export async function startFreezingProxy(target: string): Promise<FreezingProxy> {
  const address = new URL(target);
  const pairs = new Set<{ client: Socket; database: Socket; frozen: boolean; deaf: boolean }>();
  let freezeNew = false;

  const server = createServer((client) => {
    const database = connect(Number(address.port || 5432), address.hostname);
    const pair = { client, database, frozen: freezeNew, deaf: false };
    pairs.add(pair);
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (chunk) => {
        if (!pair.frozen && !(pair.deaf && to === client)) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        if (pair.frozen && from === database) return;
        to.destroy();
        pairs.delete(pair);
      });
    };
    forward(client, database);
    forward(database, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(typeof own === 'object' && own !== null ? own.port : 0);

  return {
    url: url.href,
    freeze: (scope = 'open') => {
      freezeNew = scope === 'all';
      for (const pair of pairs) {
        if (scope === 'responses') pair.deaf = true;
        else pair.frozen = true;
      }
    },
    thaw: () => {
      freezeNew = false;
    },
    inject: (bytes) => {
      for (const { client } of pairs) client.write(bytes);
    },
    connections: () => pairs.size,
    close: async () => {
      server.close();
      for (const { client, database } of pairs) {
        client.destroy();
        database.destroy();
      }
    },
  };
}
