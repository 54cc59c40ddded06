// Calls operations of the contract as one identity, or without a token.
import { type Operation, operations } from '@landfall/contract';
import type { Identity } from '../settings/settings.js';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.js';
import { EventStream } from './read-events.js';
import { RESPONSE_TIMEOUT_MS, send } from './send.js';

export type OperationId = keyof typeof operations;

/** The parts of a request; a member that is absent is not sent. */
export type CallOptions = {
  /** Values of the parameters in the path. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | undefined>> | readonly [string, string][];
  headers?: Readonly<Record<string, string>>;
  /** A body that is sent as JSON. */
  json?: unknown;
  /** A body that is sent as a form. */
  form?: Readonly<Record<string, string>> | readonly [string, string][];
  /** A body that is sent unchanged. */
  raw?: string | Uint8Array<ArrayBuffer>;
  /** The media type of `raw`; default `application/json`. */
  type?: string;
  /** Sends the body in chunks, without its length. */
  chunked?: boolean;
  /** Another method than that of the operation. */
  method?: string;
  /** Replaces the token of the identity; `null` sends none. */
  token?: string | null;
  timeoutMs?: number;
};

/** Where requests go, and who records them. */
export type Connection = {
  baseUrl: string;
  signal: AbortSignal;
  record: (exchange: Exchange) => void;
};

/** Returns a customs token of an identity. */
export type GetToken = (identity: Identity) => Promise<string>;

/** Calls operations as one identity, or as nobody. */
export class Caller {
  readonly #connection: Connection;
  readonly #identity: Identity | undefined;
  readonly #getToken: GetToken;

  constructor(connection: Connection, identity: Identity | undefined, getToken: GetToken) {
    this.#connection = connection;
    this.#identity = identity;
    this.#getToken = getToken;
  }

  /** The identifier of its organisation. */
  get organisation(): string {
    return this.#identity?.organisation ?? '';
  }

  /** Calls an operation. */
  async call(operationId: OperationId, options: CallOptions = {}): Promise<HttpResponse> {
    const { method, path, parameters = {} }: Operation = operations[operationId];
    const defaults = Object.entries(parameters).map(([name, schema]) => [name, defaultOf(schema)]);
    return this.request(options.method ?? method, path, {
      ...options,
      path: { ...Object.fromEntries(defaults), ...options.path },
    });
  }

  /** Sends a request to any path of the service. */
  async request(method: string, path: string, options: CallOptions = {}): Promise<HttpResponse> {
    const { signal, record } = this.#connection;
    const request = await this.#makeRequest(method, path, options);
    return send(request, { signal, timeoutMs: options.timeoutMs }, record);
  }

  /** Opens a stream of server-sent events. */
  async openEvents(operationId: OperationId, options: CallOptions = {}): Promise<EventStream> {
    const { signal, record } = this.#connection;
    const headers = { ...options.headers, accept: 'text/event-stream' };
    const { path } = operations[operationId];
    const request = await this.#makeRequest('GET', path, { ...options, headers });
    return EventStream.open(request, signal, RESPONSE_TIMEOUT_MS, record);
  }

  async #makeRequest(method: string, path: string, options: CallOptions): Promise<HttpRequest> {
    const { headers, query = {}, path: values = {}, chunked } = options;
    const { type, body } = bodyOf(options);
    const token = await this.#token(options);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(values[name] ?? ''),
    );
    const search = searchOf(query);
    return {
      method,
      url: `${this.#connection.baseUrl}${filled}${search}`,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(type !== undefined && { 'content-type': type }),
        ...headers,
      },
      body,
      chunked,
    };
  }

  async #token({ token }: CallOptions): Promise<string | null> {
    if (token !== undefined) return token;
    return this.#identity === undefined ? null : this.#getToken(this.#identity);
  }
}

function searchOf(query: NonNullable<CallOptions['query']>): string {
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const given = pairs.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function bodyOf({
  json,
  form,
  raw,
  type,
}: CallOptions): Pick<HttpRequest, 'body'> & { type?: string } {
  if (raw !== undefined) return { body: raw, type: type ?? 'application/json' };
  if (json !== undefined) return { body: JSON.stringify(json), type: type ?? 'application/json' };
  if (form === undefined) return {};
  const fields = new URLSearchParams(Array.isArray(form) ? [...form] : { ...form });
  return { body: fields.toString(), type: type ?? 'application/x-www-form-urlencoded' };
}

/** An operation of the contract by its name. */
export function operationOf(operationId: OperationId): Operation {
  return operations[operationId];
}

/** The value of a parameter that a client may leave out; empty if it has to be given. */
function defaultOf(schema: object): string {
  return 'default' in schema ? String(schema.default) : '';
}
