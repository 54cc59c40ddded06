// A key that another transaction is about to take or to free, for longer than it is waited for.
import { setTimeout as delay } from 'node:timers/promises';
import { isLockTimeout } from '../database/errors.js';
import { HeldError } from '../feed/transact-on-feeds.js';

/** After how long it is tried again, in milliseconds. */
const AGAIN_MS = 200;

/** Another transaction holds the key of one of the messages. It is not known of which. */
class KeyHeldError extends HeldError {
  override readonly held: ReadonlySet<number> = new Set();

  constructor() {
    super('another transaction holds the key of a message');
  }

  override wait(): Promise<void> {
    return delay(AGAIN_MS);
  }
}

/**
 * The rows of a statement that writes keys.
 *
 * @throws KeyHeldError
 */
export async function writeKeys<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows;
  } catch (error) {
    throw isLockTimeout(error) ? new KeyHeldError() : error;
  }
}
