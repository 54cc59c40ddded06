// Reads the errors of a refusal.
import assert from 'node:assert/strict';
import type { ValidationError } from '@landfall/contract';
import type { ReceivedResponse } from './openapi-responses.js';

/** The errors of a response with status 400, as `field CODE`, sorted. */
export function reportedErrors(response: ReceivedResponse): string[] {
  assert.equal(response.status, 400, response.text);
  // The cast is true because the response was compared with openapi.json.
  const { validationErrors } = response.body as { validationErrors: ValidationError[] };
  return validationErrors.map(({ field, code }) => `${field} ${code}`).sort();
}
