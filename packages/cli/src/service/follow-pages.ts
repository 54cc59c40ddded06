// Follows a feed page by page, waiting at the service for entries; after a lost connection it resumes after the last.
import { setTimeout as delay } from 'node:timers/promises';
import {
  ApiError,
  ConnectionError,
  type Page,
  type RequestOptions,
  TimeoutError,
} from '@landfall/client';

const RECONNECT_DELAY_MS = 2000;

/** How long the service holds an empty page back, in seconds. */
const WAIT_SECONDS = 50;

/** A feed: how to read the page after a marker, and the marker of an entry. */
type Feed<Entry> = {
  read: (marker: string | undefined, options: RequestOptions) => Promise<Page<Entry, unknown>>;
  markerOf: (entry: Entry) => string;
};

/**
 * Yields each entry once, until `signal` aborts.
 *
 * @param options `onLost` is called once for each lost connection
 * @throws the errors of the client; those of the connection only before the first page
 */
export async function* followPages<Entry>(
  { read, markerOf }: Feed<Entry>,
  {
    marker,
    signal,
    onLost,
  }: { marker: string | undefined; signal: AbortSignal; onLost: (reason: string) => void },
): AsyncGenerator<Entry, void, undefined> {
  let last = marker;
  let state: 'connecting' | 'connected' | 'lost' = 'connecting';
  while (!signal.aborted) {
    try {
      const waitSeconds = state === 'connected' ? WAIT_SECONDS : 0;
      const { entries } = await read(last, { signal, waitSeconds, retry: false });
      state = 'connected';
      for (const entry of entries) {
        yield entry;
        last = markerOf(entry);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (state === 'connecting' || !isTemporary(error)) throw error;
      // Reported once, however many attempts reconnecting takes.
      if (state !== 'lost') onLost(error.message);
      state = 'lost';
      // The delay only rejects when the signal aborts, which the loop checks.
      await delay(RECONNECT_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Whether a restart of the service or a bad connection explains the error. */
function isTemporary(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
