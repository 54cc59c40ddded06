// Obtains a token for each scope of the credentials, and calls the service with one.
import {
  ApiError,
  Connection,
  type Credentials,
  fixedToken,
  GrantTokens,
  TokenError,
} from '@landfall/client';
import { testAuth } from '@landfall/client/operations';
import type { IdentityOptions } from '../../input/options.js';
import type { Sending } from '../../service/open-fetch.js';
import { type Explained, explainCall } from './advice-for-connection.js';
import { type Check, failed, ok, warning } from './check.js';
import { examineForm, scopesOf } from './check-grant.js';

/** The checks, and a token for each scope that is granted. */
export type CheckedTokens = { checks: Check[]; tokens: Map<string, string> };

/** One grant for each scope, because a grant for several is refused as a whole. */
export async function checkTokens(
  credentials: Credentials,
  baseUrl: string,
  sending: Sending,
  options: IdentityOptions,
): Promise<CheckedTokens> {
  const tokens = new Map<string, string>();
  const checks: Check[] = [];
  for (const scope of scopesOf(credentials)) {
    const sent: Sent = {};
    const source = new GrantTokens({
      baseUrl,
      credentials: { ...credentials, scopes: [scope] },
      ...sending,
      fetch: keepTokens(sending.fetch, sent),
    });
    try {
      tokens.set(scope, await source.getToken([]));
    } catch (error) {
      const { detail, advice } = await explainToken(error, sent, credentials, baseUrl, options);
      checks.push(failed('token', `${scope}: ${detail}`, advice));
      // Without a connection, the other scopes would fail alike.
      if (!(error instanceof TokenError) || error.status === undefined) break;
    }
  }
  const [first] = tokens.values();
  if (first === undefined) return { checks, tokens };
  checks.unshift(ok('token', `granted: ${[...tokens.keys()].join(', ')}`));
  checks.push(await callWith(first, baseUrl, sending, options));
  return { checks, tokens };
}

/** What was sent to obtain a token. */
type Sent = { assertion?: string | undefined; accessToken?: string | undefined };

function keepTokens(send: Sending['fetch'], sent: Sent): Sending['fetch'] {
  return (input, init) => {
    const form = new URLSearchParams(init?.body instanceof URLSearchParams ? init.body : '');
    sent.assertion ??= form.get('assertion') ?? undefined;
    sent.accessToken ??= form.get('subject_token') ?? undefined;
    return send(input, init);
  };
}

/** The reason of the server, and the advice of the token doctor for the rule that it names. */
async function explainToken(
  error: unknown,
  { assertion, accessToken }: Sent,
  credentials: Credentials,
  baseUrl: string,
  options: IdentityOptions,
): Promise<Explained> {
  const explained = explainCall(error, options);
  if (!(error instanceof TokenError) || error.status === undefined) return explained;
  if (error.retryAfterMs !== undefined) return { ...explained, advice: 'Try again later.' };
  if (error.step === 'exchange' && error.error === 'invalid_scope') {
    return {
      ...explained,
      advice:
        'Ask customs to grant the scope to your organisation, or remove it from the credentials.',
    };
  }
  const token = error.step === 'exchange' ? accessToken : assertion;
  const kind = error.step === 'exchange' ? 'access-token' : 'grant';
  if (token === undefined) return explained;
  const findings = await examineForm(token, credentials, baseUrl, new Date());
  const { adviceFor } = await import('@landfall/playground');
  const named = findings.find(
    ({ code, holds }) => holds !== true && code === (error.providerCode ?? error.error),
  );
  const advice =
    named === undefined ? null : adviceFor(kind, { ...named, holds: false, detail: '' });
  return {
    ...explained,
    advice: advice ?? 'Quote the reason to the operator, with its correlation id if it has one.',
  };
}

/** Whether the service accepts the token. */
async function callWith(
  token: string,
  baseUrl: string,
  sending: Sending,
  options: IdentityOptions,
): Promise<Check> {
  const connection = new Connection({
    baseUrl,
    retry: false,
    ...sending,
    tokens: fixedToken(token),
  });
  try {
    await connection.call(testAuth, {});
    return ok('token', 'the service accepts the token');
  } catch (error) {
    const { detail, advice } = explainCall(error, options);
    // The address of the test is optional for a service that is not Landfall.
    if (error instanceof ApiError && error.status === 404) {
      return warning('token', 'the service has no address to test a token', 'Check the address.');
    }
    return failed('token', `the service does not accept the token: ${detail}`, advice);
  }
}
