// A running server for the tests of access, with a database and the playground's identities.
import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JWT_BEARER_GRANT, type PlaygroundCredentials } from '@landfall/contract';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import { findPort } from '../../../playground/dist/find-port.js';
import { prepareIdentities } from '../../../playground/dist/identities.js';
import {
  type IdentityProvider,
  openIdentityProvider,
} from '../../../playground/dist/identity-provider/identity-provider.js';
import { serveIdentityProvider } from '../../../playground/dist/identity-provider/routes.js';
import { type Access, type AccessSettings, createAccess } from '../access/access.js';
import { oneAddress } from '../access/addresses.js';
import { addAccessRoutes } from '../access/routes.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { migrate } from '../database/migrate.js';
import { BackgroundFailures } from '../http/background-failures.js';
import { RateLimit } from '../http/rate-limit.js';
import { makeServer } from '../http/server.js';
import { wideLimits } from './wide-limits.js';

/** A clock that tests can advance. */
export type Clock = { (): Date; moveOn(seconds: number): void };

/** A running server. */
export type Running = {
  baseUrl: string;
  idpUrl: string;
  database: Database;
  dataFolder: string;
  access: Access;
  identityProvider: IdentityProvider;
  clock: Clock;
  /** The lines of the log. */
  log: string[];
  credentials(name: string): PlaygroundCredentials;
  close(): Promise<void>;
};

export function makeClock(): Clock {
  let moved = 0;
  return Object.assign(() => new Date(Date.now() + moved * 1000), {
    moveOn: (seconds: number) => {
      moved += seconds;
    },
  });
}

/** Starts a server. `settings` override those of the access module. */
export async function startAccess({
  trustedIssuers = [],
  database,
  dataFolder,
  clock = makeClock(),
  tokenRates = {},
  baseUrl: chosenUrl,
  ...settings
}: Partial<AccessSettings> & {
  baseUrl?: string;
  trustedIssuers?: string[];
  dataFolder?: string;
  clock?: Clock;
  /** Token requests per second of an address and of a client; unlimited by default. */
  tokenRates?: { address?: number; client?: number };
} = {}): Promise<Running> {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'landfall-access-')));
  const opened = database ?? (await openInMemory());
  await migrate(opened);
  const log: string[] = [];
  const { app } = await makeServer({
    logLevel: 'debug',
    logTo: { write: (line) => log.push(line) },
  });
  // The parts below need the address before the server listens, so a free port is chosen first.
  const baseUrl = chosenUrl ?? `http://localhost:${await findPort('localhost', 0)}`;
  const idpUrl = `${baseUrl}/idp`;
  const scopePrefix = settings.scopePrefix ?? 'customs:';
  const identities = await prepareIdentities({
    database: opened,
    audit: new AuditTrail(),
    dataFolder,
    baseUrl,
    idpUrl,
    scopePrefix,
    now: clock(),
  });
  const clients = new RateLimit(tokenRates.client ?? 0, 'client');
  const admitClient = (clientId: string) => clients.count(clientId, Date.now());
  const keysFolder = join(folder, 'keys');
  const identityProvider = await openIdentityProvider({
    database: opened,
    addresses: oneAddress(baseUrl),
    scopePrefix,
    trustedIssuers: [...identities.trustedIssuers, ...trustedIssuers],
    keys: { folder: keysFolder },
    clock,
  });
  const access = await createAccess({
    admitClient,
    database: opened,
    audit: new AuditTrail(),
    addresses: oneAddress(baseUrl),
    scopePrefix,
    keysFolder,
    identityProvider,
    clock,
    elapsedMs: () => clock().getTime(),
    ...settings,
  });
  const rateLimit = new RateLimit(0);
  const http = {
    app,
    authenticate: access.authenticate,
    rateLimit,
    ...wideLimits(),
    scopePrefix,
    baseUrl,
    ownAddresses: oneAddress(baseUrl),
    clock,
  };
  const addresses = new RateLimit(tokenRates.address ?? 0, 'address');
  addAccessRoutes(http, access, addresses);
  if (settings.identityProvider === undefined) {
    const failures = new BackgroundFailures(app.log);
    serveIdentityProvider({ http, addresses, admitClient, failures }, identityProvider);
  }
  await app.listen({ port: Number(new URL(baseUrl).port), host: 'localhost' });

  return {
    baseUrl,
    idpUrl,
    database: opened,
    dataFolder: folder,
    access,
    identityProvider,
    clock,
    log,
    credentials: (name) => {
      const found = identities.credentials.find((credentials) => credentials.name === name);
      if (found === undefined) throw new Error(`there is no identity ${name}`);
      return found;
    },
    close: async () => {
      await app.close();
      await access.close();
      if (database === undefined) await opened.close();
      if (dataFolder === undefined) await rm(folder, { recursive: true });
    },
  };
}

/** A grant before it is signed. */
export type UnsignedGrant = {
  header: JWTHeaderParameters;
  claims: Record<string, unknown>;
  key: KeyObject | Uint8Array;
};

/** A valid grant, from which tests make invalid ones. */
export function goodGrant(
  {
    client_id: clientId,
    scopes,
    private_key: privateKey,
    alg,
    x5c,
    idp_url: idpUrl,
  }: PlaygroundCredentials,
  now: Date = new Date(),
): UnsignedGrant {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    header: { alg, x5c },
    claims: {
      iss: clientId,
      aud: idpUrl,
      scope: scopes[0],
      iat: seconds,
      exp: seconds + 60,
      jti: randomUUID(),
    },
    key: createPrivateKey(privateKey),
  };
}

export function signGrant({ header, claims, key }: UnsignedGrant): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

/** The response of a token endpoint. */
export type TokenResponse = {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
};

export async function postForm(
  url: string,
  form: Record<string, string> | string | URLSearchParams,
): Promise<TokenResponse> {
  const response = await fetch(url, {
    method: 'POST',
    body: typeof form === 'string' ? form : new URLSearchParams(form),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return readResponse(response);
}

/** Reads a JSON response. */
export async function readResponse(response: Response): Promise<TokenResponse> {
  // The cast is true because every JSON response here is an object; a test with another one fails.
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

export async function sendGrant(
  { idpUrl }: Pick<Running, 'idpUrl'>,
  grant: UnsignedGrant | string,
): Promise<TokenResponse> {
  const assertion = typeof grant === 'string' ? grant : await signGrant(grant);
  return postForm(`${idpUrl}/token`, { grant_type: JWT_BEARER_GRANT, assertion });
}

export function exchange(
  { baseUrl }: Pick<Running, 'baseUrl'>,
  subjectToken: string,
): Promise<TokenResponse> {
  return postForm(`${baseUrl}/api/access/external/oauth/token`, {
    grant_type: 'token-exchange',
    subject_token_type: 'access_token',
    subject_token: subjectToken,
  });
}

/** The identity provider's token of an identity. */
export async function getAccessToken(running: Running, name: string): Promise<string> {
  const { body } = await sendGrant(running, goodGrant(running.credentials(name), running.clock()));
  return String(body.access_token);
}

/** The customs token of an identity. */
export async function getCustomsToken(running: Running, name: string): Promise<string> {
  const { body } = await exchange(running, await getAccessToken(running, name));
  return String(body.access_token);
}

/** Calls with a token. */
export function call(
  { baseUrl }: Pick<Running, 'baseUrl'>,
  token: string,
  path = '/api/movement/road/v2/test-auth',
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token}` },
  });
}
