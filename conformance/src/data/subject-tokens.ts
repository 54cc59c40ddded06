// Tokens of the identity provider, the form that exchanges them, and changed tokens.
import { decodeJwt } from 'jose';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import { expectStatus, readObject } from '../suite/expect.js';

/** A token of the identity provider for a role; by default for all of its scopes. */
export async function subjectOf(context: CaseContext, role: Role, scope?: string): Promise<string> {
  const response = await context.requestAccessToken(role, scope);
  expectStatus(response, 200);
  return String(readObject(response).access_token);
}

/** The form that exchanges a token, with the short names. */
export function shortForm(subject: string) {
  return {
    grant_type: 'token-exchange',
    subject_token_type: 'access_token',
    subject_token: subject,
  };
}

/** A token with changed claims and the signature of the original. */
export function changeClaims(
  token: string,
  change: (claims: Record<string, unknown>) => void,
): string {
  const [header = '', , signature = ''] = token.split('.');
  const claims = { ...decodeJwt(token) };
  change(claims);
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
}
