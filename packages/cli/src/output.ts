// What is printed: results on stdout, progress and errors on stderr, colours only where a person looks.
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import picocolors from 'picocolors';

/** Functions that colour a text, or leave it alone. */
export type Colours = ReturnType<typeof picocolors.createColors>;

/** Prints a line of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a text of any length as part of the result, as fast as whoever reads it takes it. */
export async function printText(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  // Where writing never has to wait, as to a file, others would not get a turn.
  else await setImmediate();
}

/** Tells something about the result or the way to it. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * The colours for a stream: none when it is piped, when NO_COLOR is set or when the terminal has none. We ask
 * the stream, because picocolors by itself also colours pipes where CI is set.
 */
export function coloursFor(stream: WriteStream = process.stdout): Colours {
  return picocolors.createColors(stream.isTTY === true && stream.hasColors());
}

/** A text from elsewhere without characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

/** A time of the contract as a person reads it: to the second, in UTC. */
export function readableTime(time: string): string {
  return time.replace('T', ' ').replace(/(\.\d+)?Z$/, 'Z');
}

/** Ends quietly when whoever reads our output has read enough, as `head` does. */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
