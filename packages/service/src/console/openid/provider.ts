// The OpenID provider: its metadata and keys, read with bounds, and the exchanges of a sign-in.
import { isObject } from '@landfall/contract';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import * as openid from 'openid-client';
import type { ChangingSecret } from '../../files/changing-secret.js';
import { readBounded } from '../../files/read-bounded.js';
import { codeOf, isError, messageOf } from '../../native-error.js';
import { TRIAL_CLAIM, TRIAL_REFUSAL } from '../../trial-claim.js';
import type { ProviderTokens } from '../sessions.js';
import type { Claims } from './identify-person.js';
import { type LogoutClaims, LogoutTokenError, verifyLogoutToken } from './logout-token.js';
import { readCode } from './read-callback.js';
import type { OpenIdSettings } from './settings.js';
import { SignInRefusedError } from './sign-in-refusal.js';

/** How long metadata is used before it is read again, in milliseconds. */
const FRESH_MS = 60 * 60_000;

/** The minimum time between two attempts to read metadata, in milliseconds. */
const PAUSE_MS = 5000;

/** How long the provider may take for one response, in seconds. */
export const PROVIDER_TIMEOUT_S = 5;

/** The maximum size of a response, in bytes. */
const MAX_SIZE = 256 * 1024;

/** The errors of a refresh after which somebody must sign in again: RFC 6749, section 5.2, and Core, section 3.1.2.6. */
const ENDED = ['invalid_grant', 'interaction_required', 'login_required', 'consent_required'];

/** What the provider sent of somebody who has signed in. */
type Redeemed = { claims: Claims; tokens: ProviderTokens };

/** What the provider sent later of somebody who had signed in. */
type Refreshed = { claims: Claims | undefined; tokens: ProviderTokens };

/** What a sign-in must remember until the provider sends the browser back. */
export type SignInSecrets = { state: string; nonce: string; verifier: string };

/** Makes secrets that nobody had before. */
export function makeSecrets(): SignInSecrets {
  return {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  };
}

/** The provider of the settings. Methods throw SignInRefusedError `unavailable` while it does not respond. */
export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #reportFailure: (error: unknown) => void;
  #configuration: openid.Configuration | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #attempt: Promise<void> | undefined;
  /** When the provider did not respond to a refresh, by the monotonic clock. */
  #unreachableAt = Number.NEGATIVE_INFINITY;
  #keys: JWTVerifyGetKey | undefined;

  readonly #secret: ChangingSecret;

  /**
   * @param secret of the client, in place of that in the settings
   * @param reportFailure is given each failure that the operator should know
   */
  constructor(
    settings: OpenIdSettings,
    secret: ChangingSecret,
    reportFailure: (error: unknown) => void,
  ) {
    this.#settings = settings;
    this.#secret = secret;
    this.#reportFailure = reportFailure;
  }

  /** Reads the metadata, so that a wrong configuration is reported before anybody signs in. Never throws. */
  async prepare(): Promise<void> {
    await this.#configured().catch(() => undefined);
  }

  /** The address at which the browser signs in. */
  async authorizationAddress(secrets: SignInSecrets, redirectUri: string): Promise<string> {
    const address = openid.buildAuthorizationUrl(await this.#configured(), {
      response_type: 'code',
      scope: this.#settings.scope,
      redirect_uri: redirectUri,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return address.href;
  }

  /**
   * Exchanges the code that the browser brought from the provider.
   *
   * @param parameters those of the address to which the provider sent the browser
   * @param redirectUri this address without parameters
   * @throws SignInRefusedError
   */
  async redeem(
    parameters: URLSearchParams,
    secrets: SignInSecrets,
    redirectUri: string,
  ): Promise<Redeemed> {
    const configuration = await this.#configured();
    const { issuer, authorization_response_iss_parameter_supported } =
      configuration.serverMetadata();
    const { state } = secrets;
    const namesIssuer = authorization_response_iss_parameter_supported === true;
    const code = readCode(parameters, { state, issuer, namesIssuer });
    const address = new URL(redirectUri);
    address.search = String(new URLSearchParams({ code, state, iss: issuer }));
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, address, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) {
        throw new Error('the provider sent no ID token');
      }
      if (this.#isRefusedTrial(claims)) throw new Error(TRIAL_REFUSAL);
      return { claims, tokens: { idToken: tokens.id_token, refreshToken: tokens.refresh_token } };
    } catch (error) {
      if (isWrongCode(error, secrets)) throw new SignInRefusedError('expired', { cause: error });
      throw this.#refusalOf(error);
    }
  }

  /**
   * Refreshes tokens, and with them the claims.
   *
   * @returns `undefined` if the provider has ended it, as for an account that was closed. Without claims, the provider
   *   has confirmed the account alone.
   * @throws SignInRefusedError `unavailable` or `failed`. When the provider did not respond, that is thrown for some
   *   seconds without a request; an error that it responds with concerns this account alone.
   */
  async refresh({ idToken, refreshToken }: ProviderTokens): Promise<Refreshed | undefined> {
    if (refreshToken === undefined || performance.now() - this.#unreachableAt < PAUSE_MS) {
      throw new SignInRefusedError('unavailable');
    }
    const configuration = await this.#configured();
    try {
      const tokens = await openid.refreshTokenGrant(configuration, refreshToken);
      // Trials may have been accepted when the session began.
      if (this.#isRefusedTrial(tokens.claims() ?? decodeJwt(idToken))) return undefined;
      return {
        claims: tokens.claims(),
        tokens: {
          idToken: tokens.id_token ?? idToken,
          refreshToken: tokens.refresh_token ?? refreshToken,
        },
      };
    } catch (error) {
      if (error instanceof openid.ResponseBodyError && ENDED.includes(error.error)) {
        return undefined;
      }
      if (isNetworkError(error)) this.#unreachableAt = performance.now();
      throw this.#refusalOf(error);
    }
  }

  #isRefusedTrial(claims: Readonly<Record<string, unknown>>): boolean {
    return claims[TRIAL_CLAIM] !== undefined && this.#settings.acceptsTrials !== true;
  }

  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
   *
   * @throws LogoutTokenError if it breaks a rule, and SignInRefusedError `unavailable` while the keys cannot be read
   */
  async verifyLogoutToken(token: string): Promise<LogoutClaims> {
    const { issuer, jwks_uri } = (await this.#configured()).serverMetadata();
    if (jwks_uri === undefined) throw new SignInRefusedError('unavailable');
    this.#keys ??= createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: PROVIDER_TIMEOUT_S * 1000,
      [customFetch]: fetchBounded,
    });
    try {
      return await verifyLogoutToken(token, this.#keys, issuer, this.#settings.clientId);
    } catch (error) {
      if (error instanceof LogoutTokenError) throw error;
      throw this.#refusalOf(error);
    }
  }

  /** The address at which the browser signs out of the provider; `undefined` if it has none, or does not respond. */
  async signOutAddress(idToken: string, returnTo: string): Promise<string | undefined> {
    const configuration = await this.#configured().catch(() => undefined);
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
    return openid.buildEndSessionUrl(configuration, {
      id_token_hint: idToken,
      post_logout_redirect_uri: returnTo,
    }).href;
  }

  #refusalOf(error: unknown): SignInRefusedError {
    const failed = new Error(`the provider's response was not accepted: ${reasonOf(error)}`);
    this.#reportFailure(failed);
    return new SignInRefusedError(isNetworkError(error) ? 'unavailable' : 'failed', {
      cause: error,
    });
  }

  /** The metadata, with the client's secret of now. When it cannot be read again, the last one stays in use. */
  async #configured(): Promise<openid.Configuration> {
    await this.#secret.current();
    if (performance.now() - this.#readAt >= FRESH_MS) {
      const reading = this.#tryToRead();
      if (this.#configuration === undefined) await reading;
    }
    if (this.#configuration === undefined) throw new SignInRefusedError('unavailable');
    return this.#configuration;
  }

  async #tryToRead(): Promise<void> {
    if (this.#attempt === undefined) {
      if (performance.now() - this.#triedAt < PAUSE_MS) return;
      this.#triedAt = performance.now();
      this.#attempt = this.#read()
        .catch((error: unknown) => {
          this.#reportFailure(
            new Error(`the metadata of ${this.#settings.issuer} was not read: ${reasonOf(error)}`),
          );
        })
        .finally(() => {
          this.#attempt = undefined;
        });
    }
    await this.#attempt;
  }

  async #read(): Promise<void> {
    const { issuer, clientId } = this.#settings;
    const insecure = issuer.startsWith('http:');
    const configuration = await openid.discovery(
      new URL(issuer),
      clientId,
      {},
      (server, client, body, headers) => {
        // OpenID Connect Discovery, section 3: the default is client_secret_basic.
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
        const [clientSecret] = this.#secret.known;
        const authenticate = methods.includes('client_secret_basic')
          ? openid.ClientSecretBasic(clientSecret)
          : openid.ClientSecretPost(clientSecret);
        return authenticate(server, client, body, headers);
      },
      {
        timeout: PROVIDER_TIMEOUT_S,
        // An issuer on this machine: checked when the configuration is read.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(insecure ? [openid.allowInsecureRequests] : []),
        ],
        [openid.customFetch]: fetchBounded,
      },
    );
    this.#configuration = configuration;
    this.#readAt = performance.now();
  }
}

/** `fetch` without redirects, whose response is read up to a size and a time. */
async function fetchBounded(
  url: string,
  init: openid.CustomFetchOptions | Parameters<FetchImplementation>[1],
): Promise<Response> {
  const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_S * 1000);
  // The cast is true because the libraries make requests as `fetch` takes them.
  const response = await fetch(url, { ...(init as RequestInit), redirect: 'manual', signal });
  const { status, headers } = response;
  const text = await readBounded(response, `the response of ${url}`, MAX_SIZE, signal);
  return new Response(text === '' ? null : text, { status, headers });
}

/** The errors of a code that was used, is too old, or is none (RFC 6749, section 5.2). */
const CODE_ERRORS = ['invalid_grant', 'invalid_request'];

/** The statuses with which a provider, or a firewall before it, refuses a code that it does not read. */
const REFUSALS = [400, 403, 413, 414, 422, 431];

/** The status of a response that has no error of OAuth. */
function refusalWithoutBody(error: unknown): number | undefined {
  for (let cause = error; isError(cause); cause = cause.cause) {
    if (cause.cause instanceof Response) return cause.cause.status;
  }
  return undefined;
}

/** Whether the code is the reason, which the browser brings: it is none, or of a sign-in that began elsewhere. */
function isWrongCode(error: unknown, { nonce }: SignInSecrets): boolean {
  if (error instanceof openid.ResponseBodyError) return CODE_ERRORS.includes(error.error);
  if (REFUSALS.includes(refusalWithoutBody(error) ?? 0)) return true;
  const cause = isError(error) && isError(error.cause) ? error.cause.cause : undefined;
  return isObject(cause) && isObject(cause.claims) && cause.claims.nonce !== nonce;
}

function isNetworkError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof DOMException) return true;
  return ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(codeOf(error) ?? '');
}

/** What went wrong, for the log: without codes and tokens. */
function reasonOf(error: unknown): string {
  if (error instanceof openid.ResponseBodyError) {
    return `${error.error} ${error.error_description ?? ''}`.trim();
  }
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${messageOf(error)}: ${cause.message}` : messageOf(error);
}
