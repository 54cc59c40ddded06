// A real OpenID provider on this machine, with accounts, for tests of signing in to the console.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/** The claims of each account, by the name with which it signs in. */
export type Accounts = Record<string, Record<string, unknown>>;

/** A provider that runs. */
export type TestProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The paths of the requests that it received. */
  requests: string[];
  /** Whether it responds to requests with 500 from now on. */
  isDown: boolean;
  /** The status with which a firewall before it refuses each request for a token, without an error of OAuth. */
  refusal: number | undefined;
  /** Whether it closes connections without a response from now on. */
  isUnreachable: boolean;
  /** Before it responds to a request for a token, it waits for this. */
  beforeToken: (() => Promise<unknown>) | undefined;
  /** Accepts another secret of the client in place of that until now. */
  changeClientSecret(next: string): Promise<void>;
  /** Signs a logout token with its key. */
  signLogoutToken(claims: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
};

/**
 * Starts a provider. Whoever signs in types the name of an account, and any password.
 *
 * @param consoleUrl the base address of the service whose console may use it
 * @param accounts may change while it runs
 */
export async function startProvider(consoleUrl: string, accounts: Accounts): Promise<TestProvider> {
  let handle: RequestListener = () => undefined;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (running.isUnreachable) request.socket.destroy();
    else if (running.isDown) response.writeHead(500).end();
    else if (running.refusal !== undefined && request.url === '/token') {
      response.writeHead(running.refusal, { 'content-type': 'text/html' }).end('<p>refused</p>');
    } else if (running.beforeToken !== undefined && request.url === '/token') {
      void running.beforeToken().then(() => handle(request, response));
    } else handle(request, response);
  });
  // A client on a busy machine takes a connection for open that has been idle for longer than the 5 s of Node.js.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is true because it listens on a port.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const [clientId, clientSecret] = ['landfall-console', 'secret of the console: with % and +'];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${consoleUrl}/console/sign-in/callback`],
        post_logout_redirect_uris: [`${consoleUrl}/console/`],
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: `${consoleUrl}/console/sign-in/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'roles', 'organisation'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['key of the cookies'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    findAccount: (_context, id) =>
      accounts[id] && {
        accountId: id,
        claims: async () => ({ sub: id, ...accounts[id] }),
      },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    // The console belongs to the operator: no form requests consent.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
    // Without its dispatcher, which refuses the address of the console because it is on this machine.
    fetch: (url, options = {}) => {
      Reflect.deleteProperty(options, 'dispatcher');
      return fetch(url, options);
    },
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
  });
  handle = provider.callback();
  const running: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    requests,
    isDown: false,
    refusal: undefined,
    isUnreachable: false,
    beforeToken: undefined,
    changeClientSecret: async (next) => {
      const client = await provider.Client.find(clientId);
      if (client !== undefined) Object.assign(client, { clientSecret: next });
    },
    signLogoutToken: (claims) =>
      new SignJWT({ iss: issuer, aud: clientId, ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt' })
        .setIssuedAt()
        .sign(privateKey),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return running;
}
