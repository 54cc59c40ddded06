// Retention in the background: every server polls whether events are past their time.
import type { Database } from '../database/database.js';
import { expireStep } from './expire-events.js';

/** How often is polled, in milliseconds. */
const POLL_INTERVAL_MS = 60_000;

/** Pause between two steps, so that publishers come in between, in milliseconds. */
const PAUSE = 20;

/** How long events are kept, and up to where they may go. */
export type Retention = {
  /** In milliseconds. */
  age: number;
  now: () => number;
  /** The last position that everybody has who must have it. */
  upTo: () => Promise<number>;
};

/**
 * Starts it.
 *
 * @param failed is given what went wrong; it is tried again at the next poll
 * @returns how to end it; resolves when nothing is under way
 */
export function startRetention(
  database: Database,
  { age, now, upTo }: Retention,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    try {
      for (let more = true; more && !ended; ) {
        ({ more } = await expireStep(database, new Date(now() - age), await upTo()));
        if (more) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    } catch (error) {
      failed(error);
    }
    if (!ended) timer = setTimeout(again, POLL_INTERVAL_MS).unref();
  };
  const again = () => {
    looking = look();
  };
  again();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await looking;
  };
}
