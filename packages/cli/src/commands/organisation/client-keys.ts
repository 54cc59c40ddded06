// Keys and certificates of the clients of an organisation: reading them from files, and adding them.
import { createPublicKey, type JsonWebKey, X509Certificate } from 'node:crypto';
import type { Organisation, OrganisationClient } from '@landfall/client';
import { UsageError } from '../../process/exit.js';

type Clients = Organisation['clients'];

/** The clients, with this key for this client; a key with the same kid is replaced. */
export function withKey(
  clients: Clients,
  clientId: string,
  key: JsonWebKey & { kid: string },
): OrganisationClient[] {
  return change(clients, clientId, ({ keys = [] }) => ({
    keys: [...keys.filter(({ kid }) => kid !== key.kid), key],
  }));
}

/** The clients, with this certificate, in base64 DER, for this client. */
export function withCertificate(
  clients: Clients,
  clientId: string,
  certificate: string,
): OrganisationClient[] {
  return change(clients, clientId, ({ certificates = [] }) => ({
    certificates: [...certificates.filter((other) => other !== certificate), certificate],
  }));
}

/** Changes a client, which is added if there is none. */
function change(
  clients: Clients,
  clientId: string,
  changed: (client: OrganisationClient) => Partial<OrganisationClient>,
): OrganisationClient[] {
  const existing = clients.find(({ client_id }) => client_id === clientId);
  const before = existing ?? { client_id: clientId };
  const after = { ...before, ...changed(before) };
  return existing === undefined
    ? [...clients, after]
    : clients.map((client) => (client === existing ? after : client));
}

/** Reads a public key, or that of a certificate, as JWK. */
export function readPublicKey(text: string, file: string): JsonWebKey {
  // Node.js would derive the public key from a private one.
  refusePrivateKey(text, file, `give the public one: openssl pkey -in ${nameOf(file)} -pubout`);
  try {
    return createPublicKey(text).export({ format: 'jwk' });
  } catch {
    throw new UsageError(`${nameOf(file)} has no public key or certificate (PEM)`);
  }
}

/** Reads the first certificate of a PEM file, as base64 DER. */
export function readCertificate(text: string, file: string): string {
  refusePrivateKey(text, file, `give the certificate: openssl x509 -in ${nameOf(file)}`);
  try {
    return new X509Certificate(text).raw.toString('base64');
  } catch {
    throw new UsageError(`${nameOf(file)} has no certificate (PEM)`);
  }
}

function refusePrivateKey(text: string, file: string, instead: string): void {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return;
  throw new UsageError(`${nameOf(file)} is a private key: keep it, and ${instead}`);
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}
