// A peer that does what none should: each kind of fault is an entry in one table, which the matrix of tests reads.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { gzipSync } from 'node:zlib';

/** How a peer responds to a request whose body has arrived. */
export type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server whose responses the tests choose. */
export type Peer = {
  url: string;
  respond: Respond;
  /** The requests that it has received, such as `GET /livez`. */
  received: string[];
  /** How many exchanges are not over: a client that has ended leaves none. */
  open: () => number;
};

/** Starts a peer; it ends after the tests of the file. */
export async function startPeer(): Promise<Peer> {
  const received: string[] = [];
  const exchanges = new Set<ServerResponse>();
  const peer: Peer = {
    url: '',
    received,
    respond: (_, response) => response.end(),
    open: () => exchanges.size,
  };
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    exchanges.add(response);
    response.once('close', () => exchanges.delete(response));
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.once('end', () => peer.respond(request, response, body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  // The cast is true because the server listens on a port, not on a pipe.
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return peer;
}

/** The requestIds of the movement messages that peers have received: their statuses can be read. */
const lodged = new Set<string>();

/** Confirms a request about a movement message, or responds with its status. */
function respondToMovement(method: string, url: string, response: ServerResponse, body: string) {
  const asked = url.split('/').at(-1) ?? '';
  if (method === 'GET' && !lodged.has(asked)) return void response.writeHead(404).end();
  const requestId = method === 'GET' ? asked : (requestIdIn(body) ?? crypto.randomUUID());
  lodged.add(requestId);
  response.end(JSON.stringify({ requestId, status: 'SUCCESS', mrn: '26NO7K2M4Q9XWR5HT0' }));
}

function requestIdIn(body: string): string | undefined {
  return body === '' ? undefined : JSON.parse(body).requestId;
}

/** The addresses of requests about movement messages and arrivals, and of the status of one. */
const MOVEMENT = /\/api\/movement\/(?:road|air|rail|maritime|arrival)\/v\d\//;
const MOVEMENT_STATUS = /\/status\/v\d\/[\w-]+\/validation-status\/[^/]+$/;

/** Responds as a service does that has nothing to tell: with an empty list, an empty object, or a confirmation. */
export const respondInOrder: Respond = ({ method = '', url = '', headers }, response, body) => {
  const { accept = '' } = headers;
  if (accept === 'text/event-stream') {
    response.writeHead(200, { 'content-type': accept }).write(': connected\n\n');
  } else if (accept === 'application/octet-stream') {
    response.setHeader('content-type', accept).end('a file');
  } else if (accept === 'text/plain') response.setHeader('content-type', accept).end('OK');
  else if (accept === '*/*') response.writeHead(204).end();
  else if (url.endsWith('/house-consignment/batch')) response.end(presentedLines(body));
  else if (method === 'POST' && url.includes('/presentation/')) response.end(body);
  else if ((MOVEMENT.test(url) && method !== 'GET') || MOVEMENT_STATUS.test(url)) {
    respondToMovement(method, url, response, body);
  } else if (url.includes('/entry/status/')) response.end('{"validEntry":true}');
  else if (url.includes('/presentation/v1/validation-status/')) response.writeHead(404).end();
  else if (url.includes('token')) response.end('{"access_token":"a","expires_in":900}');
  else if (accept === 'application/x-ndjson' && method === 'GET') response.end();
  else if (accept === 'application/x-ndjson') response.end('{"line":1,"status":"DECIDED"}\n');
  else response.end('[]');
};

/** The results of a batch that is presented. */
function presentedLines(body: string): string {
  const lines = body.trimEnd().split('\n');
  return lines
    .map((line, index) => {
      const { requestId } = JSON.parse(line);
      return `${JSON.stringify({ line: index + 1, requestId, status: 202 })}\n`;
    })
    .join('');
}

/** Sends drops of a head or a body, for as long as the client listens. */
function drip(response: ServerResponse, send: () => void): void {
  const drops = setInterval(send, 30);
  response.once('close', () => clearInterval(drops));
  response.socket?.once('close', () => clearInterval(drops));
}

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
const PAUSES = ['0', '99999999', '-5', 'soon', 'Fri, 31 Dec 9999 23:59:59 GMT', '9'.repeat(400)];
let pause = 0;

/** Every kind of fault. `otherUrl` is a host that must receive nothing. */
export const makeFaults = (otherUrl: string): Record<string, Respond> => {
  const refuse =
    (status: number): Respond =>
    (_, response) => {
      pause += 1;
      response.writeHead(status, { 'retry-after': PAUSES[pause % PAUSES.length] }).end();
    };
  const redirect =
    (status: number): Respond =>
    ({ url }, response) =>
      void response.writeHead(status, { location: `${otherUrl}${url}` }).end();
  return {
    'closed before the response': (request) => request.socket.destroy(),
    'closed after the head': (request, response) => {
      response.writeHead(200).flushHeaders();
      setTimeout(() => request.socket.destroy(), 10);
    },
    'closed within the body': (request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('[{"line":1}');
      setTimeout(() => request.socket.destroy(), 10);
    },
    'cut at the end of a line': (request, response) => {
      // A text has no lines, and nothing says how long it is.
      if (request.headers.accept === 'text/plain') return void request.socket.destroy();
      const headers = { 'landfall-count': '3', 'preference-applied': 'summary' };
      response.writeHead(200, { ...headers, connection: 'close' }).end('{"line":1}\n{"line":2}\n');
    },
    silence: () => undefined,
    'a head that drips': (_, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\nx-drops: ');
      drip(response, () => response.socket?.write('x'));
    },
    'a body that drips': (_, response) => {
      response.writeHead(200).flushHeaders();
      drip(response, () => response.write(' '));
    },
    'whole lines that drip': ({ headers, socket }, response) => {
      // What is streamed has no end, and what is no lines has a row of its own.
      const isCollected = headers.accept === 'application/x-ndjson' && headers.prefer === undefined;
      if (!isCollected) return void socket.destroy();
      response.writeHead(200).flushHeaders();
      drip(response, () => response.write('{"x":1}\n'));
    },
    'cut within an entry': (request, response) => {
      if (request.headers.accept === 'text/plain') return void request.socket.destroy();
      const headers = { 'landfall-count': '3', connection: 'close' };
      response.writeHead(200, headers).end('[{"line":1},{"li');
    },
    'a page of HTML': (_, response) =>
      void response.setHeader('content-type', 'text/html').end('<html>Sign in</html>\n'),
    'a body that unpacks to 64 MiB': ({ headers }, response) => {
      assert.match(headers['accept-encoding'] ?? '', /gzip/);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    },
    'no HTTP': (_, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
    ...Object.fromEntries([429, 500, 503].map((status) => [`status ${status}`, refuse(status)])),
    ...Object.fromEntries(
      [301, 302, 303, 307, 308].map((status) => [`redirect ${status}`, redirect(status)]),
    ),
  };
};
