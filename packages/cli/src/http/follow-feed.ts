// Follows a feed by server-sent events; after a lost connection it resumes after the last entry.
import { setTimeout as delay } from 'node:timers/promises';
import type { Operation } from '@landfall/contract';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { CommandFailedError } from '../process/exit.js';
import { callService } from './call-service.js';
import type { Session } from './credentials.js';
import { UnreachableError } from './reach-service.js';
import { ServiceRefusedError } from './service-refused-error.js';

const RECONNECT_DELAY_MS = 2000;

/** The feed, the marker to start after, when to stop, and the callback for lost connections. */
type FollowOptions = {
  operation: Operation;
  marker: string | undefined;
  signal: AbortSignal;
  /** Called once for each lost connection. */
  onLost: (reason: string) => void;
};

/**
 * Yields each entry once, until `signal` aborts.
 *
 * @throws ServiceRefusedError, and UnreachableError when the first connection fails
 */
export async function* followFeed(
  session: Session,
  { operation, marker, signal, onLost }: FollowOptions,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  let last = marker;
  let state: 'connecting' | 'connected' | 'lost' = 'connecting';
  const lose = (reason: string) => {
    // Reported once, however many attempts reconnecting takes.
    if (state !== 'lost') onLost(reason);
    state = 'lost';
  };
  while (!signal.aborted) {
    try {
      const events = await connect(session, operation, last, signal);
      state = 'connected';
      for await (const event of events) {
        last = event.id ?? last;
        yield event;
      }
      lose('the service ended the stream');
    } catch (error) {
      if (signal.aborted) return;
      if (state === 'connecting' || !isTemporary(error)) throw error;
      lose(error instanceof CommandFailedError ? error.message : 'the connection was lost');
    }
    // The delay only rejects when the signal aborts, which the loop checks.
    await delay(RECONNECT_DELAY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function connect(
  session: Session,
  operation: Operation,
  last: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<EventSourceMessage>> {
  const { body } = await callService(session, operation, {
    headers: {
      Accept: 'text/event-stream',
      ...(last === undefined ? {} : { 'Last-Event-ID': last }),
    },
    signal,
  });
  const bytes = body ?? new Blob([]).stream();
  return bytes.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}

/** Whether a restart of the service or a bad connection explains the error. fetch throws TypeError. */
function isTemporary(error: unknown): boolean {
  if (error instanceof ServiceRefusedError) return error.status === 429 || error.status >= 500;
  return error instanceof UnreachableError || error instanceof TypeError;
}
