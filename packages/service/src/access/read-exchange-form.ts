// Reads the form of a token exchange (RFC 8693, section 2.1). No parameter is ignored: each takes effect or is refused.
import { ACCESS_TOKEN_TYPES, TOKEN_EXCHANGE_GRANTS } from '@landfall/contract';
import { OAuthRefusalError, quoteValue } from './oauth-refusal.js';

/** The parsed form. A repeated parameter is a list. */
export type ExchangeForm = Readonly<Record<string, unknown>>;

/** A request for a customs token. */
export type ExchangeRequest = {
  /** The token type as written in the request. The response uses the same form. */
  tokenType: string;
  subjectToken: string;
  /** The requested scopes; `undefined` requests all scopes of the subject token. */
  scopes: readonly string[] | undefined;
};

/**
 * Reads the form.
 *
 * @param audiences the names of this service, for which a customs token may be requested
 * @throws OAuthRefusalError `unsupported_grant_type`, `invalid_request` or `invalid_target`
 */
export function readExchangeForm(
  form: ExchangeForm,
  audiences: readonly string[],
): ExchangeRequest {
  checkOneOf(form, 'grant_type', TOKEN_EXCHANGE_GRANTS, 'unsupported_grant_type');
  const tokenType = checkOneOf(form, 'subject_token_type', ACCESS_TOKEN_TYPES, 'invalid_request');
  const subjectToken = readRequired(form, 'subject_token');
  if (readOptional(form, 'requested_token_type') !== undefined) {
    checkOneOf(form, 'requested_token_type', ACCESS_TOKEN_TYPES, 'invalid_request');
  }
  for (const name of ['actor_token', 'actor_token_type']) {
    if (form[name] === undefined || form[name] === '') continue;
    throw new OAuthRefusalError(
      'invalid_request',
      `${name} is not accepted: an organisation acts for itself alone`,
    );
  }
  for (const name of ['audience', 'resource']) checkTarget(form, name, audiences);
  const scope = readOptional(form, 'scope');
  return { tokenType, subjectToken, scopes: scope === undefined ? undefined : readScopes(scope) };
}

/** Both parameters may be repeated. Each value must name this service, because the customs token is for it. */
function checkTarget(form: ExchangeForm, name: string, audiences: readonly string[]): void {
  for (const value of [form[name] ?? []].flat()) {
    if (value === '' || audiences.some((name) => name === value)) continue;
    throw new OAuthRefusalError(
      'invalid_target',
      `${name} is ${quoteValue(value)} and must be ${audiences[0]}`,
    );
  }
}

function readScopes(text: string): string[] {
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  if (scopes.length > 0) return scopes;
  throw new OAuthRefusalError('invalid_scope', 'scope is blank');
}

function checkOneOf(
  form: ExchangeForm,
  name: string,
  values: readonly string[],
  error: 'invalid_request' | 'unsupported_grant_type',
): string {
  const value = readRequired(form, name);
  if (values.includes(value)) return value;
  throw new OAuthRefusalError(
    error,
    `${name} is ${quoteValue(value)} and must be ${values.join(' or ')}`,
  );
}

function readRequired(form: ExchangeForm, name: string): string {
  const value = readOptional(form, name);
  if (value !== undefined) return value;
  throw new OAuthRefusalError('invalid_request', `${name} is missing`);
}

/** A parameter without a value counts as missing (RFC 6749, section 3.2). */
function readOptional(form: ExchangeForm, name: string): string | undefined {
  const value = form[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new OAuthRefusalError('invalid_request', `${name} is given more than once`);
}
