// Calls an operation of the service with the cached customs token, or a new one.
import type { Operation } from '@landfall/contract';
import { obtainCustomsToken } from './access-token.js';
import type { Session } from './credentials.js';
import { type Exchange, reach } from './reach-service.js';
import { readRefusal } from './service-refused-error.js';
import { cacheToken, dropToken, readCachedToken } from './token-cache.js';

/** The parameters and options of a call. */
export type Call = {
  /** Values for each `{name}` in the path. */
  parameters?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Text, or a stream of bytes, which can be sent only once. */
  body?: string | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
  /** How long the service may hold the response back, in seconds; extends the timeout. */
  wait?: number;
};

/**
 * Calls an operation.
 *
 * @throws ServiceRefusedError when the status is not 2xx, UnreachableError when there is no response
 */
export async function callService(
  session: Session,
  operation: Pick<Operation, 'method' | 'path'>,
  call: Call = {},
): Promise<Response> {
  const cached = await readCachedToken(session, Date.now());
  let response = await send(session, operation, call, cached ?? (await newToken(session)));
  if (response.status === 401 && cached !== undefined) {
    // The service may have been restarted with other keys since the token was cached.
    await dropToken(session);
    response = await send(session, operation, call, await newToken(session));
  }
  if (!response.ok) throw await readRefusal(response);
  return response;
}

/** Obtains a token with all scopes of the identity and caches it for the next command. */
async function newToken(session: Session): Promise<string> {
  const requestedAt = Date.now();
  const scope = session.credentials.scopes.join(' ');
  const { access_token, expires_in } = await obtainCustomsToken(session, scope);
  await cacheToken(session, access_token, requestedAt + expires_in * 1000);
  return access_token;
}

function send(
  session: Session,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  { parameters = {}, query = {}, headers = {}, body, signal, wait }: Call,
  token: string,
): Promise<Response> {
  const exchange: Exchange = {
    method,
    headers: { ...headers, Authorization: `Bearer ${token}` },
    ...bodyOf(body),
    ...(signal === undefined ? {} : { signal }),
    ...(wait === undefined ? {} : { wait }),
  };
  return reach(session, `${session.baseUrl}${fill(path, parameters)}${queryText(query)}`, exchange);
}

/** fetch requires `duplex: 'half'` for a streamed body; Node.js still sends it while the response is read. */
function bodyOf(body: Call['body']): Pick<Exchange, 'body' | 'duplex'> {
  if (body === undefined) return {};
  return typeof body === 'string' ? { body } : { body, duplex: 'half' };
}

function fill(path: string, parameters: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
}

function queryText(query: Record<string, string | number | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}
