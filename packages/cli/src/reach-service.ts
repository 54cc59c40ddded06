// One HTTP exchange: an answer is what was asked for, or an error that says in a line what went wrong.
import { CommandFailedError, codeOf } from './exit.js';
import { refusalOf } from './service-refused-error.js';

/** How long an answer may take, in milliseconds. */
const ANSWER_LIMIT = 30_000;

/** Nothing answers, or it takes too long. */
export class UnreachableError extends CommandFailedError {
  override readonly code = 'UNREACHABLE';
  override name = 'UnreachableError';
}

/** A request as `fetch` takes it, and how much longer than usual its answer may take, in seconds. */
export type Exchange = RequestInit & { wait?: number };

/**
 * Sends a request.
 *
 * @throws UnreachableError when no answer comes
 */
export async function reach(url: string, { wait = 0, ...request }: Exchange): Promise<Response> {
  try {
    return await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_LIMIT + wait * 1000),
      ...request,
    });
  } catch (error) {
    throw new UnreachableError(explain(error, new URL(url).origin));
  }
}

/** As `reach`; an answer other than 2xx is an error. */
export async function reachOrRefuse(url: string, exchange: Exchange): Promise<Response> {
  const response = await reach(url, exchange);
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** The whole body of an answer. */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new UnreachableError(explain(error, new URL(response.url).origin));
  }
}

/** Whether more may follow after this page (RFC 8288). */
export function hasNextPage(response: Response): boolean {
  return /rel="?next"?/.test(response.headers.get('link') ?? '');
}

function explain(error: unknown, origin: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `${origin} does not answer in time`;
  }
  // What fetch throws says only that it failed; its cause says why.
  const reason = error instanceof Error ? (codeOf(error.cause) ?? error.message) : String(error);
  return `nothing answers at ${origin} (${reason}); is the playground running? Start it: landfall playground`;
}
