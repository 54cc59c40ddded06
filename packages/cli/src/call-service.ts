// Calls an operation of the service as somebody: with the kept customs token, or a new one.
import type { Operation } from '@landfall/contract';
import { obtainCustomsToken } from './access-token.js';
import type { Session } from './credentials.js';
import { type Exchange, reach } from './reach-service.js';
import { refusalOf } from './service-refused-error.js';
import { dropToken, keepToken, readKeptToken } from './token-cache.js';

/** What goes with a call. */
export type Call = {
  /** What stands for the `{name}`s of the path. */
  parameters?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** A text, or bytes as they come, which can be sent once. */
  body?: string | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
  /** How long the service was asked to hold its answer back, in seconds. */
  wait?: number;
};

/**
 * Calls an operation.
 *
 * @param operation from the contract's table
 * @throws ServiceRefusedError when the answer is not 2xx, UnreachableError when there is none
 */
export async function callService(
  session: Session,
  operation: Pick<Operation, 'method' | 'path'>,
  call: Call = {},
): Promise<Response> {
  const kept = await readKeptToken(session, Date.now());
  let response = await send(session, operation, call, kept ?? (await newToken(session)));
  if (response.status === 401 && kept !== undefined) {
    // The service may have been started anew, with other keys, since the token was kept.
    await dropToken(session);
    response = await send(session, operation, call, await newToken(session));
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** A new token with all that the identity may have, kept for the next command. */
async function newToken(session: Session): Promise<string> {
  const asked = Date.now();
  const scope = session.credentials.scopes.join(' ');
  const { access_token, expires_in } = await obtainCustomsToken(session, scope);
  await keepToken(session, access_token, asked + expires_in * 1000);
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

/** A body that comes bit by bit is sent while the answer is read, whatever fetch calls it. */
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
