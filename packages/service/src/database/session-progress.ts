// Whether a session gets responses: what watches sessions ends those that do not.

/** The statements of a session that wait for a response, and since when nothing has come. */
export class SessionProgress {
  #pending = 0;
  /** When something came last, or the first pending statement was sent after it: by `performance.now()`. */
  #last = performance.now();

  /** A statement is sent. */
  begin(): void {
    if (this.#pending++ === 0) this.note();
  }

  /** A statement has its response, or failed. */
  end(): void {
    this.#pending--;
  }

  /** Something came from the server. */
  note(): void {
    this.#last = performance.now();
  }

  /** For how long a response has been waited for, in milliseconds; 0 if none is. */
  waited(now: number): number {
    return this.#pending > 0 ? now - this.#last : 0;
  }

  /** For how long nothing has been sent or received, in milliseconds; 0 while a response is waited for. */
  idled(now: number): number {
    return this.#pending > 0 ? 0 : now - this.#last;
  }
}
