// Receives the entries of a feed after a marker, each once, until the signal aborts: through lost connections, ended
// tokens and servers that restart.
import type { Connection } from '../connection/connection.js';
import { ApiError } from '../errors/api-error.js';
import { ConnectionError, TimeoutError } from '../errors/connection-error.js';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import { MarkerExpiredError } from '../errors/marker-expired-error.js';
import { DEFAULT_RETRY, isTemporary, pause, pauseAfter } from '../http/retry.js';
import type { Feed, FeedStart } from './feed.js';
import { type FollowMode, ModeChoice, ModeUnsupportedError } from './follow-mode.js';
import type { ReceivingOptions } from './follow-options.js';
import { FeedReader } from './read-entries.js';

/** A stream that ends earlier, even in order, counts as a failure, in milliseconds. */
const MIN_STREAM_MS = 1_000;

/**
 * Entries as they arrive, in order: first what the feed has, then new ones.
 *
 * @throws MarkerExpiredError
 * @throws what the first request throws; later, only errors that do not pass
 */
export async function* receiveEntries<Entry>(
  connection: Connection,
  feed: Feed<Entry>,
  start: FeedStart,
  options: ReceivingOptions & {
    /** Whether the service has responded already, so that only errors that do not pass are thrown. */
    isConnected?: boolean | undefined;
  },
): AsyncGenerator<Entry[], void, undefined> {
  const { signal, onStateChange } = options;
  const reader = new FeedReader(connection, feed, options);
  const modes = new ModeChoice(options.modes, options.upgradeAfterMs);
  let from = start;
  let { isConnected = false } = options;
  let isAtEnd = false;
  let failures = 0;
  let reported: FollowMode | undefined;
  while (!signal?.aborted) {
    // At the end of the feed only: so a mode that fails is not mistaken for a service that is away.
    const mode: FollowMode | undefined = isAtEnd ? modes.choose() : undefined;
    if (mode !== undefined && mode !== reported) onStateChange({ state: 'live', mode });
    if (mode !== undefined) reported = mode;
    const begun = performance.now();
    let isSilent = true;
    try {
      const reading =
        mode === undefined
          ? reader.pages(from, isConnected ? { retry: false } : {})
          : reader.live(mode, from);
      for await (const entries of reading) {
        isConnected = true;
        isSilent = false;
        // A mode that works for longer than it takes to notice that it does not.
        if (mode !== undefined && performance.now() - begun > options.silenceMs) modes.worked();
        const last = entries.at(-1);
        const reached = last && feed.markerOf(last);
        if (reached !== undefined || mode !== undefined) failures = 0;
        if (reached === undefined) continue;
        from = { marker: reached, timeline: reader.timeline };
        yield entries;
      }
      // What follows a stream is read as pages; the other modes end at the end of the feed themselves.
      isAtEnd = mode !== 'events';
      if (mode === 'events' && performance.now() - begun < MIN_STREAM_MS) {
        throw new ConnectionError('the stream of events ended at once');
      }
      if (mode !== undefined) modes.worked();
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ApiError && error.has('MARKER_EXPIRED')) {
        const end = await feed.findEnd?.(connection, signal).catch(() => undefined);
        throw new MarkerExpiredError(from.marker, end, error);
      }
      if (!isConnected || !isRecoverable(error)) throw error;
      isAtEnd = false;
      failures += 1;
      const delayMs = pauseAfter(failures, error, DEFAULT_RETRY);
      const isUnsupported = error instanceof ModeUnsupportedError;
      if (mode !== undefined) {
        modes.failed(isUnsupported || (isSilent && error instanceof TimeoutError));
      }
      if (!isUnsupported && reported !== undefined) {
        onStateChange({ state: 'lost', error, delayMs });
        reported = undefined;
      }
      // It only rejects when the signal aborts, which the loop checks.
      await pause(delayMs, signal).catch(() => undefined);
    }
  }
}

/** Whether a restart of the service or a bad connection explains the error. */
function isRecoverable(error: unknown): boolean {
  if (error instanceof ApiError && error.status >= 500) return true;
  return (
    isTemporary(error) ||
    error instanceof UnexpectedResponseError ||
    error instanceof ModeUnsupportedError
  );
}
