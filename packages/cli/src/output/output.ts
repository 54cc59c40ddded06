// Prints results on stdout, reports on stderr; colours only on a terminal.
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { replaceInvisible } from '@landfall/contract';
import picocolors from 'picocolors';

/** Functions that colour text, or return it unchanged. */
export type Colours = ReturnType<typeof picocolors.createColors>;

/**
 * Writes text. All output of the command passes here, so that a terminal gets no control or invisible character that is
 * not the command's own, whatever a server has sent. A file and a pipe get the text as it is.
 */
export function write(
  stream: WriteStream,
  text: string,
  done?: (error: Error | null | undefined) => void,
): void {
  const shown = stream.isTTY === true ? forTerminal(text) : text;
  if (stream !== process.stdout) {
    stream.write(shown, done);
    return;
  }
  const written = { text: shown };
  unwritten.add(written);
  stream.write(shown, (error) => {
    if (!error) unwritten.delete(written);
    done?.(error);
  });
}

/** What has not left this process yet: where the output cannot be written, it is what the user does not see. */
const unwritten = new Set<{ text: string }>();

/** More than this many characters are results of a list, which its journal has too. */
const MAX_SHOWN_UNWRITTEN = 4096;

/** What the command itself writes: colours, ends of lines, tabs, and the isolates of `printable`. */
const OWN = /(\u001b\[(?:[0-4]|2[234]|[349]\d)m|[\n\t\u2068\u2069])/;

/** A text whose control and invisible characters are written as escapes, which are valid in JSON too. */
export function forTerminal(text: string): string {
  return text
    .split(OWN)
    .map((part, index) => (index % 2 === 1 ? part : replaceInvisible(part, escapeCharacter)))
    .join('');
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Prints a line of the result to stdout. */
export function print(line: string): void {
  write(process.stdout, `${line}\n`);
}

/** Prints a value as one JSON document. Invisible characters of texts are written as escapes. */
export function printJson(value: unknown): void {
  print(escapeInvisible(JSON.stringify(value, null, 2)));
}

/** Reports a value on stderr as one line of JSON. */
export function reportJson(value: unknown): void {
  report(escapeInvisible(JSON.stringify(value)));
}

function escapeInvisible(json: string): string {
  return replaceInvisible(json, (character) =>
    character === '\n' ? character : escapeCharacter(character),
  );
}

/**
 * Prints text of any length to stdout and waits until it has left this process: what is saved afterwards is not ahead of
 * what was printed. If the reader closes the pipe, it does not return; `exitOnClosedPipe` ends the process.
 */
export async function printText(text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    write(process.stdout, text, (error) => {
      if (!error) resolve();
    });
  });
  // Writing to a file never waits; other work such as the progress line would never run.
  await setImmediate();
}

/** Reports progress, a warning or an error on stderr. */
export function report(line: string): void {
  write(process.stderr, `${line}\n`);
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

/** Exit code when the output of a command that changes data is lost: that of a process that SIGPIPE ends. */
const LOST_OUTPUT = 141;

/** Exit code when the output of a command that only reads cannot be written. */
const NOT_WRITTEN = 1;

let onlyReads = false;

/** Says whether the command that runs only reads: whoever closes its pipe has what they wanted. */
export function declareReading(reads: boolean): void {
  onlyReads = reads;
}

let ignoresClosedPipe = true;

/** Says that a command which only reads has work to do besides its output: whoever closes its pipe ends that too early. */
export function declareWork(): void {
  ignoresClosedPipe = false;
}

/** Whether the command that runs only reads. */
export function commandOnlyReads(): boolean {
  return onlyReads;
}

/**
 * Ends the process when its output cannot be written. If the reader closes the pipe, as `head` does, that is no error of a
 * command that only reads; one that changes data is then not complete, and says so. It is noticed at the next write:
 * Node.js has no way to watch a pipe that it only writes to.
 */
export function exitOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' && onlyReads && ignoresClosedPipe) process.exit();
      // Waits for nothing: the process ends here.
      if (stream === process.stdout) writeLast(describeLost(code));
      process.exit(onlyReads ? NOT_WRITTEN : LOST_OUTPUT);
    });
  }
}

/** Whether the reader of the output has not taken everything yet that was printed: it may stand still for ever. */
export function isHeldUp(): boolean {
  return process.stdout.writableLength > 0 || process.stderr.writableLength > 0;
}

/** What became of a command whose output is lost, with that output: it has the ids of what was done. */
function describeLost(code: string | undefined): string {
  const cannotWrite = `error: cannot write the output (${code})`;
  if (onlyReads) return `${cannotWrite}\n`;
  const what =
    code === 'EPIPE'
      ? 'error: stopped before everything was done, because the reader of the output has closed it'
      : `${cannotWrite}: stopped before everything was done`;
  const next =
    'Find out what was done before you run the same command again; present --file goes on where it was';
  const lost = [...unwritten].map(({ text }) => text).join('');
  const isShort = lost !== '' && lost.length <= MAX_SHOWN_UNWRITTEN;
  return `${what}. ${next}\n${isShort ? `The output that was not written:\n${lost}` : ''}`;
}

/** Writes to stderr, which may be closed or full too. */
function writeLast(text: string): void {
  try {
    writeSync(process.stderr.fd, text);
  } catch {
    // There is nobody left to tell.
  }
}
