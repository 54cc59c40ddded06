// Finds the identity that sends a request: by its token, or by the grant or token in a request for a token.
import type { OperationId, PlaygroundCredentials } from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, decodeProtectedHeader } from 'jose';

/** What names the client of a request. */
type Named = { clientId: unknown; organisation: unknown };

/** The identity of a request. Grants and tokens are only read: the operation verifies them. */
export function readIdentity(
  operation: OperationId,
  { caller, body }: FastifyRequest,
  identities: readonly PlaygroundCredentials[],
): PlaygroundCredentials | undefined {
  if (caller) return findIdentity(caller, identities);
  // The cast is true because the bodies of these operations are parsed as forms, or there is none.
  const form = (body ?? {}) as Record<string, unknown>;
  try {
    if (operation === 'exchangeToken') {
      return findIdentity(nameClient(String(form.subject_token)), identities);
    }
    if (operation === 'requestAccessToken') return findGrantor(String(form.assertion), identities);
  } catch {
    // It is not a token, which the operation refuses.
  }
  return undefined;
}

/** An organisation may have several identities, each with a client of its own. */
export function findIdentity(
  { clientId, organisation }: Named,
  identities: readonly PlaygroundCredentials[],
): PlaygroundCredentials | undefined {
  const own = identities.filter((identity) => identity.organisation === organisation);
  return own.find((identity) => identity.client_id === clientId) ?? own[0];
}

function nameClient(token: string): Named {
  const claims = decodeJwt<{ client_id?: unknown; consumer?: { ID?: unknown } }>(token);
  return { clientId: claims.client_id, organisation: claims.consumer?.ID };
}

/** A grant names a key, or has the certificate of an eSeal. */
function findGrantor(
  assertion: string,
  identities: readonly PlaygroundCredentials[],
): PlaygroundCredentials | undefined {
  const { iss } = decodeJwt(assertion);
  const { x5c } = decodeProtectedHeader(assertion);
  const leaf = Array.isArray(x5c) ? x5c[0] : undefined;
  return (
    identities.find((identity) => identity.x5c[0] === leaf) ??
    identities.find((identity) => identity.client_id === iss)
  );
}
