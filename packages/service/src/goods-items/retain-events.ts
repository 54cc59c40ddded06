// Retention in the background: every server polls for expired events.
import type { Database } from '../database/database.js';
import { expireStep } from './expire-events.js';

/** How often each server polls, in milliseconds. */
const POLL_INTERVAL_MS = 60_000;

/** The pause between two steps, in which publishers can commit, in milliseconds. */
const PAUSE_MS = 20;

/** How long events are kept, and up to which position they may be removed. */
export type Retention = {
  /** In milliseconds. */
  age: number;
  now: () => number;
  /** Later positions are kept, whatever their age. */
  upTo: () => Promise<number>;
};

/**
 * Starts retention.
 *
 * @param failed takes the error of a step, which is tried again at the next poll
 * @returns `expire` removes now what has expired; `end` ends retention and resolves when no step is in progress
 */
export function startRetention(
  database: Database,
  { age, now, upTo }: Retention,
  failed: (error: unknown) => void,
): { expire(): Promise<void>; end(): Promise<void> } {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  const expire = async () => {
    for (let more = true; more && !ended; ) {
      ({ more } = await expireStep(database, new Date(now() - age), await upTo()));
      if (more) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const poll = async () => {
    try {
      await expire();
    } catch (error) {
      failed(error);
    }
    if (!ended) timer = setTimeout(startPoll, POLL_INTERVAL_MS).unref();
  };
  const startPoll = () => {
    polling = poll();
  };
  startPoll();
  return {
    expire,
    end: async () => {
      ended = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
