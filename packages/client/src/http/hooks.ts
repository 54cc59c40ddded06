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

/** Callbacks for logs and metrics. They must not throw. */
export type Hooks = {
  onRequest?: (event: RequestEvent) => void;
  onResponse?: (event: ResponseEvent) => void;
  onRetry?: (event: RetryEvent) => void;
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
  traceparent?: () => string | undefined;
};
