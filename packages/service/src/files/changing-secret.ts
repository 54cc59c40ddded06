// A secret whose file may change while the server runs: it is read again where it is used.
import { messageOf } from '../native-error.js';

/** How long a secret that was read is used before its file is read again, in milliseconds. */
export const SECRET_MAX_AGE_MS = 5000;

/** The last secret that could be used, and the one before it. */
export class ChangingSecret {
  /** The newest first; that before it is known until the next change. */
  known: readonly [string, ...string[]];
  readonly #read: () => Promise<string>;
  readonly #warn: (sentence: string) => void;
  readonly #elapsedMs: () => number;
  #readAt: number;
  #reported: string | undefined;

  /**
   * @param first the secret, which was just read
   * @param read reads it again; its errors must not quote it
   * @param warn is given a sentence when it cannot be used, once for each reason; the last one stays in use
   * @param elapsedMs the monotonic clock, which tests replace
   */
  constructor(
    first: string,
    read: () => Promise<string>,
    warn: (sentence: string) => void,
    elapsedMs = () => performance.now(),
  ) {
    this.known = [first];
    this.#read = read;
    this.#warn = warn;
    this.#elapsedMs = elapsedMs;
    this.#readAt = elapsedMs();
  }

  /** The secret now. Its file is read at most every five seconds. */
  async current(): Promise<string> {
    const now = this.#elapsedMs();
    if (now - this.#readAt >= SECRET_MAX_AGE_MS) {
      // Those who come meanwhile use the last one.
      this.#readAt = now;
      await this.#update();
    }
    return this.known[0];
  }

  async #update(): Promise<void> {
    try {
      const secret = await this.#read();
      this.#reported = undefined;
      if (secret !== this.known[0]) this.known = [secret, this.known[0]];
    } catch (error) {
      const reason = messageOf(error);
      if (reason === this.#reported) return;
      this.#reported = reason;
      this.#warn(`the secret that was read before is still in use: ${reason}`);
    }
  }
}
