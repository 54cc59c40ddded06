// Records every exchange of the server but those with the control addresses and those of the console's pages.
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { isConsolePath, isControlPath, isSpacePath, readUrl } from '../control-path.js';
import { blankHeader } from './blank-secrets.js';
import { CollectedBody } from './collect-body.js';
import type { Exchange, RecordedHeader } from './exchange.js';
import type { ExchangeLog } from './exchange-log.js';

/** Records the exchanges of a server from now on, without those of spaces, which have records of their own. */
export function recordExchanges(server: Server, log: ExchangeLog): void {
  // Before the service: it refuses some requests before any of its hooks.
  server.prependListener('request', (request, response) => {
    if (!isSpacePath(readUrl(request))) recordExchange(log, request, response);
  });
}

/** Records one exchange, which begins. */
export function recordExchange(
  log: ExchangeLog,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = readUrl(request);
  if (!isControlPath(url) && !isConsolePath(url)) record(log, request, response);
}

function record(log: ExchangeLog, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const sent = { headers: readHeaders(request.rawHeaders) };
  const exchange: Exchange = {
    startedAt: new Date().toISOString(),
    method: request.method ?? '',
    url: request.url ?? '',
    httpVersion: request.httpVersion,
    request: sent,
  };
  log.add(exchange, request);
  const requestBody = collectRequest(request);
  const responseBody = new CollectedBody();
  const written = collectHead(response);
  let isComplete = false;
  const complete = () => {
    if (isComplete) return;
    isComplete = true;
    const body = requestBody.read();
    const responded = responseBody.read();
    log.complete(exchange, {
      durationMs: Math.round(performance.now() - startedAt),
      request: { ...sent, ...(body && { body }) },
      ...(response.headersSent && {
        response: {
          status: response.statusCode,
          headers: listHeaders({ ...response.getHeaders(), ...written }),
          ...(responded && { body: responded }),
        },
      }),
    });
  };
  response.once('close', complete);
  collectResponse(response, responseBody, complete);
}

/** Collects what the parser hands over, whoever reads it and whether or not anybody does. */
function collectRequest(raw: IncomingMessage): CollectedBody {
  const body = new CollectedBody();
  const push = raw.push.bind(raw);
  raw.push = (chunk: unknown, encoding?: BufferEncoding) => {
    body.add(chunk, encoding);
    return push(chunk, encoding);
  };
  return body;
}

/** Collects what is written. The exchange is complete before the client can have received the end of it. */
function collectResponse(
  response: ServerResponse,
  body: CollectedBody,
  complete: () => void,
): void {
  // The casts are true because the arguments are handed on unchanged.
  const write = response.write.bind(response) as (...sent: unknown[]) => boolean;
  const end = response.end.bind(response) as (...sent: unknown[]) => ServerResponse;
  response.write = ((...sent: unknown[]) => {
    body.add(sent[0], sent[1]);
    return write(...sent);
  }) as typeof response.write;
  response.end = ((...sent: unknown[]) => {
    body.add(sent[0], sent[1]);
    const ended = end(...sent);
    complete();
    return ended;
  }) as typeof response.end;
}

function readHeaders(raw: readonly string[]): RecordedHeader[] {
  const headers: RecordedHeader[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    headers.push({ name, value: blankHeader(name, raw[index + 1] ?? '') });
  }
  return headers;
}

/**
 * Collects the headers that are written with the status: they are not among those of the response, unless others were set
 * before.
 */
function collectHead(response: ServerResponse): OutgoingHttpHeaders {
  const written: OutgoingHttpHeaders = {};
  // The casts are true because the arguments are handed on unchanged.
  const writeHead = response.writeHead.bind(response) as (...sent: unknown[]) => ServerResponse;
  response.writeHead = ((...sent: unknown[]) => {
    const given = sent.at(-1);
    if (Array.isArray(given)) {
      for (let index = 0; index + 1 < given.length; index += 2) {
        written[String(given[index]).toLowerCase()] = given[index + 1];
      }
    } else if (typeof given === 'object' && given !== null) {
      for (const [name, value] of Object.entries(given)) written[name.toLowerCase()] = value;
    }
    return writeHead(...sent);
  }) as typeof response.writeHead;
  return written;
}

function listHeaders(headers: OutgoingHttpHeaders): RecordedHeader[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => ({ name, value: blankHeader(name, String(one)) })),
  );
}
