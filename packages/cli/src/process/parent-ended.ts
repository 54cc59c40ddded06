// Notices that the process that started this one has ended: nobody else would stop it.
import { fstatSync } from 'node:fs';

/** How often the parent is polled, in milliseconds. */
const POLL_INTERVAL_MS = 500;

/** Resolves when the parent closes its end of stdin, where that is a pipe, or ends. */
export function parentEnded(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid !== parent) end();
    }, POLL_INTERVAL_MS);
    timer.unref();
    const end = () => {
      clearInterval(timer);
      process.stdin.destroy();
      resolve();
    };
    const stdin = fstatSync(0);
    // A file or /dev/null ends at once, whether or not the parent does.
    if (stdin.isFIFO() || stdin.isSocket()) {
      process.stdin.once('end', end).once('close', end).resume();
      // A command that cannot start ends, although its parent waits for it with the pipe open.
      process.stdin.unref();
    }
  });
}
