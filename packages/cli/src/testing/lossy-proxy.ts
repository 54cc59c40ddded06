// A proxy before a service that loses responses: the service has carried the requests out.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A running proxy. */
export type LossyProxy = {
  url: string;
  /** How many of the next responses to requests that change data are lost, at addresses with `path`. */
  losses: number;
  /** Default: presentations. */
  path: string;
  /** Whether every other request is refused a connection from the next loss on. */
  isDownAfterLoss: boolean;
};

/** Starts a proxy; it ends after the tests of the file. */
export async function startLossyProxy(serviceUrl: string): Promise<LossyProxy> {
  let isDown = false;
  const server = createServer((incoming, outgoing) => {
    if (isDown) {
      incoming.socket.destroy();
      return;
    }
    const { method = 'GET', headers, url = '' } = incoming;
    const isChange = method !== 'GET' && url.includes(proxy.path);
    const forwarded = request(`${serviceUrl}${url}`, { method, headers });
    forwarded.on('response', (response) => {
      if (isChange && proxy.losses > 0) {
        proxy.losses -= 1;
        isDown = proxy.isDownAfterLoss;
        incoming.socket.destroy();
        response.resume();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy: LossyProxy = {
    // The cast is true because the server listens on a port, not on a pipe.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    losses: 0,
    path: '/movement/presentation/',
    isDownAfterLoss: false,
  };
  return proxy;
}
