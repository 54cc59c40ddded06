// Counts a request with its body: one for each 4 KiB that is begun, because every byte has to be parsed.
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { toError } from '../native-error.js';
import { COUNTED_BYTES, type RateLimit } from './rate-limit.js';

/** What each chunk of a body without a length counts as at least, in bytes: receiving it takes time, too. */
const MIN_CHUNK_BYTES = 256;

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts a chunk of a body whose length was not known. Throws HttpError 429. */
    countChunk: ((bytes: number) => void) | undefined;
  }
}

/**
 * Counts a request before its body is read. A body with a length is counted now, another one as it arrives.
 *
 * @param key the organisation or address that makes it
 * @throws HttpError 429 when the key is over its rate
 */
export function countRequest(
  limit: RateLimit,
  key: number | string,
  request: FastifyRequest,
): void {
  const { 'content-length': length = '0', 'transfer-encoding': transfer } = request.headers;
  // No more than this is read of a body.
  const most = request.routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY;
  const requests = requestsOf(Math.min(Number(length), most));
  limit.count(key, Date.now(), { requests, counted: 0 });
  if (transfer === undefined) return;
  let counted = requests;
  let received = 0;
  request.countChunk = (bytes) => {
    // What is more than the body may have is not read.
    received = Math.min(most, received + Math.max(bytes, MIN_CHUNK_BYTES));
    const more = requestsOf(received) - counted;
    if (more === 0) return;
    limit.count(key, Date.now(), { requests: more, counted });
    counted += more;
  };
}

/**
 * Counts an upload as one request. Chunks that are short count further: receiving them takes more time than reading what
 * they contain.
 */
export function countUpload(limit: RateLimit, key: number, request: FastifyRequest): void {
  limit.count(key, Date.now());
  if (request.headers['transfer-encoding'] === undefined) return;
  let counted = 1;
  let missing = 0;
  request.countChunk = (bytes) => {
    missing += Math.max(0, MIN_CHUNK_BYTES - bytes);
    const more = requestsOf(missing) - counted;
    if (more === 0) return;
    limit.count(key, Date.now(), { requests: more, counted });
    counted += more;
  };
}

function requestsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / COUNTED_BYTES));
}

/** Chunks that are shorter are passed on together, in bytes. */
const SHORT_CHUNK_BYTES = 4096;

/**
 * A body whose chunks are counted before they are passed on. Short ones that arrive at the same time are passed on as one:
 * each takes the readers of a body more time than all of their bytes. One that nobody reads is left as it is.
 */
export class CountedBody extends Readable {
  readonly #body: Readable;
  readonly #count: (bytes: number) => void;
  #isReading = false;
  /** Short chunks that were not passed on yet. */
  #short: Buffer[] = [];

  constructor(body: Readable, count: (bytes: number) => void) {
    super();
    this.#body = body;
    this.#count = count;
    // Whoever reads it may have stopped, and so nobody listens.
    this.on('error', () => undefined);
  }

  override _read(): void {
    if (!this.#isReading) this.#begin();
    this.#body.resume();
  }

  #begin(): void {
    this.#isReading = true;
    this.#body
      .on('data', this.#pass)
      .once('end', () => {
        this.#passShort();
        this.push(null);
      })
      .once('error', (error) => this.destroy(error))
      .once('close', this.#close);
    if (this.#body.destroyed) this.#close();
  }

  readonly #pass = (chunk: Buffer): void => {
    try {
      this.#count(chunk.length);
    } catch (error) {
      this.destroy(toError(error));
      return;
    }
    if (chunk.length < SHORT_CHUNK_BYTES) {
      if (this.#short.push(chunk) === 1) setImmediate(this.#passShort);
      return;
    }
    this.#passShort();
    if (!this.push(chunk)) this.#body.pause();
  };

  readonly #passShort = (): void => {
    const chunks = this.#short;
    if (chunks.length === 0) return;
    this.#short = [];
    if (!this.destroyed && !this.push(Buffer.concat(chunks))) this.#body.pause();
  };

  readonly #close = (): void => {
    if (this.#body.readableEnded) return;
    const cut = new Error('The body was cut off');
    this.destroy(Object.assign(cut, { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
  };

  /** The connection must still carry the response, so the rest of the body is left to whoever discards it. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#body.off('data', this.#pass);
    this.#short = [];
    done(error);
  }
}
