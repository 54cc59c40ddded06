// Why there is no TLS connection to a receiver, told apart by how far it came: codes of OpenSSL are many and change.
import type { TLSSocket } from 'node:tls';
import type { AttemptOutcome } from '@landfall/contract';
import { AddressRefusedError } from './resolve-receiver.js';

/** The receiver has no certificate for its name that is trusted, or no TLS as it should be. Nothing was sent. */
export class TlsError extends Error {
  override name = 'TlsError';
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome, cause: Error) {
    super('no TLS connection to the receiver', { cause });
    this.outcome = outcome;
  }
}

/** Of other codes, the certificate leads to no authority that is trusted. */
const outcomesOfCertificates: Readonly<Record<string, AttemptOutcome>> = {
  CERT_HAS_EXPIRED: 'CERTIFICATE_EXPIRED',
  CERT_NOT_YET_VALID: 'CERTIFICATE_EXPIRED',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CERTIFICATE_NAME',
};

/** Says of an error of a new connection what it has to do with TLS; `undefined`: nothing. */
export function watchHandshake(socket: TLSSocket): (error: Error) => TlsError | undefined {
  let isConnected = false;
  let isSecure = false;
  socket.once('connect', () => {
    isConnected = true;
  });
  socket.once('secureConnect', () => {
    isSecure = true;
  });
  return (error) => {
    if (error instanceof AddressRefusedError || !isConnected || isSecure) return undefined;
    // The type says that it is an error; Node.js keeps its code.
    const code = socket.authorizationError as unknown as string | null | undefined;
    if (typeof code !== 'string') return new TlsError('TLS_FAILED', error);
    return new TlsError(outcomesOfCertificates[code] ?? 'CERTIFICATE_UNTRUSTED', error);
  };
}
