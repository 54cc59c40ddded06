// Checks that the identity provider refused a grant, for tests.
import assert from 'node:assert/strict';
import { type IdentityProviderErrorCode, identityProviderErrors } from '@landfall/contract';
import type { Running, TokenResponse } from './running-access.js';

/** Checks the code of a refusal in its description and in the log, and the form of the response. */
export function assertRefused(
  { log }: Running,
  { status, body, headers }: TokenResponse,
  code: IdentityProviderErrorCode,
  error: string = identityProviderErrors[code].error,
): void {
  const description = String(body.error_description);
  assert.equal(description.slice(0, 6), code, description);
  assert.equal(body.error, error);
  assert.equal(status, error === 'invalid_client' ? 401 : 400);
  // RFC 6749, section 5.2: the characters that a description may have.
  assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  const challenge = `Bearer error="${error}", error_description="${description}"`;
  assert.equal(headers.get('www-authenticate'), status === 401 ? challenge : null);
  const id = /\(correlation id: ([0-9a-f-]{36})\)$/.exec(description)?.[1];
  assert.ok(id, description);
  assert.ok(log.some((line) => line.includes(id) && line.includes(code)));
}
