// What a program can observe of the requests of the client. No hook sees a token.

/** One attempt of a call. */
export type RequestEvent = {
  /** The operation, such as `presentHouseConsignment`. */
  operationId: string;
  method: string;
  url: string;
  /** 1 for the first. */
  attempt: number;
};

/** The response to an attempt: its headers have arrived. */
export type ResponseEvent = RequestEvent & { status: number; durationMs: number };

/** An attempt failed and is repeated after a pause. */
export type RetryEvent = { operationId: string; attempt: number; delayMs: number; error: unknown };

/** Callbacks for logs and metrics. What they throw is ignored: whoever observes a call does not change it. */
export type Hooks = {
  onRequest?: ((event: RequestEvent) => void) | undefined;
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /**
   * Returns the `traceparent` (W3C Trace Context) to send with a request.
   *
   * @example
   * traceparent: () => {
   *   const carrier = {};
   *   propagation.inject(context.active(), carrier);
   *   return carrier.traceparent;
   * }
   */
  traceparent?: (() => string | undefined) | undefined;
};

/** Calls a hook; `undefined` if it throws. What an asynchronous one rejects with is ignored too. */
export function observe<Result>(hook: () => Result): Result | undefined {
  try {
    const result = hook();
    if (result instanceof Promise) result.catch(() => undefined);
    return result;
  } catch {
    return undefined;
  }
}
