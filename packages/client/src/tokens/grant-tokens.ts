// A source of customs tokens for credentials: one token a scope, cached and renewed in time.
import { ConfigurationError } from '../errors/landfall-error.js';
import { TokenError } from '../errors/token-error.js';
import { trimAddress } from '../http/address.js';
import type { Hooks } from '../http/hooks.js';
import { onAbort } from '../http/on-abort.js';
import { platformFetch } from '../http/platform-fetch.js';
import { requireSecure } from '../http/secure-address.js';
import type { Fetch, Transport } from '../http/send-request.js';
import { type Credentials, DEFAULT_SCOPE_PREFIX } from './credentials.js';
import { digestIdentity } from './identity-digest.js';
import { obtainToken, type TokenAddresses } from './obtain-token.js';
import { openGrants, type SignGrant } from './sign-grant.js';
import type { TokenSource } from './token-source.js';
import type { StoredToken, TokenStore } from './token-store.js';

/** A token is renewed this long before it expires, in milliseconds. */
const RENEWAL_MARGIN_MS = 60_000;

/** After a renewal failed, the token that is still valid is used for this long before the next one, in milliseconds. */
const RENEWAL_PAUSE_MS = 5_000;

/** How long a call waits for a renewal while the token is still valid, in milliseconds. */
const RENEWAL_WAIT_MS = 1_000;

/** A clock that differs less from that of the identity provider is not the reason of a refusal, in milliseconds. */
const CLOCK_TOLERANCE_MS = 10_000;

/**
 * A clock that is wrong by more is not corrected, in milliseconds: a grant for a far time could be used by then by whoever
 * got it.
 */
const MAX_CLOCK_OFFSET_MS = 2 * 86_400_000;

/** The address of the exchange below that of the service. */
const EXCHANGE_PATH = '/api/access/external/oauth/token';

/** Options of a source of tokens. */
export type GrantTokensOptions = {
  /** Address of the service. */
  baseUrl: string;
  credentials: Credentials;
  /** Keeps tokens between runs; default: only in memory. */
  tokenStore?: TokenStore | undefined;
  /** How long each of the two requests for a token may take, in milliseconds; default 30,000. */
  timeoutMs?: number | undefined;
  /** Whether grants and tokens may be sent over http to other machines; default false. */
  allowHttp?: boolean | undefined;
  hooks?: Hooks | undefined;
  fetch?: Fetch | undefined;
};

type CachedToken = StoredToken & { renewAt: number };

/** A token that is being obtained, for all who wait for it. */
type Renewal = { token: Promise<CachedToken>; controller: AbortController; waiting: number };

/** Obtains tokens with grants. */
export class GrantTokens implements TokenSource {
  readonly #credentials: Credentials;
  readonly #addresses: TokenAddresses;
  readonly #transport: Transport;
  readonly #timeoutMs: number;
  readonly #store: TokenStore | undefined;
  readonly #service: string;
  #identity: Promise<string> | undefined;
  readonly #cached = new Map<string, CachedToken>();
  readonly #renewals = new Map<string, Renewal>();
  /** The token that was discarded last: a store may still have it. */
  #discarded: string | undefined;
  #sign: Promise<SignGrant> | undefined;
  /** How much the clock of the identity provider is ahead, in milliseconds, once it has refused a grant. */
  #clockOffsetMs = 0;

  constructor({
    baseUrl,
    credentials,
    tokenStore,
    timeoutMs,
    allowHttp,
    hooks,
    fetch,
  }: GrantTokensOptions) {
    const { identityProvider, exchangeUrl } = credentials;
    const service = trimAddress(baseUrl);
    this.#credentials = credentials;
    this.#addresses = {
      tokenUrl: identityProvider.tokenUrl ?? `${trimAddress(identityProvider.url)}/token`,
      exchangeUrl: exchangeUrl ?? `${service}${EXCHANGE_PATH}`,
    };
    requireSecure(this.#addresses.tokenUrl, 'the identity provider', allowHttp);
    requireSecure(this.#addresses.exchangeUrl, 'the token exchange', allowHttp);
    this.#transport = { fetch: fetch ?? platformFetch, hooks: hooks ?? {} };
    this.#timeoutMs = timeoutMs ?? 30_000;
    this.#store = tokenStore;
    this.#service = service;
  }

  async getToken(scopes: readonly string[], signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    const scope = this.#chooseScope(scopes);
    const cached = this.#cached.get(scope);
    if (cached !== undefined && Date.now() < cached.renewAt) return cached.token;
    const renewal = this.#renew(scope);
    const token = this.#wait(scope, renewal, signal);
    if (cached === undefined || Date.now() >= cached.expiresAt) return (await token).token;
    // The token that is still valid is used when its renewal fails or takes long; it may end meanwhile.
    const renewed = await settleWithin(token, RENEWAL_WAIT_MS);
    signal?.throwIfAborted();
    if (renewed !== undefined) return renewed.token;
    if (Date.now() >= cached.expiresAt) return (await token).token;
    cached.renewAt = Math.min(Date.now() + RENEWAL_PAUSE_MS, cached.expiresAt);
    return cached.token;
  }

  /**
   * A digest of who the client is and where it obtains tokens: the same exactly for clients that may share tokens. Use it
   * in the key of what is kept for one identity.
   */
  identity(): Promise<string> {
    this.#identity ??= digestIdentity(this.#credentials, this.#addresses);
    return this.#identity;
  }

  discard(token: string): void {
    this.#discarded = token;
    for (const [scope, cached] of this.#cached) {
      if (cached.token === token) this.#cached.delete(scope);
    }
  }

  /** The scope to request: the configured one that fits. */
  #chooseScope(names: readonly string[]): string {
    const { scopes, scopePrefix = DEFAULT_SCOPE_PREFIX, kind } = this.#credentials;
    const infix = kind === 'foreign' ? 'eu/' : '';
    const fitting = names.map((name) => `${scopePrefix}${infix}${name}`);
    const [any] = scopes ?? this.#cached.keys();
    const chosen =
      fitting.length === 0 ? any : fitting.find((scope) => scopes?.includes(scope) ?? true);
    if (chosen !== undefined) return chosen;
    throw new ConfigurationError(
      fitting.length === 0
        ? 'the operation takes any scope: give scopes in the credentials'
        : `the operation needs the scope ${fitting.join(' or ')}; the credentials have ${scopes?.join(', ')}`,
    );
  }

  /** Renews the token of a scope; all who wait for it share the renewal. */
  #renew(scope: string): Renewal {
    const running = this.#renewals.get(scope);
    if (running !== undefined) return running;
    const controller = new AbortController();
    const token = this.#obtain(scope, controller.signal).finally(() => {
      if (this.#renewals.get(scope) === renewal) this.#renewals.delete(scope);
    });
    // All who wait for it may be aborted: its failure must not end the process.
    token.catch(() => undefined);
    const renewal = { token, controller, waiting: 0 };
    this.#renewals.set(scope, renewal);
    return renewal;
  }

  /** Waits for a renewal until the signal aborts. When all who waited are aborted, its requests end too. */
  #wait(scope: string, renewal: Renewal, signal: AbortSignal | undefined): Promise<CachedToken> {
    renewal.waiting += 1;
    const token = unlessAborted(renewal.token, signal, () => {
      renewal.waiting -= 1;
      if (renewal.waiting > 0) return;
      if (this.#renewals.get(scope) === renewal) this.#renewals.delete(scope);
      renewal.controller.abort(signal?.reason);
    });
    // It may fail after the time for which it was waited.
    token.catch(() => undefined);
    return token;
  }

  async #obtain(scope: string, signal: AbortSignal): Promise<CachedToken> {
    const key = `${this.#service} ${await this.identity()} ${scope}`;
    // Without a stored token, a new one is requested.
    const stored = await this.#store?.read(key).catch(() => undefined);
    const isUsable =
      stored !== undefined &&
      stored.token !== this.#discarded &&
      Date.now() < stored.expiresAt - RENEWAL_MARGIN_MS;
    const token = isUsable ? stored : await this.#request(scope, signal);
    const lifetimeMs = token.expiresAt - Date.now();
    const renewAt = token.expiresAt - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2);
    const cached = { ...token, renewAt };
    this.#cached.set(scope, cached);
    // If it cannot be stored, the next run requests one.
    if (!isUsable) await this.#store?.write(key, token).catch(() => undefined);
    return cached;
  }

  async #request(scope: string, signal: AbortSignal): Promise<StoredToken> {
    // A key that cannot be used stays so; opening it again would only repeat the error.
    this.#sign ??= openGrants(this.#credentials);
    const sign = await this.#sign;
    const obtain = async () => {
      const grant = await sign(scope, Date.now() + this.#clockOffsetMs);
      return obtainToken(this.#transport, this.#addresses, grant, this.#timeoutMs, signal);
    };
    try {
      return await obtain();
    } catch (error) {
      if (!(error instanceof TokenError && this.#canBeOvercome(error))) throw error;
      return obtain();
    }
  }

  /** Whether another grant, signed now, may be accepted. */
  #canBeOvercome({ step, status, error, clockOffsetMs = 0 }: TokenError): boolean {
    // The identity provider may have rotated its key since it signed its token.
    if (step === 'exchange') return error === 'invalid_request';
    // The clock of this machine may be wrong: a grant is valid for a minute.
    const differs = Math.abs(clockOffsetMs - this.#clockOffsetMs) > CLOCK_TOLERANCE_MS;
    if (!differs || Math.abs(clockOffsetMs) > MAX_CLOCK_OFFSET_MS) return false;
    if (status !== 400 && status !== 401) return false;
    this.#clockOffsetMs = clockOffsetMs;
    return true;
  }
}

/** The result, or `undefined` if it fails or takes longer. */
function settleWithin<Result>(result: Promise<Result>, ms: number): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    result
      .catch(() => undefined)
      .then((settled) => {
        clearTimeout(timer);
        resolve(settled);
      });
  });
}

/** Waits for the result, but no longer than until the signal aborts. */
function unlessAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
  leave: () => void,
): Promise<Result> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      reject(signal.reason);
      leave();
    });
    result.then(resolve, reject).finally(forget);
  });
}
