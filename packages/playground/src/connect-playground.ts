// Controls a playground that runs elsewhere, such as in a container or in another process of a test suite, over HTTP.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import {
  ControlResultError,
  type ControlResultName,
  type PlaygroundCredentials,
  type PlaygroundIdentity,
  readControlResult,
  type Scenario,
} from '@landfall/contract';
import { type ClientOptions, clientOptions } from './client-options.js';
import type { ClockChange, ClockState } from './clock.js';
import type { DatasetPage, DatasetQuery } from './dataset/dataset-query.js';
import { PlaygroundOptionError } from './option-error.js';
import { UnknownIdentityError } from './playground.js';
import type { Exchange } from './recording/exchange.js';
import type { Expectation } from './recording/expectation.js';
import type { ScenarioState } from './scenarios/scenario-state.js';
import type { Snapshot } from './snapshots.js';

/** How long a response may take beyond what is waited for, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** How long a space may take beyond that, in milliseconds: of many at once, each waits for those before it. */
const SPACE_WAIT_MS = 900_000;

/** Where a playground is. */
export type ConnectOptions = {
  /** An address at which it is reached, such as that of a mapped port. It must be one of its `publicUrl`, or on this machine. */
  url: string;
  /** Its control secret, if it has one; for a space of a hosted playground, the access code. */
  controlSecret?: string | undefined;
  /**
   * Whether the secret may be sent over http to another machine, where everybody on the way can read it, as in a network of
   * containers; default: no.
   */
  allowHttp?: boolean | undefined;
};

/** The playground refuses, or cannot be controlled from here; the message is its own. */
export class PlaygroundControlError extends Error {
  readonly code = 'PLAYGROUND_CONTROL';
  override name = 'PlaygroundControlError';
  /** The status of the response. */
  readonly status: number;
  /** The members that break rules. */
  readonly errors: readonly { field: string; error: string }[];

  constructor(
    message: string,
    status: number,
    errors: readonly { field: string; error: string }[],
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** A playground, or a space of one, that runs elsewhere. Everything is as in `PlaygroundParts`, over HTTP. */
export class RemotePlayground {
  readonly baseUrl: string;
  readonly idpUrl: string;
  readonly #call: Call;
  #identities: PlaygroundCredentials[];

  constructor(call: Call, { baseUrl, idpUrl, identities }: Access) {
    this.baseUrl = baseUrl;
    this.idpUrl = idpUrl;
    this.#call = call;
    this.#identities = identities;
  }

  get identities(): readonly PlaygroundCredentials[] {
    return this.#identities;
  }

  /**
   * The options with which a client acts as an identity.
   *
   * @throws UnknownIdentityError
   */
  credentials(name: string): ClientOptions {
    const found = this.#identities.find((identity) => identity.name === name);
    if (found !== undefined) return clientOptions(found);
    const names = this.#identities.map((identity) => identity.name).join(', ');
    throw new UnknownIdentityError(`there is no identity ${name}; there are ${names}`);
  }

  /** Adds an identity, or replaces the one of its name. */
  async putIdentity({
    name,
    kind: _,
    ...body
  }: PlaygroundIdentity): Promise<PlaygroundCredentials> {
    const path = `/identities/${encodeURIComponent(name)}`;
    const put = await this.#call<PlaygroundCredentials>('identity', 'PUT', path, { body });
    this.#identities = [...this.#identities.filter((each) => each.name !== name), put];
    return put;
  }

  /** Removes an identity; an error with the status 404 if there is none. */
  async removeIdentity(name: string): Promise<void> {
    await this.#call('nothing', 'DELETE', `/identities/${encodeURIComponent(name)}`);
    this.#identities = this.#identities.filter((each) => each.name !== name);
  }

  async dataset(query: DatasetQuery = {}): Promise<DatasetPage> {
    return this.#call('page of the dataset', 'GET', '/dataset', { query });
  }

  async clock(): Promise<ClockState> {
    return this.#call('clock', 'GET', '/clock');
  }

  async setClock(change: ClockChange): Promise<ClockState> {
    return this.#call('clock', 'PUT', '/clock', { body: change });
  }

  async reset(snapshot?: string): Promise<void> {
    await this.#call('nothing', 'POST', '/reset', { query: { snapshot } });
  }

  async snapshot(name: string): Promise<Snapshot> {
    return this.#call('snapshot', 'POST', '/snapshots', { body: { name } });
  }

  async addScenario(scenario: Scenario): Promise<ScenarioState> {
    return this.#call('scenario', 'POST', '/scenarios', { body: scenario });
  }

  async scenarios(): Promise<ScenarioState[]> {
    return (await this.#call<{ scenarios: ScenarioState[] }>('scenarios', 'GET', '/scenarios'))
      .scenarios;
  }

  async clearScenarios(): Promise<void> {
    await this.#call('nothing', 'DELETE', '/scenarios');
  }

  async requests(): Promise<Exchange[]> {
    return (await this.#call<{ requests: Exchange[] }>('requests', 'GET', '/requests')).requests;
  }

  async clearRequests(): Promise<void> {
    await this.#call('nothing', 'DELETE', '/requests');
  }

  /** @throws PlaygroundControlError with the status 412, whose message says how the nearest requests differ */
  async verify(expected: Expectation): Promise<Exchange[]> {
    const options = { body: expected, waitMs: expected.within ?? 0 };
    return (
      await this.#call<{ requests: Exchange[] }>('requests', 'POST', '/verifications', options)
    ).requests;
  }
}

/** A space that runs elsewhere. */
export class RemoteSpace extends RemotePlayground {
  readonly name: string;
  readonly #close: () => Promise<void>;

  constructor(call: Call, access: Access & { name: string }, close: () => Promise<void>) {
    super(call, access);
    this.name = access.name;
    this.#close = close;
  }

  /** Ends it; without an effect if it has ended. */
  close(): Promise<void> {
    return this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

/** A whole playground that runs elsewhere; whoever started it ends it. */
export class ConnectedPlayground extends RemotePlayground {
  readonly #options: ConnectOptions;
  readonly #ownCall: Call;

  constructor(options: ConnectOptions, call: Call, access: Access) {
    super(call, access);
    this.#options = options;
    this.#ownCall = call;
  }

  /**
   * Makes a space.
   *
   * @param name 1 to 63 lower-case letters, digits and hyphens; default: a new one
   * @throws PlaygroundControlError with the status 400 for the name, and 429 when there are too many
   */
  async space(name?: string): Promise<RemoteSpace> {
    const body = name === undefined ? {} : { name };
    const options = { body, waitMs: SPACE_WAIT_MS };
    const made = await this.#ownCall<Access & { name: string }>(
      'space',
      'POST',
      '/spaces',
      options,
    );
    // Where this playground is reached from here. The secret goes to no address that a response names.
    const url = `${this.#options.url}/spaces/${encodeURIComponent(made.name)}`;
    const call = makeCall({ ...this.#options, url });
    return new RemoteSpace(call, made, async () => {
      const path = `/spaces/${encodeURIComponent(made.name)}`;
      await this.#ownCall('nothing', 'DELETE', path).catch((error: unknown) => {
        if (!(error instanceof PlaygroundControlError) || error.status !== 404) throw error;
      });
    });
  }
}

/**
 * Connects to a playground that runs, and reads the credentials of its identities.
 *
 * @throws PlaygroundControlError when it may not be controlled from here, or is no playground
 * @throws PlaygroundOptionError when the secret would be sent over http to another machine; nothing is sent then
 * @example
 * const playground = await connectPlayground({ url: 'http://localhost:49153', controlSecret });
 * await using space = await playground.space();
 * const landfall = new Landfall(space.credentials('carrier'));
 */
export async function connectPlayground(options: ConnectOptions): Promise<ConnectedPlayground> {
  const url = options.url.endsWith('/') ? options.url.slice(0, -1) : options.url;
  refusePlainHttp(options);
  const reached = { ...options, url };
  const call = makeCall(reached);
  return new ConnectedPlayground(
    reached,
    call,
    await call<Access>('credentials', 'GET', '/credentials'),
  );
}

/** As for tokens: on the way to another machine, everybody can read what is not encrypted. */
function refusePlainHttp({ url, controlSecret, allowHttp = false }: ConnectOptions): void {
  if (controlSecret === undefined || allowHttp) return;
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return;
  throw new PlaygroundOptionError(
    `url: the control secret would be sent to ${hostname} over http, where everybody on the way can read it: use https, or give allowHttp`,
  );
}

/** What the control address of credentials gives. */
type Access = { baseUrl: string; idpUrl: string; identities: PlaygroundCredentials[] };

type CallOptions = { body?: object; query?: object; waitMs?: number };

/** Calls a control address, and compares what it returns with what is expected. */
type Call = <Result>(
  expected: ControlResultName | 'nothing',
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Result>;

function makeCall({ url, controlSecret }: ConnectOptions): Call {
  return async <Result>(
    expected: ControlResultName | 'nothing',
    method: string,
    path: string,
    { body, query = {}, waitMs = 0 }: CallOptions = {},
  ) => {
    const address = new URL(`${url}/playground${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    // Not `fetch`, which gives up after 300 s without a response, and a space may take longer among many. Redirects are
    // refused: the secret is for this address alone.
    const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(address, {
      method,
      headers: {
        ...(controlSecret !== undefined && { authorization: `Bearer ${controlSecret}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS + waitMs),
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (response === undefined) throw new Error('there is no response');
    const { statusCode = 0 } = response;
    const answered = await readText(response);
    if (statusCode < 200 || statusCode >= 300) {
      throw toError(statusCode, answered, address.origin);
    }
    const result = readExpected(expected, answered, statusCode, `${method} ${address.pathname}`);
    // The cast is true because each caller names the type of what it expects.
    return result as Result;
  };
}

function readExpected(
  expected: ControlResultName | 'nothing',
  text: string,
  status: number,
  request: string,
): unknown {
  try {
    return readControlResult(expected, text);
  } catch (error) {
    if (!(error instanceof ControlResultError)) throw error;
    const message = `the response to ${request} ${error.message}: is it the address of a playground?`;
    throw new PlaygroundControlError(message, status, []);
  }
}

function toError(status: number, text: string, origin: string): PlaygroundControlError {
  try {
    const { title, detail = title, validationErrors: errors = [] } = JSON.parse(text);
    const rules = errors.map(
      ({ field, error }: { field: string; error: string }) => `${field} ${error}`,
    );
    return new PlaygroundControlError(
      [detail, ...rules].filter(Boolean).join('; '),
      status,
      errors,
    );
  } catch {
    return new PlaygroundControlError(`${origin} is no playground: ${status}`, status, []);
  }
}
