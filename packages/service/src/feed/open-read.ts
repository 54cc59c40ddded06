// A read that stays open ends with the caller's token, whether that expires or is revoked.

/** How often the token of an open read is re-checked between deliveries, in milliseconds. */
const RECHECK_INTERVAL_MS = 3000;

/** The longest timer of Node.js, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Whose read it is. */
export type TokenHolder = {
  /** When the token ends, in seconds since 1970. */
  expiresAt: number;
  /** Whether the token would still be accepted. */
  stillValid(): Promise<boolean>;
};

/** One read that stays open, until it is closed. */
export class OpenRead {
  readonly #holder: TokenHolder;
  readonly #whenEnded: () => void;
  readonly #recheck: NodeJS.Timeout;
  readonly #expiry: NodeJS.Timeout;
  #checking = false;
  #valid = true;

  /**
   * @param clock the time by which the token ends
   * @param whenEnded is called once when the token is no longer accepted, unless the read was closed before
   */
  constructor(holder: TokenHolder, clock: () => Date, whenEnded: () => void) {
    this.#holder = holder;
    this.#whenEnded = whenEnded;
    this.#recheck = setInterval(() => void this.#checkInBackground(), RECHECK_INTERVAL_MS).unref();
    const left = holder.expiresAt * 1000 - clock().getTime();
    this.#expiry = setTimeout(
      // A clock that was stopped meanwhile has not reached that time: the next check decides.
      () => {
        if (clock().getTime() >= holder.expiresAt * 1000 - 1) this.#end();
      },
      Math.max(0, Math.min(left, MAX_TIMEOUT_MS)),
    ).unref();
  }

  /** Whether the token was accepted when it was checked last. */
  get valid(): boolean {
    return this.#valid;
  }

  /**
   * Whether entries may be delivered: the token is re-checked now.
   *
   * @throws DatabaseUnavailableError
   */
  async mayDeliver(): Promise<boolean> {
    if (this.#valid && !(await this.#holder.stillValid())) this.#end();
    return this.#valid;
  }

  close(): void {
    clearInterval(this.#recheck);
    clearTimeout(this.#expiry);
  }

  async #checkInBackground(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      await this.mayDeliver();
    } catch {
      // The database is unavailable, so reading fails too. Nothing is delivered without a check, and the next one follows.
    } finally {
      this.#checking = false;
    }
  }

  #end(): void {
    if (!this.#valid) return;
    this.#valid = false;
    this.close();
    this.#whenEnded();
  }
}
