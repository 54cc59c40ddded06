// Metrics on a port of their own, so that the port of the service need not show them to everybody.
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { MetricsText } from './metrics.js';

/** Serves `/metrics` at this address while the app is served. */
export function serveMetrics(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  readMetrics: () => Promise<MetricsText>,
): void {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    readMetrics().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        app.log.error({ err: error }, 'metrics cannot be read');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = 100;
  app.addHook('onReady', async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => resolve());
    });
  });
  app.addHook('onClose', async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });
}
