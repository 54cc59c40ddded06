// Calls operations: address, token, body, attempts and result.
import { ApiError } from '../errors/api-error.js';
import {
  ConfigurationError,
  noteMethod,
  UnexpectedResponseError,
} from '../errors/landfall-error.js';
import { readApiError } from '../errors/read-api-error.js';
import { trimAddress } from '../http/address.js';
import { type Hooks, observe } from '../http/hooks.js';
import type { OpenResponse } from '../http/open-response.js';
import { platformFetch } from '../http/platform-fetch.js';
import { changePolicy, DEFAULT_RETRY, type RetryPolicy, retrying } from '../http/retry.js';
import { requireSecure } from '../http/secure-address.js';
import { redirectOf, sendRequest, type Transport } from '../http/send-request.js';

import type { TokenSource } from '../tokens/token-source.js';
import { scopeOf } from './in-mode.js';
import type { Operation, OperationInput } from './operation.js';
import { type ConnectionOptions, DEFAULT_TIMEOUT_MS, type RequestOptions } from './options.js';
import { type Call, prepareRequest } from './prepare-request.js';

/** More of an error response is not read, in bytes. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** A connection to a service: `call` calls any operation of `@landfall/client/operations`. */
export class Connection {
  /** Address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly #tokens: TokenSource | 'cookie' | undefined;
  readonly #timeoutMs: number;
  readonly #headers: Readonly<Record<string, string>>;
  /** How calls are repeated unless their options say otherwise. */
  readonly retryPolicy: RetryPolicy;
  readonly #transport: Transport;

  constructor(options: ConnectionOptions) {
    const { baseUrl, tokens, timeoutMs, retry, allowHttp, headers, hooks, fetch } = options;
    if (!URL.canParse(baseUrl)) throw new ConfigurationError(`baseUrl is not a URL: ${baseUrl}`);
    // A browser decides itself which pages it trusts with a session.
    if (tokens !== 'cookie' && tokens !== undefined) requireSecure(baseUrl, 'baseUrl', allowHttp);
    this.baseUrl = trimAddress(baseUrl);
    this.#tokens = tokens;
    this.#timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#headers = headers ?? {};
    this.retryPolicy = changePolicy(DEFAULT_RETRY, retry);
    this.#transport = { fetch: fetch ?? platformFetch, hooks: hooks ?? {} };
  }

  /**
   * Calls an operation and reads its result.
   *
   * @throws ApiError when the service refuses the call
   * @throws ConnectionError, TimeoutError when there is no complete response
   * @throws TokenError when there is no token for it
   * @example
   * const page = await connection.call(readRoutingSignals, { query: { marker } });
   */
  async call<Input extends OperationInput, Result>(
    operation: Operation<Input, Result>,
    input: Input,
    options: RequestOptions = {},
  ): Promise<Result> {
    const { result: form, operationId } = operation;
    const result = await this.#attempts(operation, input, options, async (open) =>
      'stream' in form ? form.stream(open, operationId) : form.read(open, operationId),
    );
    // True because the table of operations is generated together with their types.
    return result as Result;
  }

  /**
   * Calls an operation and leaves the response to the caller, who reads it to its end or closes it: for streams of
   * events, and for headers. Only the start of the response is attempted again.
   */
  open(
    operation: Operation,
    input: OperationInput,
    options: RequestOptions = {},
  ): Promise<OpenResponse> {
    return this.#attempts(operation, input, options, async (open) => open);
  }

  /** The callbacks of the connection. */
  get hooks(): Hooks {
    return this.#transport.hooks;
  }

  async #attempts<Result>(
    operation: Operation,
    input: OperationInput,
    options: RequestOptions,
    read: (open: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    const body = operation.body?.open(input.body);
    const canResend = () => body?.canResend ?? true;
    const { operationId } = operation;
    const attemptOnce = (attempt: number) =>
      this.#withToken(operation, input, options, canResend, async (token) => {
        try {
          return await read(await this.#send({ operation, input, options, body, attempt, token }));
        } catch (error) {
          noteMethod(error, operation.method);
          throw error;
        }
      });
    return retrying(attemptOnce, {
      policy: changePolicy(this.retryPolicy, options.retry),
      signal: options.signal,
      idempotent: options.repeatUnknown ?? (operation.idempotent && (body?.isRepeatable ?? true)),
      canResend,
      onRetry: (retry) => observe(() => this.#transport.hooks.onRetry?.({ operationId, ...retry })),
    });
  }

  /** Sends with a token; once more with a new one if the service refuses the token before its time. */
  async #withToken<Result>(
    operation: Operation,
    input: OperationInput,
    { signal }: RequestOptions,
    canResend: () => boolean,
    send: (token: string | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { access, operationId } = operation;
    const tokens = this.#tokens;
    if (access === 'public' || tokens === 'cookie') return send(undefined);
    if (tokens === undefined) {
      throw new ConfigurationError(`${operationId} needs a token: give credentials`);
    }
    const scopes = operation.scopeOfMode ? [scopeOf(input)] : access === 'any-token' ? [] : access;
    const token = await tokens.getToken(scopes, signal);
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      tokens.discard(token);
      if (!canResend()) throw error;
      return send(await tokens.getToken(scopes, signal));
    }
  }

  /** One attempt: resolves with a response whose status is 2xx. */
  async #send(call: Call): Promise<OpenResponse> {
    const { request, timer } = prepareRequest(call, this.baseUrl, this.#timeoutMs, this.#headers);
    call.options.onSend?.();
    const open = await sendRequest(this.#transport, request, timer);
    if (open.response.ok) return open;
    const redirect = redirectOf(open.response);
    if (redirect !== undefined) {
      open.close();
      throw new UnexpectedResponseError(
        `${this.baseUrl} redirects ${request.operationId} to ${redirect}, which is not followed: give its own address`,
      );
    }
    // The status is enough where the rest of the response is lost.
    const text = await open.text(MAX_ERROR_BYTES).catch(() => '');
    call.options.signal?.throwIfAborted();
    throw readApiError(request.operationId, open.response, text);
  }
}
