// A TCP proxy before a service that cuts, delays and freezes connections, and changes requests.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A running proxy. */
export type TcpProxy = {
  url: string;
  /** How many connections have been opened, and how many are open. */
  opened: number;
  open(): number;
  /** Breaks every open connection. */
  cut(): void;
  /** Forwards nothing on the open connections any more, and does not close them. */
  freeze(): void;
  /** While it is true, connections are refused. */
  refuses: boolean;
  /** How long each piece of a response is delayed, in milliseconds. */
  delayMs: number;
  /** Cuts a connection after this number of bytes of its responses. */
  cutAfterBytes: number;
  /** Changes requests. It must not change their length. */
  rewrite: (request: string) => string;
  /** No response is forwarded to requests that match. */
  freezeWhen: RegExp | undefined;
};

/** Starts a proxy before the service at an address; it ends after the tests of the file. */
export async function startTcpProxy(serviceUrl: string): Promise<TcpProxy> {
  const target = new URL(serviceUrl);
  const pairs = new Set<{ near: Socket; isFrozen: boolean }>();
  const server = createServer({ noDelay: true }, (near) => {
    proxy.opened += 1;
    if (proxy.refuses) {
      near.destroy();
      return;
    }
    const far = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const pair = { near, isFrozen: false };
    pairs.add(pair);
    let bytes = 0;
    near.on('data', (chunk) => {
      if (proxy.freezeWhen?.test(chunk.toString('latin1'))) pair.isFrozen = true;
      if (!pair.isFrozen) far.write(proxy.rewrite(chunk.toString('latin1')), 'latin1');
    });
    far.on('data', (chunk) => {
      if (pair.isFrozen) return;
      const left = proxy.cutAfterBytes - bytes;
      bytes += chunk.length;
      const forward = () => {
        near.write(chunk.subarray(0, Math.max(0, left)));
        if (chunk.length >= left) near.destroySoon();
      };
      if (proxy.delayMs > 0) setTimeout(forward, proxy.delayMs);
      else forward();
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('close', () => {
        if (pair.isFrozen && from === far) return;
        setTimeout(() => to.destroy(), proxy.delayMs);
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TcpProxy = {
    // The cast is true because the server listens on a port, not on a pipe.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    opened: 0,
    open: () => pairs.size,
    cut: () => {
      // Not by a reset: on Node.js 20 a socket that is reset while it writes may keep the process from ending.
      for (const { near } of pairs) near.destroy();
    },
    freeze: () => {
      for (const pair of pairs) pair.isFrozen = true;
    },
    refuses: false,
    delayMs: 0,
    cutAfterBytes: Number.POSITIVE_INFINITY,
    rewrite: (request) => request,
    freezeWhen: undefined,
  };
  after(() => {
    server.close();
    proxy.cut();
  });
  return proxy;
}
