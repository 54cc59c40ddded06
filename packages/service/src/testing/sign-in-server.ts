// A server in a process of its own at which people sign in, with their provider.
import { findPort } from '../../../playground/dist/find-port.js';
import { readRoles } from '../console/openid/roles.js';
import { startProvider } from './openid-provider.js';
import { PlaygroundProcess } from './playground-process.js';

/** Starts both; `close` ends both. */
export async function startSignInServer(): Promise<{
  server: PlaygroundProcess;
  close: () => Promise<void>;
}> {
  const baseUrl = `http://localhost:${await findPort('localhost', 0)}`;
  const provider = await startProvider(baseUrl, {});
  const server = await PlaygroundProcess.startWithSignIn(baseUrl, {
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    scope: 'openid profile',
    rolesClaim: 'roles',
    organisationClaim: 'organisation',
    roles: readRoles('gate=movement/entry'),
    subjectKey: 'a key of the pseudonyms, 32 characters or more',
    timeZone: 'Europe/Oslo',
  });
  const close = async () => {
    await server.close();
    await provider.close();
  };
  return { server, close };
}
