// Obtains customs tokens: a signed grant, the identity provider's token, the exchange. One token a scope is kept.
import { isObject, JWT_BEARER_GRANT, operations } from '@landfall/contract';
import type { Identity, Settings } from '../settings/settings.js';
import type { Exchange, HttpResponse } from './exchange.js';
import { send } from './send.js';
import { type GrantChanges, signGrant } from './sign-grant.js';

/** A kept token is renewed this long before it ends, in milliseconds. */
const RENEWAL_MARGIN_MS = 30_000;

/** How long both requests may take together, in milliseconds. */
const TOKEN_TIMEOUT_MS = 30_000;

const FORM = 'application/x-www-form-urlencoded';

/** No token was issued to an identity that needs one. */
export class NoTokenError extends Error {
  readonly code = 'NO_TOKEN';
  override name = 'NoTokenError';
}

type KeptToken = { token: string; renewAt: number };

/** How a request of a case is sent: until when, and who records it. */
export type Sending = { signal: AbortSignal; record: (exchange: Exchange) => void };

/** The tokens of a run. */
export class Tokens {
  readonly #settings: Settings;
  readonly #source: Tokens | undefined;
  readonly #kept = new Map<Identity, Promise<KeptToken>>();

  /** @param source gives the customs tokens; default: they are obtained as the settings say */
  constructor(settings: Settings, source?: Tokens) {
    this.#settings = settings;
    this.#source = source;
  }

  /** A customs token with all scopes of an identity; renewed in time, and shared by all cases. */
  async customsToken(identity: Identity): Promise<string> {
    if (this.#source !== undefined) return this.#source.customsToken(identity);
    const kept = await this.#kept.get(identity)?.catch(() => undefined);
    if (kept !== undefined && Date.now() < kept.renewAt) return kept.token;
    const obtained = this.#obtain(identity);
    this.#kept.set(identity, obtained);
    return (await obtained).token;
  }

  /** Posts a grant for scopes, with changes; returns whatever the identity provider responds. */
  async requestAccessToken(
    identity: Identity,
    scope: string,
    sending: Sending,
    changes: GrantChanges = {},
  ): Promise<HttpResponse> {
    const { url, audience } = this.#settings.identityProvider;
    const assertion = await signGrant(identity, audience, scope, changes);
    return this.#post(`${url}/token`, { grant_type: JWT_BEARER_GRANT, assertion }, sending);
  }

  /** Posts a form to the exchange; returns whatever it responds. */
  exchange(form: Record<string, string> | string, sending: Sending): Promise<HttpResponse> {
    return this.#post(`${this.#settings.baseUrl}${operations.exchangeToken.path}`, form, sending);
  }

  async #obtain(identity: Identity): Promise<KeptToken> {
    const sending = { signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS), record: () => undefined };
    const scope = identity.scopes.join(' ');
    const granted = await this.requestAccessToken(identity, scope, sending);
    const { access_token: subject } = readToken(granted, `a grant of ${identity.clientId}`);
    const exchanged = await this.exchange(
      {
        grant_type: 'token-exchange',
        subject_token_type: 'access_token',
        subject_token: subject,
      },
      sending,
    );
    const { access_token: token, expires_in } = readToken(
      exchanged,
      `the exchange of ${identity.clientId}`,
    );
    const lifetimeMs = expires_in * 1000;
    return {
      token,
      renewAt: Date.now() + lifetimeMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2),
    };
  }

  #post(
    url: string,
    form: Record<string, string> | string,
    sending: Sending,
  ): Promise<HttpResponse> {
    const body = new URLSearchParams(form).toString();
    const request = { method: 'POST', url, headers: { 'content-type': FORM }, body };
    return send(request, { signal: sending.signal }, sending.record);
  }
}

function readToken({ status, text }: HttpResponse, what: string) {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (status === 200 && isObject(body)) {
    const { access_token, expires_in } = body;
    if (typeof access_token === 'string')
      return { access_token, expires_in: Number(expires_in) || 0 };
  }
  throw new NoTokenError(`${what} gets no token: HTTP ${status} ${text.slice(0, 300)}`);
}
