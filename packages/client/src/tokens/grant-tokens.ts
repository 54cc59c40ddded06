// A source of customs tokens for credentials: one token a scope, cached and renewed in time.
import { ConfigurationError } from '../errors/landfall-error.js';
import { TokenError } from '../errors/token-error.js';
import { trimAddress } from '../http/address.js';
import type { Hooks } from '../http/hooks.js';
import type { Fetch, Transport } from '../http/send-request.js';
import { type Credentials, DEFAULT_SCOPE_PREFIX } from './credentials.js';
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
  hooks?: Hooks | undefined;
  fetch?: Fetch | undefined;
};

type CachedToken = StoredToken & { renewAt: number };

/** Obtains tokens with grants. */
export class GrantTokens implements TokenSource {
  readonly #credentials: Credentials;
  readonly #addresses: TokenAddresses;
  readonly #transport: Transport;
  readonly #timeoutMs: number;
  readonly #store: TokenStore | undefined;
  readonly #storeKey: string;
  readonly #cached = new Map<string, CachedToken>();
  readonly #renewals = new Map<string, Promise<CachedToken>>();
  /** The token that was discarded last: a store may still have it. */
  #discarded: string | undefined;
  #sign: Promise<SignGrant> | undefined;

  constructor({ baseUrl, credentials, tokenStore, timeoutMs, hooks, fetch }: GrantTokensOptions) {
    const { identityProvider, exchangeUrl } = credentials;
    const service = trimAddress(baseUrl);
    this.#credentials = credentials;
    this.#addresses = {
      tokenUrl: identityProvider.tokenUrl ?? `${trimAddress(identityProvider.url)}/token`,
      exchangeUrl: exchangeUrl ?? `${service}${EXCHANGE_PATH}`,
    };
    this.#transport = { fetch: fetch ?? globalThis.fetch, hooks: hooks ?? {} };
    this.#timeoutMs = timeoutMs ?? 30_000;
    this.#store = tokenStore;
    this.#storeKey = `${service} ${credentials.clientId}`;
  }

  async getToken(scopes: readonly string[], signal?: AbortSignal): Promise<string> {
    const scope = this.#chooseScope(scopes);
    const cached = this.#cached.get(scope);
    if (cached !== undefined && Date.now() < cached.renewAt) return cached.token;
    const renewal = this.#renew(scope);
    if (cached === undefined || Date.now() >= cached.expiresAt) {
      return (await unlessAborted(renewal, signal)).token;
    }
    // The token that is still valid is used when its renewal fails or takes long; it may end meanwhile.
    const renewed = await unlessAborted(settleWithin(renewal, RENEWAL_WAIT_MS), signal);
    if (renewed !== undefined) return renewed.token;
    if (Date.now() >= cached.expiresAt) return (await unlessAborted(renewal, signal)).token;
    cached.renewAt = Date.now() + RENEWAL_PAUSE_MS;
    return cached.token;
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
        ? 'this operation takes a token of any scope: give scopes in the credentials'
        : `the operation needs the scope ${fitting.join(' or ')}; the credentials have ${scopes?.join(', ')}`,
    );
  }

  /** Renews the token of a scope; all who wait for it share the renewal. */
  #renew(scope: string): Promise<CachedToken> {
    const renewal =
      this.#renewals.get(scope) ??
      this.#obtain(scope).finally(() => {
        this.#renewals.delete(scope);
      });
    this.#renewals.set(scope, renewal);
    return renewal;
  }

  async #obtain(scope: string): Promise<CachedToken> {
    const key = `${this.#storeKey} ${scope}`;
    // Without a stored token, a new one is requested.
    const stored = await this.#store?.read(key).catch(() => undefined);
    const isUsable =
      stored !== undefined &&
      stored.token !== this.#discarded &&
      Date.now() < stored.expiresAt - RENEWAL_MARGIN_MS;
    const token = isUsable ? stored : await this.#request(scope);
    const lifetimeMs = token.expiresAt - Date.now();
    const renewAt = token.expiresAt - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2);
    const cached = { ...token, renewAt };
    this.#cached.set(scope, cached);
    // If it cannot be stored, the next run requests one.
    if (!isUsable) await this.#store?.write(key, token).catch(() => undefined);
    return cached;
  }

  async #request(scope: string): Promise<StoredToken> {
    // A key that cannot be used stays so; opening it again would only repeat the error.
    this.#sign ??= openGrants(this.#credentials);
    const sign = await this.#sign;
    const obtain = async () =>
      obtainToken(this.#transport, this.#addresses, await sign(scope), this.#timeoutMs);
    try {
      return await obtain();
    } catch (error) {
      // The identity provider may have rotated its key since it signed its token: another one is exchanged, once.
      const wasNotAccepted =
        error instanceof TokenError &&
        error.step === 'exchange' &&
        error.error === 'invalid_request';
      if (!wasNotAccepted) throw error;
      return obtain();
    }
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
function unlessAborted<Result>(result: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
