// A proxy before the service that behaves as one fault says.
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Behaviour, Forward, ProxiedRequest, ProxiedResponse } from './fault.js';

/** A running proxy. */
export type Proxy = { url: string; close(): Promise<void> };

/** Headers that describe the connection or the length, which the proxy makes itself. */
const OWN_HEADERS = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
];

/** Starts a proxy on a free port. */
export async function startProxy(serviceUrl: string, behaviour: Behaviour): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, serviceUrl, behaviour).catch((error: unknown) => {
      // The suite sees a connection that breaks, and its message names this error.
      outgoing.destroy(error instanceof Error ? error : undefined);
    });
  });
  // Connections end with the proxy, not while the suite uses them again.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  serviceUrl: string,
  behaviour: Behaviour,
): Promise<void> {
  const request: ProxiedRequest = {
    method: incoming.method ?? 'GET',
    url: new URL(incoming.url ?? '/', serviceUrl),
    headers: ownHeaders(incoming.headers),
    chunked: incoming.headers['transfer-encoding'] === 'chunked',
    // Bytes that are not UTF-8 arrive unchanged.
    body: Buffer.from(await readBytes(incoming)).toString('latin1'),
  };
  const forward: Forward = async (other) => readResponse(await send(other));
  const early = await behaviour.onRequest?.(request, forward);
  if (early !== undefined) return reply(outgoing, early);
  const received = await send(request);
  if (/^text\/event-stream/.test(received.headers['content-type'] ?? '')) {
    streamEvents(received, outgoing, behaviour, request);
    return;
  }
  const response = await readResponse(received);
  await behaviour.onResponse?.(response, request, forward);
  reply(outgoing, response);
}

function reply(outgoing: ServerResponse, { status, reason, headers, body }: ProxiedResponse): void {
  if (reason !== undefined) outgoing.statusMessage = reason;
  outgoing.writeHead(status, headers).end(status === 204 ? undefined : body);
}

async function readBytes(incoming: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts);
}

async function send({ method, url, headers, body }: ProxiedRequest): Promise<IncomingMessage> {
  const bytes = Buffer.from(body, 'latin1');
  // The body of a DELETE has no length unless it is given.
  const length = bytes.length === 0 ? {} : { 'content-length': bytes.length };
  const outgoing = openRequest(url, { method, headers: { ...headers, ...length }, agent: false });
  outgoing.end(bytes);
  const [response] = await once(outgoing, 'response');
  // The cast is true because the event has the response.
  return response as IncomingMessage;
}

async function readResponse(response: IncomingMessage): Promise<ProxiedResponse> {
  return {
    status: response.statusCode ?? 502,
    headers: ownHeaders(response.headers),
    body: await text(response),
  };
}

/** Forwards events as they come, each of them changed. */
function streamEvents(
  received: IncomingMessage,
  outgoing: ServerResponse,
  { onEvent = (event) => event, onEvents }: Behaviour,
  request: ProxiedRequest,
): void {
  const headers = ownHeaders(received.headers);
  onEvents?.(headers, request);
  outgoing.writeHead(received.statusCode ?? 502, headers);
  outgoing.flushHeaders();
  let rest = '';
  received.setEncoding('utf8');
  received.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const changed = block.startsWith(':') ? block : onEvent(block, request);
      if (changed !== '') outgoing.write(`${changed}\n\n`);
    }
  });
  received.on('end', () => outgoing.end());
  received.on('error', () => outgoing.destroy());
  outgoing.on('close', () => received.destroy());
}

function ownHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || OWN_HEADERS.includes(name) ? [] : [[name, String(value)]],
    ),
  );
}
