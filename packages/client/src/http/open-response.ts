// A response whose body is still to be read, under the timer of its request.
import { toConnectionError } from '../errors/connection-error.js';
import type { RequestTimer } from './request-timer.js';

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
    timer.signal.addEventListener('abort', () => {
      (this.#reader ?? response.body)?.cancel().catch(() => undefined);
    });
  }

  /** The whole body. */
  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this.chunks()) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  /** The lines of the body. A body that ends within a line is an incomplete response. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of this.chunks()) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') throw this.#brokenBy(new Error('the response ended within a line'));
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
