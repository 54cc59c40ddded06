// Follows a feed as it grows, and goes on after the last entry when the connection is lost.
import { setTimeout as delay } from 'node:timers/promises';
import type { Operation } from '@landfall/contract';
import { callService } from './call-service.js';
import type { Session } from './credentials.js';
import { readEvents, type StreamEvent } from './event-stream.js';
import { CommandFailedError } from './exit.js';
import { UnreachableError } from './reach-service.js';
import { ServiceRefusedError } from './service-refused-error.js';

/** How long to wait before connecting again, in milliseconds. */
const PAUSE = 2000;

/** What to follow: which feed, after which marker, until when, and who is told of lost connections. */
type Following = {
  operation: Operation;
  marker: string | undefined;
  signal: AbortSignal;
  tellLost: (why: string) => void;
};

/**
 * Yields each entry once, until `signal` aborts.
 *
 * @throws ServiceRefusedError, and UnreachableError when not even the first connection succeeds
 */
export async function* followFeed(
  session: Session,
  { operation, marker, signal, tellLost }: Following,
): AsyncGenerator<StreamEvent, void, undefined> {
  let last = marker;
  let state: 'connecting' | 'connected' | 'lost' = 'connecting';
  const lose = (why: string) => {
    // Told once for each loss, however many attempts it takes to come back.
    if (state !== 'lost') tellLost(why);
    state = 'lost';
  };
  while (!signal.aborted) {
    try {
      const response = await connect(session, operation, last, signal);
      state = 'connected';
      for await (const event of readEvents(response.body ?? emptyStream())) {
        last = event.id ?? last;
        yield event;
      }
      lose('the service ended the stream');
    } catch (error) {
      if (signal.aborted) return;
      if (state === 'connecting' || !mayPass(error)) throw error;
      lose(error instanceof CommandFailedError ? error.message : 'the connection was lost');
    }
    // It only ends early, because the caller has aborted: the loop sees that.
    await delay(PAUSE, undefined, { signal }).catch(() => undefined);
  }
}

function connect(
  session: Session,
  operation: Operation,
  last: string | undefined,
  signal: AbortSignal,
) {
  return callService(session, operation, {
    headers: {
      Accept: 'text/event-stream',
      ...(last === undefined ? {} : { 'Last-Event-ID': last }),
    },
    signal,
  });
}

/** What a restart or a bad connection explains: no answer, a stream that breaks off, a service that is busy. */
function mayPass(error: unknown): boolean {
  if (error instanceof ServiceRefusedError) return error.status === 429 || error.status >= 500;
  return error instanceof UnreachableError || error instanceof TypeError;
}

async function* emptyStream(): AsyncGenerator<Uint8Array, void, undefined> {}
