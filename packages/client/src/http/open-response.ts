// A response whose body is still to be read, under the timer of its request.
import { toConnectionError } from '../errors/connection-error.js';
import type { RequestTimer } from './request-timer.js';

/** Read it to its end with one of the methods, or close it: until then it holds a connection. */
export class OpenResponse {
  readonly response: Response;
  readonly #timer: RequestTimer;

  constructor(response: Response, timer: RequestTimer) {
    this.response = response;
    this.#timer = timer;
    timer.hold();
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
    const reader = this.response.body?.getReader();
    let isComplete = false;
    try {
      for (;;) {
        this.#timer.release();
        const result = await reader?.read();
        this.#timer.hold();
        isComplete = result?.value === undefined;
        if (result?.value === undefined) return;
        yield result.value;
      }
    } catch (error) {
      if (this.#timer.signal.aborted) throw this.#timer.signal.reason;
      throw this.#brokenBy(error);
    } finally {
      if (isComplete) this.#timer.stop();
      else this.close();
    }
  }

  /** Ends the exchange without reading the rest. */
  close(): void {
    // Cancelling the body would not end a request that is still being sent.
    this.#timer.abort(new DOMException('the response was closed', 'AbortError'));
  }

  #brokenBy(error: unknown) {
    return toConnectionError(error, new URL(this.response.url).origin);
  }
}
