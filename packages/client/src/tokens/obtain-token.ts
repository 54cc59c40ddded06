// Obtains a customs token: grant, access token of the identity provider, exchange.

import { parseRecord, readRetryAfter, textOf } from '../errors/read-api-error.js';
import { TokenError, type TokenStep } from '../errors/token-error.js';
import { RequestTimer } from '../http/request-timer.js';
import { sendRequest, type Transport } from '../http/send-request.js';
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
): Promise<StoredToken> {
  const post = (step: TokenStep, url: string, form: Record<string, string>) =>
    postForm(transport, step, url, form, timeoutMs);
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

const operations = { 'identity-provider': 'requestAccessToken', exchange: 'exchangeToken' };

async function postForm(
  transport: Transport,
  step: TokenStep,
  url: string,
  form: Record<string, string>,
  timeoutMs: number,
): Promise<StoredToken> {
  const requestedAt = Date.now();
  const timer = new RequestTimer(new URL(url).origin, timeoutMs, undefined);
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
    text = await open.text();
  } catch (cause) {
    throw new TokenError(step, { cause });
  }
  const { access_token: token, expires_in: lifetime, error, error_description } = parseRecord(text);
  if (response.ok && typeof token === 'string' && token !== '') {
    return { token, expiresAt: requestedAt + (Number(lifetime) || 0) * 1000 };
  }
  throw new TokenError(step, {
    status: response.status,
    error: textOf(error) ?? (response.ok ? 'no access_token in the response' : undefined),
    description: textOf(error_description),
    retryAfterMs: readRetryAfter(response),
  });
}
