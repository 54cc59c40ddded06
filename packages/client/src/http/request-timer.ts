// Aborts a request when it makes no progress for a time, or when its caller aborts.
import { TimeoutError } from '../errors/connection-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { onAbort } from './on-abort.js';

/**
 * Runs from the start of a request to the end of its response. It is held while the client itself is waited for:
 * for the next piece of an upload, or until a piece of the response has been processed.
 */
export class RequestTimer {
  /** Of the service, for messages. */
  readonly address: string;
  readonly #controller = new AbortController();
  readonly #forgetCaller: () => void;
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #holds = 0;
  #startedAt = 0;
  #leftMs: number;
  #isBounded = false;
  #onStop: () => void = () => undefined;

  /**
   * @param timeoutMs `Infinity` for no limit
   * @throws ConfigurationError when it is no time
   */
  constructor(address: string, timeoutMs: number, caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    if (!(timeoutMs > 0)) throw new ConfigurationError('timeoutMs must be above 0');
    this.#timeoutMs = timeoutMs;
    this.#leftMs = timeoutMs;
    this.address = address;
    this.#forgetCaller = onAbort(caller, () => this.abort(caller?.reason));
    this.#start();
  }

  /** Aborts when the time is over or the caller aborts; the reason says which. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the time until `release`. */
  hold(): void {
    if (this.#holds === 0) this.#leftMs -= performance.now() - this.#startedAt;
    this.#holds += 1;
    clearTimeout(this.#timer);
  }

  /**
   * Goes on when nothing holds it any longer.
   *
   * @param isProgress whether the time starts anew; default: until `boundBody`
   */
  release(isProgress = !this.#isBounded): void {
    this.#holds -= 1;
    if (isProgress) this.#leftMs = this.#timeoutMs;
    if (this.#holds === 0) this.#start();
  }

  /** What is left of the time after the head is for the whole body: pieces of it are no progress from now on. */
  boundBody(): void {
    this.#isBounded = true;
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
    this.#forgetCaller();
    this.#onStop();
  }

  /** Sets what is called at the end of the request, perhaps several times. */
  onStop(callback: () => void): void {
    this.#onStop = callback;
  }

  /** Ends the request if its time is over since then, by `performance.now()`, although something arrives. */
  expireSince(start: number): void {
    if (performance.now() - start > this.#timeoutMs) this.#expire();
  }

  readonly #expire = () => {
    const message = `no complete response from ${this.address} within ${this.#timeoutMs / 1000} s`;
    this.abort(new TimeoutError(message, this.#timeoutMs));
  };

  #start(): void {
    // A longer delay would overflow in a timer and end at once.
    if (this.#timeoutMs > 0x7fffffff) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#expire, this.#leftMs);
  }
}
