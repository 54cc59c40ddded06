// Waits until the goods of a transport may be unloaded.
import type { Connection } from '../connection/connection.js';
import { inMode } from '../connection/in-mode.js';
import type { ModeName } from '../contract/modes.js';
import type { EntryStatus } from '../contract/types.js';
import { EntryPendingError } from '../errors/entry-pending-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { onAbort } from '../http/on-abort.js';
import { pause } from '../http/retry.js';
import { getEntryStatus } from '../operations/operations.js';

/** The longest delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 0x7fffffff;

/** How long the service holds a response back, in seconds. */
const WAIT_SECONDS = 20;

/** The shortest time between two requests, if the service does not hold responses back, in milliseconds. */
const MIN_INTERVAL_MS = 1000;

/** The service may limit requests, and restart in the meantime. */
const RETRY = { maxAttempts: Number.POSITIVE_INFINITY, maxElapsedMs: 120_000 };

/** Options of waiting for an entry. */
export type WaitForEntryOptions = {
  /** Aborts the wait, which throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds, 2,147,483,647 at most; default: until the signal aborts. */
  withinMs?: number | undefined;
  /** Is called with the first status, and with each whose reasons are others than before. */
  onStatus?: ((status: EntryStatus) => void) | undefined;
};

/**
 * Waits until the goods of a transport may be unloaded.
 *
 * @param mrn of a transport that the caller has lodged, or that names it as representative or carrier
 * @returns the status, with `validEntry: true`. A later decision can turn it
 * @throws EntryPendingError when `withinMs` is over: it has the last status
 * @throws ApiError with status 404 for an MRN that is unknown, or of others
 * @throws the reason of `signal` when it aborts
 * @example
 * const { timeOfEntry } = await waitForEntry(connection, 'road', mrn, { withinMs: 3_600_000 });
 */
export async function waitForEntry(
  connection: Connection,
  mode: ModeName,
  mrn: string,
  { signal, withinMs, onStatus }: WaitForEntryOptions = {},
): Promise<EntryStatus> {
  if (withinMs !== undefined && !(withinMs >= 0 && withinMs <= MAX_TIMER_MS)) {
    throw new ConfigurationError(`withinMs must be from 0 to ${MAX_TIMER_MS}`);
  }
  signal?.throwIfAborted();
  const stop = new AbortController();
  const forget = onAbort(signal, () => stop.abort(signal?.reason));
  const over = new Error('the time is over');
  const timer = withinMs === undefined ? undefined : setTimeout(() => stop.abort(over), withinMs);
  let last: EntryStatus | undefined;
  try {
    for (;;) {
      const begun = performance.now();
      const status = await connection.call(
        getEntryStatus,
        { parameters: { ...inMode(mode), mrn } },
        // The first one says at once how it stands, or why it cannot be read.
        last === undefined
          ? { signal: stop.signal }
          : { signal: stop.signal, retry: RETRY, waitSeconds: WAIT_SECONDS },
      );
      if (last === undefined || isOther(status, last)) onStatus?.(status);
      if (status.validEntry) return status;
      const isFirst = last === undefined;
      last = status;
      const tookMs = Math.max(0, performance.now() - begun);
      if (!isFirst && tookMs < MIN_INTERVAL_MS) await pause(MIN_INTERVAL_MS - tookMs, stop.signal);
    }
  } catch (error) {
    if (error !== over) throw error;
    throw new EntryPendingError(withinMs ?? 0, last);
  } finally {
    clearTimeout(timer);
    forget();
  }
}

const isOther = (status: EntryStatus, last: EntryStatus): boolean =>
  status.reasons?.join() !== last.reasons?.join();
