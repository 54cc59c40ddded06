// A response whose body is still to be read, under the timer of its request.
import { toConnectionError } from '../errors/connection-error.js';
import type { RequestTimer } from './request-timer.js';

/** No result is longer, in bytes: a compressed one of a megabyte would otherwise fill the memory. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;

/** No line of a result, and no event, is longer, in UTF-16 units. */
export const MAX_LINE_LENGTH = 32 * 1024 * 1024;

/** A response that can only be read as a whole: its body has a limit of time and of size. */
export type CollectedResponse = Pick<OpenResponse, 'response' | 'text' | 'blob'>;

/** Read it to its end with one of the methods, or close it: until then it holds a connection. */
export class OpenResponse {
  readonly response: Response;
  readonly #timer: RequestTimer;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(response: Response, timer: RequestTimer) {
    this.response = response;
    this.#timer = timer;
    timer.hold();
    // Node.js 20 forgets the signal of a `fetch` that refuses redirects when garbage is collected while the body is
    // read (nodejs/undici#4627). Cancelling the body ends the pending read, and the connection, in any case.
    const cancel = () => void (this.#reader ?? response.body)?.cancel().catch(() => undefined);
    // A hook may have aborted it when the head arrived.
    if (timer.signal.aborted) cancel();
    else timer.signal.addEventListener('abort', cancel);
  }

  /**
   * The whole body, within the time limit of the request, head and body together: a body in drops does not extend it.
   *
   * @param maxBytes the response is cut off, as if the connection had broken, where it is longer; default: 128 MiB
   */
  async text(maxBytes = MAX_RESULT_BYTES): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this.#whole(maxBytes))
      text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  /** The whole body as it is, with the same limits. */
  async blob(maxBytes = MAX_RESULT_BYTES): Promise<Blob> {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    // A copy: the platform may use the memory of a piece again.
    for await (const chunk of this.#whole(maxBytes)) pieces.push(new Uint8Array(chunk));
    return new Blob(pieces, { type: this.response.headers.get('content-type') ?? '' });
  }

  async *#whole(maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    let bytes = 0;
    this.#timer.boundBody();
    for await (const chunk of this.chunks()) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw this.#brokenBy(new Error(`the response is longer than ${maxBytes} bytes`));
      }
      yield chunk;
    }
  }

  /** The lines of the body, of 32 Mi characters at most. A body that ends within a line is an incomplete response. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    // Joined at the end of its line, because a long one has many pieces.
    let rest: string[] = [];
    let length = 0;
    /** When the beginning of the line arrived: before it, the service may be silent while lines are uploaded. */
    let since = 0;
    for await (const chunk of this.chunks()) {
      const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
      if (length === 0) since = performance.now();
      rest.push(first);
      length += first.length;
      if (length > MAX_LINE_LENGTH) throw this.#brokenBy(new Error('a line has no end'));
      if (lines.length === 0) {
        // Drops of a line are no progress.
        this.#timer.expireSince(since);
        continue;
      }
      yield rest.join('');
      rest = [lines.pop() ?? ''];
      length = rest[0]?.length ?? 0;
      yield* lines;
      // What the reader took for the lines before it is no time of the service.
      since = performance.now();
    }
    if (rest.join('') !== '') throw this.#brokenBy(new Error('it ended within a line'));
  }

  /**
   * The pieces of the body as they arrive. The time is counted only while a piece is waited for.
   *
   * @throws ConnectionError, TimeoutError, or the reason of the caller's signal
   */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    this.#reader = this.response.body?.getReader();
    let isComplete = false;
    try {
      for (;;) {
        this.#timer.release();
        const value = (await this.#reader?.read())?.value;
        // A cancelled body ends as if it were complete.
        this.#timer.signal.throwIfAborted();
        this.#timer.hold();
        if (value === undefined) {
          isComplete = true;
          return;
        }
        yield value;
      }
    } catch (error) {
      this.#timer.signal.throwIfAborted();
      throw this.#brokenBy(error);
    } finally {
      if (isComplete) this.#timer.stop();
      else this.close();
    }
  }

  /** Ends the exchange without reading the rest; who reads it gets an `AbortError`. */
  close(): void {
    // Cancelling the body would not end a request that is still being sent.
    this.#timer.abort();
  }

  #brokenBy(error: unknown) {
    return toConnectionError(error, this.#timer.address);
  }
}
