// Finds the organisation that sends a request: by its token, or by the grant or token in a request for a token.
import type { OperationId, PlaygroundCredentials } from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, decodeProtectedHeader } from 'jose';

/** The organisation as tokens name it. Grants and tokens are only read: the operation verifies them. */
export function readOrganisation(
  operation: OperationId,
  { caller, body }: FastifyRequest,
  identities: readonly PlaygroundCredentials[],
): string | undefined {
  if (caller) return caller.organisation;
  // The cast is true because the bodies of these operations are parsed as forms, or there is none.
  const form = (body ?? {}) as Record<string, unknown>;
  try {
    if (operation === 'exchangeToken') return consumerOf(String(form.subject_token));
    if (operation === 'requestAccessToken') return grantorOf(String(form.assertion), identities);
  } catch {
    // It is not a token, which the operation refuses.
  }
  return undefined;
}

function consumerOf(token: string): string | undefined {
  const { consumer } = decodeJwt<{ consumer?: { ID?: unknown } }>(token);
  return typeof consumer?.ID === 'string' ? consumer.ID : undefined;
}

/** A grant names a key, or has the certificate of an eSeal. */
function grantorOf(
  assertion: string,
  identities: readonly PlaygroundCredentials[],
): string | undefined {
  const { iss } = decodeJwt(assertion);
  const { x5c } = decodeProtectedHeader(assertion);
  const leaf = Array.isArray(x5c) ? x5c[0] : undefined;
  const grantor = identities.find(
    (identity) => identity.x5c[0] === leaf || identity.client_id === iss,
  );
  return grantor?.organisation;
}
