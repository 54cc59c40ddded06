// Options of following.
import { ConfigurationError } from '../errors/landfall-error.js';
import type { FeedStart } from './feed.js';
import type { FollowMode } from './follow-mode.js';
import type { MarkerStore } from './marker-store.js';

/** What a follower does: for logs and notices. */
export type FollowState =
  /** Every entry until now has been handed out; new ones are received in this mode. */
  | { state: 'live'; mode: FollowMode }
  /** The connection was lost; the next attempt begins after the delay. */
  | { state: 'lost'; error: unknown; delayMs: number };

/** Options of following a feed. */
export type FollowOptions = {
  /** Keeps the marker of the last processed entry; default: as long as the object lives. */
  store?: MarkerStore | undefined;
  /** Where to start if the store has no marker: after this entry. Default: from the beginning. */
  marker?: string | undefined;
  /**
   * In place of `marker`: start with the first entry that was added at this time or later. Before a time in the future,
   * nothing is handed out.
   */
  since?: Date | undefined;
  /** Ends the loop without an error when it aborts. The marker of the entry in hand is saved if its turn of the loop ends. */
  signal?: AbortSignal | undefined;
  /** Called when the state changes. It must not throw. */
  onStateChange?: ((state: FollowState) => void) | undefined;
  /** The ways to receive new entries, the preferred one first; default `['events', 'wait', 'poll']`. */
  modes?: readonly FollowMode[] | undefined;
  /**
   * A connection that is silent for so long is dead, in milliseconds; default 25,000. The service sends a sign of life
   * every 15,000.
   */
  silenceMs?: number | undefined;
  /** How long a request of the mode `wait` waits, in seconds, 60 at most; default 20. */
  waitSeconds?: number | undefined;
  /** The interval of the mode `poll`, in milliseconds; default 5,000. */
  pollIntervalMs?: number | undefined;
  /** When the preferred mode is tried again after it failed, in milliseconds; default 300,000. */
  upgradeAfterMs?: number | undefined;
};

/**
 * Where the options say to start.
 *
 * @throws ConfigurationError if `since` is no time
 */
export function startOf({ marker, since }: Pick<FollowOptions, 'marker' | 'since'>): FeedStart {
  if (since !== undefined && Number.isNaN(since.getTime())) {
    throw new ConfigurationError('since must be a time');
  }
  return { marker, since: since?.toISOString() };
}

/** The options of receiving, with their defaults. */
export function receivingOptions({
  signal,
  onStateChange = () => undefined,
  modes = ['events', 'wait', 'poll'],
  silenceMs = 25_000,
  waitSeconds = 20,
  pollIntervalMs = 5_000,
  upgradeAfterMs = 300_000,
}: FollowOptions) {
  return {
    signal,
    onStateChange,
    modes,
    silenceMs,
    waitSeconds,
    pollIntervalMs,
    upgradeAfterMs,
  };
}

export type ReceivingOptions = ReturnType<typeof receivingOptions>;
