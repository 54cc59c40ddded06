// Reads a body of NDJSON as it arrives: numbered lines in blocks, with at most one block in memory.
import {
  duplicateMember,
  type FoundText,
  inspectJson,
  isTooDeep,
  LineSplitter,
  notJson,
  tooDeep,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { Turns } from '../turns.js';

export const NDJSON = 'application/x-ndjson';

/** How much of a body is processed at once. */
export type BlockLimits = {
  /** Maximum number of lines in a block. */
  lines: number;
  /** Bytes after which a block is full; default 1 MiB. */
  bytes?: number;
  /** Maximum length of a line, in bytes; default 64 KiB. */
  line?: number;
};

const defaultLimits = { bytes: 1024 * 1024, line: 64 * 1024 };

/** How long a block that is not full waits for the next line, in milliseconds. */
const FLUSH_AFTER_MS = 10;

/** One line that is not blank: its value, or why it cannot be read. `line` counts from 1 and includes blank lines. */
export type NdjsonLine =
  | { line: number; bytes: number; value: unknown }
  | { line: number; bytes: number; value: undefined; unreadable: ValidationError };

/** Passes bodies of NDJSON of any length to handlers as streams. */
export function readNdjsonAsStream(app: FastifyInstance): void {
  if (app.hasContentTypeParser(NDJSON)) return;
  app.addContentTypeParser(NDJSON, (_request, body, done) => done(null, body));
}

/**
 * The lines of a body in blocks. A block is returned when it is full, or when no more data arrives for a moment, so
 * that a client can send one line and wait for its result.
 *
 * @param sender the organisation that sends it: bodies of one take turns, and so do organisations
 */
export async function* readBlocks(
  body: AsyncIterable<Buffer>,
  { lines: maxLines, bytes = defaultLimits.bytes, line = defaultLimits.line }: BlockLimits,
  sender = 0,
): AsyncGenerator<NdjsonLine[]> {
  const chunks = readLines(body, line, sender);
  let pending: NdjsonLine[] = [];
  const read = () => {
    const chunk = chunks.next();
    // A body that fails while a block is processed, or after the last one that is wanted, has nobody yet who handles it.
    chunk.catch(() => undefined);
    return chunk;
  };
  let next = read();
  const takeBlock = () => {
    const block = pending.slice(0, countFull(pending, maxLines, bytes) ?? pending.length);
    pending = pending.slice(block.length);
    return block;
  };
  for (;;) {
    const chunk = await (pending.length === 0 ? next : within(FLUSH_AFTER_MS, next));
    if (chunk?.done) break;
    if (chunk !== undefined) {
      pending.push(...chunk.value);
      next = read();
    }
    while (
      countFull(pending, maxLines, bytes) !== undefined ||
      (chunk === undefined && pending.length > 0)
    ) {
      yield takeBlock();
    }
  }
  while (pending.length > 0) yield takeBlock();
}

/** How many of these lines make a full block; `undefined` if they do not fill one. */
function countFull(
  lines: readonly NdjsonLine[],
  maxLines: number,
  maxBytes: number,
): number | undefined {
  let sum = 0;
  for (const [index, line] of lines.entries()) {
    sum += line.bytes;
    if (index + 1 === maxLines || sum >= maxBytes) return index + 1;
  }
  return undefined;
}

/** The result if it is there within so many milliseconds, else `undefined`. */
async function within<Value>(timeoutMs: number, result: Promise<Value>) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The lines that end in each chunk of the body. */
async function* readLines(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  sender: number,
): AsyncGenerator<NdjsonLine[]> {
  const error = `a line must not be longer than ${maxBytes} bytes`;
  const splitter = new LineSplitter(maxBytes, { field: '', error, code: 'SIZE' });
  const turns = new Turns(sender);
  await turns.next();
  for await (const chunk of body) {
    let read: NdjsonLine[] = [];
    for (const line of splitter.push(chunk)) {
      // Many bodies have a line whole in the same turn of the event loop.
      if (turns.isOverBefore(lengthOf(line))) {
        if (read.length > 0) yield read;
        read = [];
        await turns.next();
      }
      read.push(readLine(line));
    }
    if (read.length > 0) yield read;
  }
  yield splitter.end().map(readLine);
}

/** The characters of a line; 0 of one that is not read. */
function lengthOf({ found }: FoundText): number {
  return typeof found === 'string' ? found.length : 0;
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
  if (isTooDeep(found)) return unreadable(tooDeep);
  let value: unknown;
  try {
    value = JSON.parse(found);
  } catch {
    return unreadable(notJson(found));
  }
  const [duplicate] = inspectJson(found).duplicates;
  return duplicate === undefined ? { line, bytes, value } : unreadable(duplicateMember(duplicate));
}

/** JSON texts as lines. */
export function toLines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
