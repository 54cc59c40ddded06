// Reads what an identity provider publishes: without redirects, up to a size and a time.
import { readBounded } from '../files/read-bounded.js';
import { codeOf, isError } from '../native-error.js';

/** How long the provider may take to send it, in milliseconds. */
const TIMEOUT_MS = 5000;

/** The maximum size, in bytes. */
const MAX_SIZE = 256 * 1024;

/** Statuses of a provider, or of a proxy before it, that is overloaded, restarting or away. */
const AWAY = [429, 502, 503, 504];

/** The response has no status of success. */
class RemoteStatusError extends Error {
  override name = 'RemoteStatusError';
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} responded with ${status}`);
    this.status = status;
  }
}

/**
 * Reads JSON from an address that the operator configured: a response must not redirect to another one.
 *
 * @param what the response, for the error when it is too large
 * @throws the errors of `fetch` and of reading, of which `isAway` tells some apart
 */
export async function readRemoteJson(url: string, what: string): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { headers, redirect: 'error', signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new RemoteStatusError(url, response.status);
  }
  return JSON.parse(await readBounded(response, what, MAX_SIZE, signal));
}

/**
 * Whether an error of `readRemoteJson` says that there was no complete response, or one of a server that is overloaded: later
 * there may be another. Any other response, such as a redirect or a page of HTML, stays what it is.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof RemoteStatusError) return AWAY.includes(error.status);
  if (!isError(error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  // `fetch` fails with a cause: that of a redirect has no code, and that of a response that is not HTTP one of the parser.
  const code = codeOf(error.cause);
  return code !== undefined && !code.startsWith('HPE_');
}
