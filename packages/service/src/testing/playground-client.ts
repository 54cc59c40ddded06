// A client of a playground in tests. It gets its tokens as clients do, and compares every response with openapi.json.
import assert from 'node:assert/strict';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JWT_BEARER_GRANT, type PlaygroundCredentials } from '@landfall/contract';
import { SignJWT } from 'jose';
import { findPort } from '../../../playground/dist/find-port.js';
import type { Playground } from '../../../playground/dist/playground.js';
import { type ServeOptions, servePlayground } from '../../../playground/dist/serve-playground.js';
import { type Config, readConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { checkResponse, type ReceivedResponse } from './openapi-responses.js';

/** The parts of a request, without its address. */
export type Sent = {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body that is sent unchanged, instead of `body` as JSON. */
  raw?: string | Uint8Array<ArrayBuffer>;
};

/** A playground for tests, on a database that it closes. */
export class TestPlayground {
  readonly playground: Playground;
  readonly #folder: string;
  readonly #tokens = new Map<string, Promise<string>>();

  private constructor(playground: Playground, folder: string) {
    this.playground = playground;
    this.#folder = folder;
  }

  static async start(
    database: Database,
    given: Partial<Config> = {},
    options: ServeOptions = {},
  ): Promise<TestPlayground> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    const config = readConfig({}, { dataFolder: folder, logLevel: 'silent', ...given });
    const port = await findPort(config.host, given.port ?? 0);
    const playground = await servePlayground({ ...config, port }, database, {
      keepsCredentials: given.dataFolder !== undefined,
      ...options,
    });
    return new TestPlayground(playground, folder);
  }

  async close(): Promise<void> {
    await this.playground.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A customs token of an identity, requested once. */
  token(name: string): Promise<string> {
    const known = this.#tokens.get(name);
    if (known !== undefined) return known;
    const token = this.#requestToken(name);
    this.#tokens.set(name, token);
    return token;
  }

  credentials(name: string): PlaygroundCredentials {
    const found = this.playground.identities.find((credentials) => credentials.name === name);
    assert(found, `there is no identity ${name}`);
    return found;
  }

  /** Calls an address below the base address, with the token of an identity if one is named. */
  async call(
    path: string,
    { as, ...sent }: Sent & { as?: string } = {},
  ): Promise<ReceivedResponse> {
    const authorization =
      as === undefined ? {} : { authorization: `Bearer ${await this.token(as)}` };
    return this.send(path, { ...sent, headers: { ...authorization, ...sent.headers } });
  }

  get(path: string, as: string, headers: Record<string, string> = {}): Promise<ReceivedResponse> {
    return this.call(path, { as, headers });
  }

  post(path: string, as: string, body: unknown): Promise<ReceivedResponse> {
    return this.call(path, { as, method: 'POST', body });
  }

  /** Presents at a level; a requestId and an office are filled in. */
  present(
    level: string,
    as: string,
    reference: Record<string, unknown>,
    requestId: string = randomUUID(),
  ): Promise<ReceivedResponse> {
    return this.post(`/api/movement/presentation/v1/${level}`, as, {
      requestId,
      customsOfficeOfPresentation: 'NO351001',
      ...reference,
    });
  }

  async send(
    path: string,
    { method = 'GET', headers = {}, body, raw }: Sent,
  ): Promise<ReceivedResponse> {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const type: Record<string, string> =
      content === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${this.playground.baseUrl}${path}`, {
      method,
      headers: { ...type, ...headers },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && !isNdjson(response);
    const received = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : text,
    };
    checkResponse(method, path, received);
    return received;
  }

  async #requestToken(name: string): Promise<string> {
    const { idpUrl, baseUrl } = this.playground;
    const credentials = this.credentials(name);
    const granted = await postForm(`${idpUrl}/token`, {
      grant_type: JWT_BEARER_GRANT,
      assertion: await signGrant(credentials),
    });
    const exchanged = await postForm(`${baseUrl}/api/access/external/oauth/token`, {
      grant_type: 'token-exchange',
      subject_token_type: 'access_token',
      subject_token: granted,
    });
    return exchanged;
  }
}

/** A grant for all scopes that the identity's client may request. */
function signGrant(credentials: PlaygroundCredentials): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ scope: credentials.scopes.join(' ') })
    .setProtectedHeader({
      alg: credentials.alg,
      ...(credentials.kid === undefined ? { x5c: credentials.x5c } : { kid: credentials.kid }),
    })
    .setIssuer(credentials.client_id)
    .setAudience(credentials.idp_url)
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .setJti(randomUUID())
    .sign(createPrivateKey(credentials.private_key));
}

async function postForm(url: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  const body: unknown = await response.json();
  assert(
    typeof body === 'object' && body !== null && 'access_token' in body,
    `${url}: ${response.status} ${JSON.stringify(body)}`,
  );
  return String(body.access_token);
}

function isNdjson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/x-ndjson') ?? false;
}
