// An external identity provider, as in production: a key set over HTTP, and signed tokens.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** A running provider. */
export type ExternalIdentityProvider = {
  issuer: string;
  keysUrl: string;
  /** A token for a domestic organisation, such as `310000019`. */
  issueToken(organisationNumber: string, scope: string): Promise<string>;
  close(): void;
};

/** Starts a provider on a free port. */
export async function startExternalIdentityProvider(): Promise<ExternalIdentityProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'provider-1', alg: 'RS256', use: 'sig' };
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast is true because the server listens on a port, not on a pipe.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    keysUrl: `${issuer}/jwk`,
    issueToken: (organisationNumber, scope) =>
      new SignJWT({
        client_id: 'external-client',
        scope,
        consumer: { authority: 'iso6523-actorid-upis', ID: `0192:${organisationNumber}` },
      })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime('2 minutes')
        .sign(privateKey),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
