// Looks at a key file again and again, and tells once of each change that cannot be used.
import { stat } from 'node:fs/promises';

/** How often the file is polled, in milliseconds: a key that is withdrawn at once is refused within these. */
const POLL_INTERVAL_MS = 5000;

/** Takes a sentence for the log; nothing secret is in it. */
export type Warn = (sentence: string) => void;

/** Looks at a file until it is stopped. `look` may be called at any time. */
export type KeyFileWatch = { look(): Promise<void>; stop(): void };

/**
 * Starts looking. A file that cannot be used now does not take away the keys that were read before, but whoever
 * rotated them must learn that it did not take effect.
 *
 * @param reload reads the file; throws why it cannot be used, without a word of what is in it
 */
export function watchKeyFile(path: string, reload: () => Promise<void>, warn: Warn): KeyFileWatch {
  let told: string | undefined;
  const look = async () => {
    try {
      await reload();
      told = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const change = `${await versionOf(path)} ${reason}`;
      if (change === told) return;
      told = change;
      warn(`the signing keys that were read before are still in use: ${reason}`);
    }
  };
  const timer = setInterval(look, POLL_INTERVAL_MS);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

/** Another one for each change of the file. */
async function versionOf(path: string): Promise<string> {
  // A file that is not there is one of the states that are watched for.
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 'missing' : `${found.ino} ${found.mtimeMs} ${found.size}`;
}
