// Obtains a customs token: grant, access token of the identity provider, exchange.

import { parseRecord, readRetryAfter, textOf } from '../errors/read-api-error.js';
import { TokenError, type TokenStep } from '../errors/token-error.js';
import { RequestTimer } from '../http/request-timer.js';
import { redirectOf, sendRequest, type Transport } from '../http/send-request.js';
import type { StoredToken } from './token-store.js';

/** Where a token is obtained. */
export type TokenAddresses = { tokenUrl: string; exchangeUrl: string };

/**
 * Posts a grant, and exchanges the access token that it is given for a customs token.
 *
 * @throws TokenError
 */
export async function obtainToken(
  transport: Transport,
  { tokenUrl, exchangeUrl }: TokenAddresses,
  assertion: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<StoredToken> {
  const post = (step: TokenStep, url: string, form: Record<string, string>) =>
    postForm(transport, { step, url, form }, timeoutMs, signal);
  const { token } = await post('identity-provider', tokenUrl, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  });
  return post('exchange', exchangeUrl, {
    grant_type: 'token-exchange',
    subject_token_type: 'access_token',
    subject_token: token,
  });
}

/** No token response is longer, in bytes. */
const MAX_TOKEN_BYTES = 256 * 1024;

/**
 * Of a token whose `expires_in` is missing or no time, in seconds; the member is optional (RFC 6749, section 5.1). What
 * the service refuses earlier is replaced.
 */
const DEFAULT_LIFETIME_S = 60;

const operations = { 'identity-provider': 'requestAccessToken', exchange: 'exchangeToken' };

async function postForm(
  transport: Transport,
  { step, url, form }: { step: TokenStep; url: string; form: Record<string, string> },
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<StoredToken> {
  const requestedAt = Date.now();
  const timer = new RequestTimer(new URL(url).origin, timeoutMs, signal);
  let response: Response;
  let text: string;
  try {
    const open = await sendRequest(
      transport,
      {
        operationId: operations[step],
        method: 'POST',
        url,
        attempt: 1,
        headers: { accept: 'application/json' },
        body: new URLSearchParams(form),
      },
      timer,
    );
    response = open.response;
    text = await open.text(MAX_TOKEN_BYTES);
  } catch (cause) {
    throw new TokenError(step, { cause });
  }
  const redirect = redirectOf(response);
  if (redirect !== undefined) {
    const description = `the response is a redirect to ${redirect}, which gets no grant`;
    throw new TokenError(step, { status: response.status, description });
  }
  const { access_token: token, expires_in: lifetime, error, error_description } = parseRecord(text);
  if (response.ok && typeof token === 'string' && token !== '') {
    const seconds = Number(lifetime) > 0 ? Number(lifetime) : DEFAULT_LIFETIME_S;
    return { token, expiresAt: requestedAt + seconds * 1000 };
  }
  const missing = response.ok ? 'the response has no access_token' : undefined;
  throw new TokenError(step, {
    status: response.status,
    error: textOf(error),
    description: textOf(error_description) ?? missing,
    retryAfterMs: readRetryAfter(response),
    clockOffsetMs: Date.parse(response.headers.get('date') ?? '') - Date.now() || undefined,
  });
}
