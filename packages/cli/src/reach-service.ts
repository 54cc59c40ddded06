// One HTTP exchange: an answer is what was asked for, or an error that says in a line what went wrong.
import type { Session } from './credentials.js';
import { CommandFailedError, codeOf } from './exit.js';
import { nextCommand } from './next-command.js';

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
export async function reach(
  { dataFolder }: Pick<Session, 'dataFolder'>,
  url: string,
  { wait = 0, ...request }: Exchange,
): Promise<Response> {
  try {
    return await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_LIMIT + wait * 1000),
      ...request,
    });
  } catch (error) {
    const command = nextCommand(['playground'], { data: dataFolder });
    throw new UnreachableError(
      `nothing answers at ${new URL(url).origin} (${reasonOf(error)}); if the playground is not running, start it: ${command}`,
    );
  }
}

/** The whole body of an answer. */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new UnreachableError(`the answer of ${response.url} broke off (${reasonOf(error)})`);
  }
}

/** Whether more may follow after this page (RFC 8288). */
export function hasNextPage(response: Response): boolean {
  return /rel="?next"?/.test(response.headers.get('link') ?? '');
}

/** The marker of the page that follows, if there is one. */
export function nextMarker(response: Response): string | undefined {
  const address = /<([^>]*)>;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1];
  if (address === undefined || !URL.canParse(address)) return undefined;
  return new URL(address).searchParams.get('marker') ?? undefined;
}

/** What fetch throws says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  return codeOf(cause) ?? (cause instanceof Error ? cause.message : error.message);
}
