// Reads a body of NDJSON as it comes: lines with their numbers, gathered into blocks, never more in memory than a block.
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  duplicateMember,
  type FoundText,
  inspectJson,
  LineSplitter,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyInstance } from 'fastify';

export const NDJSON = 'application/x-ndjson';

/** How much of a body is worked through at once. */
export type BlockLimits = {
  /** Most lines in a block. */
  lines: number;
  /** Bytes after which a block is full; default 1 MiB. */
  bytes?: number;
  /** Longest line, in bytes; default 64 KiB. */
  line?: number;
};

const standardLimits = { bytes: 1024 * 1024, line: 64 * 1024 };

/** How long a block that is not full waits for the next line, in milliseconds. */
const PATIENCE = 10;

/** One line that is not blank: what it holds, or why it cannot be read. `line` counts from 1, blank ones too. */
export type NdjsonLine =
  | { line: number; bytes: number; value: unknown }
  | { line: number; bytes: number; value: undefined; unreadable: ValidationError };

/** Has bodies of NDJSON handed over as streams, of any length. */
export function readNdjsonAsStream(app: FastifyInstance): void {
  if (app.hasContentTypeParser(NDJSON)) return;
  app.addContentTypeParser(NDJSON, (_request, body, done) => done(null, body));
}

/**
 * The lines of a body in blocks. A block is given when it is full, or when nothing more has come for a moment: who
 * sends a line and waits for what becomes of it is answered.
 */
export async function* readBlocks(
  body: Readable,
  { lines: most, bytes = standardLimits.bytes, line = standardLimits.line }: BlockLimits,
): AsyncGenerator<NdjsonLine[]> {
  const chunks = readLines(body, line);
  let waiting: NdjsonLine[] = [];
  let coming = chunks.next();
  const take = () => {
    const block = waiting.slice(0, countFull(waiting, most, bytes) ?? waiting.length);
    waiting = waiting.slice(block.length);
    return block;
  };
  try {
    for (;;) {
      const came = await (waiting.length === 0 ? coming : orNothing(coming, PATIENCE));
      if (came?.done) break;
      if (came !== undefined) {
        waiting.push(...came.value);
        coming = chunks.next();
      }
      while (
        countFull(waiting, most, bytes) !== undefined ||
        (came === undefined && waiting.length > 0)
      ) {
        yield take();
      }
    }
    while (waiting.length > 0) yield take();
  } finally {
    // What is still awaited fails when the body breaks off; who has left does not want to know.
    coming.catch(() => undefined);
  }
}

/** How many of these lines make a full block; `undefined` when they do not fill one. */
function countFull(lines: readonly NdjsonLine[], most: number, bytes: number): number | undefined {
  let sum = 0;
  for (const [place, line] of lines.entries()) {
    sum += line.bytes;
    if (place + 1 === most || sum >= bytes) return place + 1;
  }
  return undefined;
}

/** What comes within so many milliseconds, or `undefined`. */
async function orNothing<Value>(coming: Promise<Value>, patience: number) {
  let timer: NodeJS.Timeout | undefined;
  const nothing = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience);
  });
  try {
    return await Promise.race([coming, nothing]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lines of one chunk that are read before others have a turn. */
const LINES_A_TURN = 200;

/** The lines that end in each chunk of the body. */
async function* readLines(body: Readable, limit: number): AsyncGenerator<NdjsonLine[]> {
  const error = `a line must not be longer than ${limit} bytes`;
  const splitter = new LineSplitter(limit, { field: '', error, code: 'SIZE' });
  for await (const part of body) {
    const chunk: Buffer = part;
    const found = splitter.push(chunk);
    for (let start = 0; start < found.length; start += LINES_A_TURN) {
      if (start > 0) await setImmediate();
      yield found.slice(start, start + LINES_A_TURN).map(readLine);
    }
  }
  yield splitter.end().map(readLine);
}

function readLine({ line, found }: FoundText): NdjsonLine {
  if (typeof found !== 'string') {
    return { line, bytes: 0, value: undefined, unreadable: found.error };
  }
  const bytes = Buffer.byteLength(found);
  const unreadable = (error: ValidationError): NdjsonLine => ({
    line,
    bytes,
    value: undefined,
    unreadable: error,
  });
  let value: unknown;
  try {
    value = JSON.parse(found);
  } catch {
    return unreadable({ field: '', error: 'must be valid JSON', code: 'FORMAT' });
  }
  const [duplicate] = inspectJson(found).duplicates;
  return duplicate === undefined ? { line, bytes, value } : unreadable(duplicateMember(duplicate));
}
