// A proxy before a service that fails on request: responses that a service gives under load, and broken connections.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

/** How late the service receives a slow request, in milliseconds. */
const SLOW_MS = 300;

/** What happens to one request. */
export type Fault =
  /** The proxy responds in place of the service. */
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection breaks before the service has the request. */
  | 'lost-request'
  /** The service carries the request out, and the connection breaks before the response. */
  | 'lost-response'
  /** The service carries the request out, and something on the way replaces the body of the response. */
  | 'replaced-response'
  /** The connection breaks in the middle of the response. */
  | 'cut-response'
  /** The service receives the request late. */
  | 'slow'
  /** There is no response. */
  | 'silence'
  /** The service receives the request only when the next one to the same path arrives, and before that one. */
  | 'overtaken'
  /** The service receives the request twice; the response is that to the second. */
  | 'repeated'
  | 'none';

/** A running proxy. */
export type FaultyProxy = {
  url: string;
  /** The requests that have arrived, such as `GET /livez`. */
  requests: string[];
  /** The headers of the last request. */
  lastHeaders: () => NodeJS.Dict<string | string[]>;
  /** The next requests to paths that contain the text have these faults; later ones have none. */
  fail(path: string, ...faults: Fault[]): void;
  /** Every other request has one of these faults with this probability. */
  failRandomly(probability: number, faults: readonly Fault[]): void;
  /** Forgets the faults that have not occurred. */
  reset(): void;
};

/** Starts a proxy before a service; it ends after the tests of the file. */
export async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const faults: { path: string; fault: Fault }[] = [];
  let random = { probability: 0, faults: ['none'] as readonly Fault[] };
  const requests: string[] = [];
  let headers: NodeJS.Dict<string | string[]> = {};
  const overtaken = new Map<string, () => Promise<void>>();
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = incoming.url ?? '';
    requests.push(`${incoming.method} ${path}`);
    headers = incoming.headers;
    const index = faults.findIndex((planned) => path.includes(planned.path));
    const [planned] = index === -1 ? [] : faults.splice(index, 1);
    const earlier = overtaken.get(path);
    overtaken.delete(path);
    await earlier?.();
    const fault = planned?.fault ?? drawFault(random.probability, random.faults);
    if (fault === 'slow') await delay(SLOW_MS);
    // A stream of events has no end, so it is not read before it is repeated.
    const isRepeated = fault === 'repeated' && incoming.method === 'POST';
    if (fault !== 'overtaken' && !isRepeated) {
      handle(fault, incoming, outgoing, serviceUrl);
      return;
    }
    const { method, headers: sent } = incoming;
    const body = await buffer(incoming);
    const deliver = async () => {
      // The cast is true because a request of the client has no list as a header.
      const copy = { method: method ?? 'GET', headers: sent as Record<string, string> };
      const response = await fetch(
        `${serviceUrl}${path}`,
        body.length === 0 ? copy : { ...copy, body },
      );
      return { status: response.status, text: await response.text() };
    };
    if (fault === 'overtaken') {
      overtaken.set(path, async () => void (await deliver()));
      return;
    }
    await deliver();
    const { status, text } = await deliver();
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((incoming, outgoing) => {
    // The client may close its connection while its request is read.
    respond(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    lastHeaders: () => headers,
    fail: (path, ...planned) => faults.push(...planned.map((fault) => ({ path, fault }))),
    failRandomly: (probability, drawn) => {
      random = { probability, faults: drawn };
    },
    reset: () => {
      faults.length = 0;
      random = { probability: 0, faults: ['none'] };
    },
  };
}

function drawFault(probability: number, faults: readonly Fault[]): Fault {
  if (Math.random() >= probability) return 'none';
  return faults[Math.floor(Math.random() * faults.length)] ?? 'none';
}

function handle(
  fault: Fault,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  serviceUrl: string,
): void {
  if (fault === 'silence') return;
  if (fault === 'lost-request' || incoming.destroyed) {
    incoming.socket.destroy();
    return;
  }
  if (typeof fault === 'object') {
    incoming.resume();
    outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    return;
  }
  const forwarded = request(`${serviceUrl}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: incoming.headers,
  });
  forwarded.on('response', (response) => {
    if (fault === 'lost-response') {
      incoming.socket.destroy();
      return;
    }
    if (fault === 'replaced-response') {
      response.resume();
      outgoing.writeHead(response.statusCode ?? 502).end('<html>');
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    if (fault === 'cut-response') {
      response.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, chunk.length / 2), () => incoming.socket.destroy());
      });
    } else response.pipe(outgoing);
  });
  forwarded.on('error', () => incoming.socket.destroy());
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
