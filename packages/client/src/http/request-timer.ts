// Aborts a request when it makes no progress for a time, or when its caller aborts.
import { TimeoutError } from '../errors/connection-error.js';

/**
 * Runs from the start of a request to the end of its response. It is held while the client itself is waited for:
 * for the next piece of an upload, or until a piece of the response has been processed.
 */
export class RequestTimer {
  /** Of the service, for messages. */
  readonly address: string;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #holds = 0;
  #onStop: () => void = () => undefined;

  /** @param timeoutMs `Infinity` for no limit */
  constructor(address: string, timeoutMs: number, caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    this.#caller = caller;
    this.#timeoutMs = timeoutMs;
    this.address = address;
    caller?.addEventListener('abort', this.#abortWithCaller);
    this.#start();
  }

  /** Aborts when the time is over or the caller aborts; the reason says which. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the time until `release`. */
  hold(): void {
    this.#holds += 1;
    clearTimeout(this.#timer);
  }

  /** Starts the time anew when nothing holds it any longer. */
  release(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#start();
  }

  /** Ends the request; it throws the reason, or an `AbortError` without one. */
  abort(reason?: unknown): void {
    this.stop();
    this.#controller.abort(reason);
  }

  /** Call it at the end of the request, however it ends. */
  stop(): void {
    // Never released, so that a piece of an upload that is still on its way does not start the time again.
    this.hold();
    this.#caller?.removeEventListener('abort', this.#abortWithCaller);
    this.#onStop();
  }

  /** Sets what is called at the end of the request, perhaps several times. */
  onStop(callback: () => void): void {
    this.#onStop = callback;
  }

  /** Ends the request when its time is over whatever arrives meanwhile; clear the timer when the response is complete. */
  startDeadline(): ReturnType<typeof setTimeout> | undefined {
    return this.#timeoutMs > 0x7fffffff ? undefined : setTimeout(this.#expire, this.#timeoutMs);
  }

  /** Ends the request if its time is over since then, by `performance.now()`, although something arrives. */
  expireSince(start: number): void {
    if (performance.now() - start > this.#timeoutMs) this.#expire();
  }

  readonly #expire = () => {
    const message = `no complete response from ${this.address} within ${this.#timeoutMs / 1000} s`;
    this.abort(new TimeoutError(message, this.#timeoutMs));
  };

  readonly #abortWithCaller = () => this.abort(this.#caller?.reason);

  #start(): void {
    // A longer delay would overflow in a timer and end at once.
    if (this.#timeoutMs > 0x7fffffff) return;
    this.#timer = setTimeout(() => {
      const message = `no response from ${this.address} within ${this.#timeoutMs / 1000} s`;
      this.abort(new TimeoutError(message, this.#timeoutMs));
    }, this.#timeoutMs);
  }
}
