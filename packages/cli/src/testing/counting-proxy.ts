// A proxy before a service that counts the requests that change data, and can take them in its place or keep their responses.
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A running proxy. */
export type CountingProxy = {
  url: string;
  /** Requests that change data: those that have arrived, and those whose response says that they were carried out. */
  arrived: number;
  done: number;
  /** Is called instead of passing such a request on. */
  hold: ((response: ServerResponse) => void) | undefined;
  /** Is called instead of passing the response to such a request back: it was carried out or refused. */
  keep: ((response: ServerResponse) => void) | undefined;
};

/** Starts a proxy; it ends after the tests of the file. */
export async function startCountingProxy(target: () => string): Promise<CountingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming;
    const changes = method !== 'GET' && !url.endsWith('/token');
    if (changes) proxy.arrived += 1;
    if (changes && proxy.hold !== undefined) {
      incoming.resume();
      proxy.hold(outgoing);
      return;
    }
    const forwarded = request(new URL(url, target()), { method, headers }, (response) => {
      if (changes && (response.statusCode ?? 500) < 300) proxy.done += 1;
      if (changes && proxy.keep !== undefined) {
        response.resume();
        response.on('end', () => proxy.keep?.(outgoing));
        return;
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy: CountingProxy = {
    // The cast is true because the server listens on a port, not on a pipe.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: 0,
    done: 0,
    hold: undefined,
    keep: undefined,
  };
  return proxy;
}
