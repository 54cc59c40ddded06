// An identity provider for trials of production on one machine: tokens for clients, and the sign-in to the console.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { codeOf } from '@landfall/service';
import { makeFolder, openKeyRing } from '@landfall/service/assembly';
import Fastify from 'fastify';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { findPort } from '../find-port.js';
import { getIdentityProviderKeys } from '../identity-provider/get-identity-provider-keys.js';
import { getIdentityProviderMetadata } from '../identity-provider/get-identity-provider-metadata.js';
import { readPrivateJson, writePrivate, writePrivateJson } from '../private-file.js';
import type { TrialProvider, TrialProviderOptions } from './options.js';
import { makeSignIn } from './sign-in.js';
import { makeTokenRequests } from './token-requests.js';
import { prepareTrialIdentities, ROLES } from './trial-identities.js';

/** It listens on this machine alone: its tokens are not protected on a network, and it asks for no password. */
const HOST = '127.0.0.1';

const SIGN_IN_PATH = '/login';

const CLIENT_ID = 'landfall-console';

/**
 * Starts a trial provider. Its keys, credentials and secrets stay in its folder; who has signed in is forgotten when it
 * ends.
 *
 * @throws the system's error, such as EADDRINUSE
 */
export async function startTrialProvider({
  port,
  data: folder,
  serviceUrl,
  scopePrefix,
}: TrialProviderOptions): Promise<TrialProvider> {
  await makeFolder(folder, 0o700);
  const address = `http://${HOST}:${await findPort(HOST, port)}`;
  const issuer = `${address}/idp`;
  const signInIssuer = `${address}${SIGN_IN_PATH}`;
  const addresses = { baseUrl: serviceUrl, idpUrl: issuer, scopePrefix };
  const identities = await prepareTrialIdentities(folder, addresses);
  const keysFolder = join(folder, 'keys');
  const clock = () => new Date();
  const keys = await openKeyRing({ folder: keysFolder }, 'identity-provider', clock);
  const secretFile = join(folder, 'console-secret');
  const subjectsFile = join(folder, 'console-subjects');
  const clientSecret = await keepSecret(secretFile);
  await keepSecret(subjectsFile);

  const signIn = makeSignIn({
    issuer: signInIssuer,
    path: SIGN_IN_PATH,
    serviceUrl,
    clientId: CLIENT_ID,
    clientSecret,
    cookieKey: randomBytes(32).toString('base64url'),
    key: await keepSignInKey(join(keysFolder, 'sign-in.json')),
    persons: identities.persons,
  });
  const requestToken = makeTokenRequests({ ...identities, issuer, serviceUrl, scopePrefix, keys });
  const app = Fastify({
    serverFactory: (handler: RequestListener) =>
      createServer((request, response) => {
        const isSignIn = request.url?.startsWith(`${SIGN_IN_PATH}/`) === true;
        (isSignIn ? signIn : handler)(request, response);
      }),
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post<{ Body: Record<string, string> | null }>('/idp/token', async (request, reply) => {
    const { status, body } = await requestToken(request.body ?? {}, randomUUID());
    return reply.code(status).header('cache-control', 'no-store').send(body);
  });
  app.get('/idp/jwks', async () => getIdentityProviderKeys(keys));
  for (const path of [
    '/idp/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/idp',
  ]) {
    app.get(path, async () => getIdentityProviderMetadata(issuer, scopePrefix));
  }
  const settingsFile = join(folder, 'serve.env');
  await writePrivate(
    settingsFile,
    settingsOf({
      LANDFALL_TRIAL: 'on',
      LANDFALL_BASE_URL: serviceUrl,
      LANDFALL_IDP_ISSUER: issuer,
      LANDFALL_IDP_JWKS_URL: `${issuer}/jwks`,
      LANDFALL_CONSOLE_OIDC_ISSUER: signInIssuer,
      LANDFALL_CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
      LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE: resolve(secretFile),
      LANDFALL_CONSOLE_SUBJECT_KEY_FILE: resolve(subjectsFile),
      LANDFALL_CONSOLE_ROLES: ROLES,
    }),
  );
  await app.listen({ host: HOST, port: Number(new URL(address).port) });
  return {
    issuer,
    signInIssuer,
    settingsFile,
    credentials: identities.credentials.map(({ name, organisation, scopes }) => ({
      name,
      organisation,
      scopes,
      file: join(folder, 'credentials', `${name}.json`),
    })),
    persons: identities.persons,
    close: async () => {
      keys.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** The secret in a file; a new one if there is no file. */
async function keepSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const secret = randomBytes(32).toString('base64url');
    await writePrivate(file, `${secret}\n`);
    return secret;
  }
}

async function keepSignInKey(file: string): Promise<JWK> {
  const kept = await readPrivateJson(file);
  // The cast is true because only this function writes the file.
  if (typeof kept === 'object' && kept !== null && 'kty' in kept) return kept as JWK;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' };
  await writePrivateJson(file, key);
  return key;
}

/** Lines for a shell. The values are quoted, so that no character of a path ends one. */
function settingsOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('');
}
