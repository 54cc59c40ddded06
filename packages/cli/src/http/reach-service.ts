// One HTTP exchange, with errors that say in one line what went wrong.

import { nextCommand } from '../output/next-command.js';
import { CommandFailedError, codeOf } from '../process/exit.js';
import type { Session } from './credentials.js';

/** How long a response may take. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** There is no response, or it takes too long. */
export class UnreachableError extends CommandFailedError {
  override readonly code = 'UNREACHABLE';
  override name = 'UnreachableError';
}

/** A request for `fetch`, and how many seconds to add to the timeout. */
export type Exchange = RequestInit & { wait?: number };

/**
 * Sends a request.
 *
 * @throws UnreachableError when there is no response
 */
export async function reach(
  { dataFolder }: Pick<Session, 'dataFolder'>,
  url: string,
  { wait = 0, ...request }: Exchange,
): Promise<Response> {
  try {
    return await fetch(url, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS + wait * 1000),
      ...request,
    });
  } catch (error) {
    const command = nextCommand(['playground'], { data: dataFolder });
    throw new UnreachableError(
      `cannot reach ${new URL(url).origin} (${reasonOf(error)}); if the playground is not running, start it: ${command}`,
    );
  }
}

/** Reads the whole body of a response. */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new UnreachableError(
      `the connection was lost during the response of ${response.url} (${reasonOf(error)})`,
    );
  }
}

/** The query of the next page, from the `Link` header (RFC 8288); undefined on the last page. */
export function nextPageQuery(response: Response): URLSearchParams | undefined {
  const address = /<([^>]*)>[^,]*;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1];
  if (address === undefined || !URL.canParse(address, response.url)) return undefined;
  return new URL(address, response.url).searchParams;
}

/** The reason why fetch failed, which is in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  return codeOf(cause) ?? (cause instanceof Error ? cause.message : error.message);
}
