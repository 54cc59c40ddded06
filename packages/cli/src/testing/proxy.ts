// A proxy to a server that changes the headers of its responses.
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';

/** A running proxy. */
export type Proxy = { url: string; close(): void };

/** Starts a proxy; `changed` replaces headers of each response. */
export async function startProxy(
  target: string,
  changed: () => OutgoingHttpHeaders,
): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const forwarded = request(new URL(url, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, ...changed() });
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
