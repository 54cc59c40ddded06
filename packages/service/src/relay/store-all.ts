// Stores messages in a stream in order, without waiting for each acknowledgement.
import { messageOf } from '../native-error.js';
import { FullSubjectError, type NewMessage, type RelayStream } from './jetstream.js';

/** Maximum number of messages that NATS has not acknowledged yet. */
const MAX_IN_FLIGHT = 256;

/** What was stored; not all only after the signal, or before a message whose subject is full. */
export type Stored = {
  stored: number;
  /** Why the next one was not: its subject is full. */
  full?: Error;
};

/**
 * Stores messages directly after the one with a sequence number. When one fails, those after it fail too, because each
 * requires the one before it. The first failure is thrown when no request is in flight any more.
 */
export async function storeAll(
  stream: RelayStream,
  messages: readonly NewMessage[],
  sequence: number,
  signal: AbortSignal,
): Promise<Stored> {
  const inFlight: Promise<unknown>[] = [];
  let failure: { at: number; error: Error } | undefined;
  let sent = 0;
  for (const message of messages) {
    if (failure !== undefined || signal.aborted) break;
    const { marker, entry } = message;
    const at = sent;
    inFlight.push(
      stream.store(message, sequence + at).catch((cause: unknown) => {
        if (failure !== undefined && failure.at < at) return;
        const bytes = Buffer.byteLength(entry);
        const what = `entry ${marker} of ${bytes} bytes was not stored: ${messageOf(cause)}`;
        failure = { at, error: new Error(what, { cause }) };
      }),
    );
    sent++;
    if (inFlight.length >= MAX_IN_FLIGHT) await inFlight.shift();
  }
  await Promise.all(inFlight);
  if (failure === undefined) return { stored: sent };
  const { at, error } = failure;
  if (!(error.cause instanceof FullSubjectError)) throw error;
  return { stored: at, full: error };
}
