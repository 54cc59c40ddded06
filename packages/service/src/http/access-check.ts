// Rechecks the access of a caller while something that lasts is open: a stream, a waiting read, an upload, a download.
import { type Caller, InvalidTokenError } from './caller.js';
import { UnmetConditionError } from './readiness-conditions.js';

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
  readonly #whenEnded: (error: Error) => void;
  readonly #recheck: NodeJS.Timeout;
  readonly #expiry: NodeJS.Timeout;
  #checking = false;
  #ended: Error | undefined;

  /**
   * @param clock the time by which the token ends
   * @param whenEnded is called once when access has ended, or the server refuses requests by now, with the error that
   *   says which; not after the check was closed
   */
  constructor(holder: AccessHolder, clock: () => Date, whenEnded: (error: Error) => void) {
    this.#holder = holder;
    this.#whenEnded = whenEnded;
    this.#recheck = setInterval(() => void this.#checkInBackground(), RECHECK_INTERVAL_MS).unref();
    const left = holder.expiresAt * 1000 - clock().getTime();
    this.#expiry = setTimeout(
      // A clock that was stopped meanwhile has not reached that time: the next check decides.
      () => {
        if (clock().getTime() >= holder.expiresAt * 1000 - 1) this.#end(new AccessEndedError());
      },
      Math.max(0, Math.min(left, MAX_TIMEOUT_MS)),
    ).unref();
  }

  /** Why access was not there when it was checked last; `undefined` if it was. */
  get ended(): Error | undefined {
    return this.#ended;
  }

  /**
   * Whether something may be delivered or begun: access is rechecked now.
   *
   * @throws DatabaseUnavailableError
   */
  async mayContinue(): Promise<boolean> {
    if (this.#ended === undefined) {
      try {
        if (!(await this.#holder.stillAllowed())) this.#end(new AccessEndedError());
      } catch (error) {
        if (!(error instanceof UnmetConditionError)) throw error;
        this.#end(error);
      }
    }
    return this.#ended === undefined;
  }

  /**
   * Rechecks access now.
   *
   * @throws AccessEndedError
   * @throws UnmetConditionError when the server refuses requests
   * @throws DatabaseUnavailableError
   */
  async require(): Promise<void> {
    await this.mayContinue();
    if (this.#ended !== undefined) throw this.#ended;
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

  #end(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.close();
    this.#whenEnded(error);
  }
}
