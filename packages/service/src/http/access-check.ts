// Rechecks the access of a caller while something that lasts is open: a stream, a waiting read, an upload, a download.
import { type Caller, InvalidTokenError } from './caller.js';

/** How often access is rechecked between deliveries, in milliseconds. */
export const RECHECK_INTERVAL_MS = 3000;

/** The longest timer of Node.js, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Whose access it is. */
export type AccessHolder = Pick<Caller, 'expiresAt' | 'stillAllowed'>;

/** The access of a caller ended while something was open. */
export class AccessEndedError extends InvalidTokenError {
  override name = 'AccessEndedError';

  constructor() {
    super(
      'the token or the session has ended, its organisation or client was blocked, or its scope was withdrawn',
    );
  }
}

/** The access to one thing that is open, until that is closed. */
export class AccessCheck {
  readonly #holder: AccessHolder;
  readonly #whenEnded: () => void;
  readonly #recheck: NodeJS.Timeout;
  readonly #expiry: NodeJS.Timeout;
  #checking = false;
  #valid = true;

  /**
   * @param clock the time by which the token ends
   * @param whenEnded is called once when access has ended, unless the check was closed before
   */
  constructor(holder: AccessHolder, clock: () => Date, whenEnded: () => void) {
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

  /** Whether access was there when it was checked last. */
  get valid(): boolean {
    return this.#valid;
  }

  /**
   * Whether something may be delivered or begun: access is rechecked now.
   *
   * @throws DatabaseUnavailableError
   */
  async mayContinue(): Promise<boolean> {
    if (this.#valid && !(await this.#holder.stillAllowed())) this.#end();
    return this.#valid;
  }

  /**
   * Rechecks access now.
   *
   * @throws AccessEndedError
   * @throws DatabaseUnavailableError
   */
  async require(): Promise<void> {
    if (!(await this.mayContinue())) throw new AccessEndedError();
  }

  close(): void {
    clearInterval(this.#recheck);
    clearTimeout(this.#expiry);
  }

  async #checkInBackground(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      await this.mayContinue();
    } catch {
      // The database is unavailable, so reading and writing fail too. Nothing is delivered or begun without a check, and
      // the next one follows.
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
