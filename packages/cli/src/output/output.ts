// Prints results on stdout, reports on stderr; colours only on a terminal.
import { setImmediate } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { replaceInvisible } from '@landfall/contract';
import picocolors from 'picocolors';

/** Functions that colour text, or return it unchanged. */
export type Colours = ReturnType<typeof picocolors.createColors>;

/** Prints a line of the result to stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a value as one JSON document. Invisible characters of texts are written as escapes. */
export function printJson(value: unknown): void {
  const escaped = (character: string) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  print(replaceInvisible(JSON.stringify(value, null, 2), escaped));
}

/**
 * Prints text of any length to stdout and waits until it has left this process: what is saved afterwards is not ahead of
 * what was printed. If the reader closes the pipe, it does not return; `exitOnClosedPipe` ends the process.
 */
export async function printText(text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
    });
  });
  // Writing to a file never waits; other work such as the progress line would never run.
  await setImmediate();
}

/** Reports progress, a warning or an error on stderr. */
export function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * The colours for a stream: none when it is piped, when NO_COLOR is set or when the terminal has none.
 * The stream decides, because picocolors also colours pipes when CI is set.
 */
export function coloursFor(stream: WriteStream = process.stdout): Colours {
  return picocolors.createColors(stream.isTTY === true && stream.hasColors());
}

/**
 * Replaces the control and invisible characters of untrusted text, which a terminal would interpret, and keeps what is
 * written from right to left from turning what is beside it.
 */
export function printable(text: string): string {
  return isolate(replaceInvisible(text, () => ' '));
}

/** What is written from right to left: Hebrew, Arabic and others. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Between U+2068 and U+2069, the direction of a text does not affect what is outside. */
function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Formats a time of the contract for reading: to the second, in UTC. */
export function readableTime(time: string): string {
  return time.replace('T', ' ').replace(/(\.\d+)?Z$/, 'Z');
}

/**
 * Exits silently when the reader closes the pipe, as `head` does. That is no error. It is noticed at the next write:
 * Node.js has no way to watch a pipe that it only writes to.
 */
export function exitOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}
