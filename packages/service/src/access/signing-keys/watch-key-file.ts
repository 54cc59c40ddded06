// Polls a key file, and logs each unusable change once.
import { stat } from 'node:fs/promises';
import { messageOf } from '../../native-error.js';

/** How often the file is polled, in milliseconds: a withdrawn key is refused after this time. */
export const POLL_INTERVAL_MS = 5000;

/** Takes a sentence for the log; nothing secret is in it. */
export type Warn = (sentence: string) => void;

/** Polls a file until it is stopped. `poll` may be called at any time. */
export type KeyFileWatch = { poll(): Promise<void>; stop(): void };

/**
 * Starts polling. An unusable file does not remove the keys that were read before, but the operator must be informed
 * that a rotation did not take effect.
 *
 * @param reload reads the file; its errors must not quote the file
 */
export function watchKeyFile(path: string, reload: () => Promise<void>, warn: Warn): KeyFileWatch {
  let reported: string | undefined;
  const poll = async () => {
    try {
      await reload();
      reported = undefined;
    } catch (error) {
      const reason = messageOf(error);
      const change = `${await versionOf(path)} ${reason}`;
      if (change === reported) return;
      reported = change;
      warn(`the signing keys that were read before are still in use: ${reason}`);
    }
  };
  const timer = setInterval(poll, POLL_INTERVAL_MS);
  timer.unref();
  return { poll, stop: () => clearInterval(timer) };
}

/** A text that differs after each change of the file. */
async function versionOf(path: string): Promise<string> {
  // A missing file is one of the states.
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 'missing' : `${found.ino} ${found.mtimeMs} ${found.size}`;
}
