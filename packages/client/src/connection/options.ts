// Options of a connection and of a call.
import type { Hooks } from '../http/hooks.js';
import type { RetryPolicy } from '../http/retry.js';
import type { Fetch } from '../http/send-request.js';
import type { TokenSource } from '../tokens/token-source.js';

/** How long a response may take by default, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Options of a connection. */
export type ConnectionOptions = {
  /** Address of the service, such as `https://customs.example`. */
  baseUrl: string;
  /**
   * Where tokens come from; without it only public operations can be called. `'cookie'`: there are none, because the
   * browser sends the cookie of a session.
   */
  tokens?: TokenSource | 'cookie' | undefined;
  /**
   * How long a response may take, head and body together, in milliseconds; default 30,000. It may be longer than the 300 seconds of Node.js;
   * browsers end a connection that is silent for about five minutes.
   */
  timeoutMs?: number | undefined;
  /**
   * Whether tokens may be sent over http to other machines, where everybody on the way can read them; default false. This
   * machine (`localhost`, `127.0.0.1`, `[::1]`) is always allowed.
   */
  allowHttp?: boolean | undefined;
  /** How calls are repeated; members that are left out have their defaults. `false`: never. */
  retry?: Partial<RetryPolicy> | false | undefined;
  /**
   * Headers of every request to the service, such as those of a gateway; not of requests to an identity provider. Those of
   * a call replace them. A `user-agent` replaces that of the library, `landfall-client/VERSION`.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Callbacks for logs, metrics and traces. */
  hooks?: Hooks | undefined;
  /** Sends the requests; default the platform's `fetch`. */
  fetch?: Fetch | undefined;
};

/** Options of a call. */
export type RequestOptions = {
  /** Aborts the call, pauses between attempts included. The call throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** More request headers. A header replaces the one that the client would send. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Operations that replace a state: the `etag` of the one that is to be replaced. Any other is refused with 412, also when
   * the call is repeated after its response was lost.
   */
  ifMatch?: string | undefined;
  /** Operations that create or replace: `'*'` only creates. If there is one already, the call is refused with 412. */
  ifNoneMatch?: '*' | undefined;
  /**
   * How long an attempt may take, in milliseconds. Of a streamed upload or result: how long the service may make no
   * progress. Default: that of the connection.
   */
  timeoutMs?: number | undefined;
  /**
   * Lists that can wait: how many seconds the service holds an empty response back until there is an entry, 60 at most.
   * The timeout is extended by it.
   */
  waitSeconds?: number | undefined;
  /** Members replace those of the connection. `false`: one attempt. */
  retry?: Partial<RetryPolicy> | false | undefined;
  /**
   * Whether the call may be repeated when its outcome is unknown. Default: whether the operation is idempotent.
   * Presenting is not; `present` and the methods for presenting settle an unknown outcome. Decisions are if they are
   * given as an array; set it for a text of which each line has a `decisionId`.
   */
  repeatUnknown?: boolean | undefined;
  /** Is called before each request of the call is sent. Until then the service has received nothing of the call. */
  onSend?: (() => void) | undefined;
};
