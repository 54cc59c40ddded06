// Reads a body of parts (multipart/form-data, RFC 7578) while it arrives: these parts in this order, within their bounds.
import { once } from 'node:events';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { HttpError, ValidationFailedError } from './problem.js';

/** A part that a body must have. */
export type PartRule = {
  name: string;
  maxBytes: number;
  /** The error of one that is longer. */
  tooLong: Error;
};

/** A part as it was sent. */
export type ReceivedPart = { content: Buffer; fileName: string | undefined };

/** How a body of parts is read. */
export type PartsOptions = {
  contentType: string;
  rules: readonly PartRule[];
  /** Of the whole body. */
  maxBytes: number;
  /** Is called with the bytes that arrived so far. What it throws ends the reading. */
  count: (received: number) => void;
};

/** The headers of a part say what it is; clients send two or three. */
const PART_HEADERS = { headerPairs: 16, headerSize: 8192 };

/** How long the parser may take after the last byte, in milliseconds. */
const PARSE_TIMEOUT_MS = 5000;

/** Of a part that has no name, or no name of a file, these are `undefined`: the types of the parser leave that out. */
type FileEvent = [
  name: string | undefined,
  stream: BusboyFileStream,
  fileName: string | undefined,
  encoding: string,
];

type Part = { chunks: Buffer[]; bytes: number; fileName: string | undefined };

/**
 * The parts, as many as there are rules. Their Content-Type is not looked at.
 *
 * @throws ValidationFailedError for a body that is not whole, and for other parts than these
 * @throws the error of a part that is too long, and HttpError 413 for a body that is
 */
export async function readParts(
  chunks: AsyncIterable<Buffer>,
  { contentType, rules, maxBytes, count }: PartsOptions,
): Promise<ReceivedPart[]> {
  const found: { failure?: Error } = {};
  const fail = (failure: Error) => {
    found.failure ??= failure;
  };
  const parts: Part[] = [];
  const parser = makeParser(contentType, rules.length);
  const stop = new AbortController();
  const end = once(parser, 'finish', { signal: stop.signal }).catch(() =>
    fail(refused('', 'must be multipart/form-data that is whole, to its last boundary')),
  );
  parser.on('error', () => undefined);
  parser.on('partsLimit', () => fail(wrongParts(rules)));
  parser.on('file', (...[name, stream, fileName, encoding]: FileEvent) => {
    const part: Part = { chunks: [], bytes: 0, fileName };
    const rule = rules[parts.push(part) - 1];
    if (rule === undefined || name !== rule.name) fail(wrongParts(rules));
    else if (!['7bit', '8bit', 'binary'].includes(encoding)) {
      fail(refused(rule.name, 'must be sent as it is, without Content-Transfer-Encoding'));
    }
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      part.bytes += chunk.length;
      if (rule !== undefined && part.bytes > rule.maxBytes) fail(rule.tooLong);
      if (found.failure === undefined) part.chunks.push(chunk);
    });
  });
  try {
    let received = 0;
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > maxBytes)
        throw new HttpError(413, `The body must have at most ${maxBytes} bytes`);
      count(received);
      // What it does not take yet is in its buffer, and so within the bounds of the body.
      parser.write(chunk);
      if (found.failure !== undefined) throw found.failure;
    }
    parser.end();
    const timer = setTimeout(() => stop.abort(), PARSE_TIMEOUT_MS);
    await end;
    clearTimeout(timer);
  } finally {
    stop.abort();
  }
  if (found.failure !== undefined) throw found.failure;
  const missing = rules[parts.length];
  if (missing !== undefined) {
    throw new ValidationFailedError([
      { field: missing.name, error: 'must be a part of the body', code: 'REQUIRED' },
    ]);
  }
  return parts.map((part) => ({
    content: Buffer.concat(part.chunks),
    fileName: part.fileName,
  }));
}

function makeParser(contentType: string, parts: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { ...PART_HEADERS, parts },
      // So that each part has its own limit, whatever its Content-Type says.
      isPartAFile: () => true,
    });
  } catch {
    throw refused('', 'must be multipart/form-data with a boundary in its Content-Type');
  }
}

function refused(field: string, error: string): ValidationFailedError {
  return new ValidationFailedError([{ field, error, code: 'FORMAT' }]);
}

/** The names that were sent are not in the error: what they are is for nobody's log. */
function wrongParts(rules: readonly PartRule[]): ValidationFailedError {
  const names = rules.map(({ name }) => `\`${name}\``).join(', then ');
  return refused('', `must have the part ${names}, and no other part`);
}
