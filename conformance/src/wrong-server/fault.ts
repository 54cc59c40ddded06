// What a fault is: a change of requests and responses between the suite and a service that has no fault.

/** A request on its way to the service. A fault may change each member. */
export type ProxiedRequest = {
  method: string;
  /** Path and query. */
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Whether the body came in chunks, without its length. */
  chunked?: boolean;
};

/** A response on its way to the suite. A fault may change each member. */
export type ProxiedResponse = {
  status: number;
  /** The words of the status line after the code; by default those of HTTP. */
  reason?: string;
  headers: Record<string, string>;
  body: string;
};

/** Sends another request to the service. */
export type Forward = (request: ProxiedRequest) => Promise<ProxiedResponse>;

/** What a wrong server does; a new one is made for each run, with its own state. */
export type Behaviour = {
  /** Changes a request, or responds to it in place of the service. */
  onRequest?(
    request: ProxiedRequest,
    forward: Forward,
  ): ProxiedResponse | undefined | Promise<ProxiedResponse | undefined>;
  /** Changes a complete response. */
  onResponse?(
    response: ProxiedResponse,
    request: ProxiedRequest,
    forward: Forward,
  ): void | Promise<void>;
  /** Changes the headers of a stream of events. */
  onEvents?(headers: Record<string, string>, request: ProxiedRequest): void;
  /** Changes one server-sent event; an empty text leaves it out. */
  onEvent?(event: string, request: ProxiedRequest): string;
};

/** One fault of a server. */
export type Fault = {
  /** What the server does wrong, as the end of a sentence that begins with "The server". */
  name: string;
  /** The requirements of which at least one catches it. */
  caughtBy: readonly string[];
  make(): Behaviour;
};

/** A JSON response of the wrong server itself. */
export function respond(
  status: number,
  body: unknown,
  mediaType = 'application/json',
): ProxiedResponse {
  return { status, headers: { 'content-type': mediaType }, body: JSON.stringify(body) };
}

/** A problem of the wrong server itself. */
export function respondProblem(
  status: number,
  validationErrors?: readonly unknown[],
): ProxiedResponse {
  const problem = {
    type: 'about:blank',
    title: 'Problem',
    status,
    detail: 'wrong server',
    instance: `urn:uuid:${crypto.randomUUID()}`,
    ...(validationErrors !== undefined && { validationErrors }),
  };
  return respond(status, problem, 'application/problem+json');
}

/** Replaces a response by another one. */
export function replace(response: ProxiedResponse, other: ProxiedResponse): void {
  Object.assign(response, other);
}

/** Changes the JSON body of a response; `change` returns the new value. */
export function changeJson(response: ProxiedResponse, change: (body: Json) => unknown): void {
  if (!/json/.test(response.headers['content-type'] ?? '')) return;
  if (/ndjson/.test(response.headers['content-type'] ?? '')) return;
  response.body = JSON.stringify(change(JSON.parse(response.body)));
}

/** A JSON value whose members are read as they come: faults change what the service has made. */
// biome-ignore lint/suspicious/noExplicitAny: a fault names members of messages of many schemas
export type Json = any;

/** The body of a response as JSON, or `undefined`. */
export function jsonOf({ body }: { body: string }): Json {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The code of the first validation error of a response. */
export function firstCode(response: ProxiedResponse): string | undefined {
  return jsonOf(response)?.validationErrors?.[0]?.code;
}
