// The sign-in of a trial provider with OpenID Connect: whoever opens it chooses one of its people, without a password.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { TRIAL_CLAIM } from '@landfall/service/tokens';
import type { JWK } from 'jose';
import Provider from 'oidc-provider';
import { TRIAL_SENTENCE } from './sentence.js';
import type { Person } from './trial-identities.js';

/** What the sign-in needs. */
export type SignInSettings = {
  issuer: string;
  /** The path of the issuer, such as `/login`. */
  path: string;
  serviceUrl: string;
  clientId: string;
  clientSecret: string;
  cookieKey: string;
  /** The private key that signs ID tokens. */
  key: JWK;
  persons: readonly Person[];
};

/** The maximum size of the form, in bytes. */
const MAX_FORM = 4096;

/** Makes the handler of all requests below the path. */
export function makeSignIn(settings: SignInSettings): RequestListener {
  const { issuer, path, serviceUrl, clientId, clientSecret, cookieKey, key, persons } = settings;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${serviceUrl}/console/sign-in/callback`],
        post_logout_redirect_uris: [`${serviceUrl}/console/`],
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: `${serviceUrl}/console/sign-in/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'roles', 'organisation', TRIAL_CLAIM] },
    conformIdTokenClaims: false,
    cookies: { keys: [cookieKey] },
    jwks: { keys: [key] },
    findAccount: (_context, id) => {
      const person = persons.find(({ name }) => name === id);
      if (person === undefined) return undefined;
      const { name, role, organisation } = person;
      const claims = { name, roles: [role], organisation, [TRIAL_CLAIM]: TRIAL_SENTENCE };
      return { accountId: id, claims: async () => ({ sub: id, ...claims }) };
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
    interactions: { url: (_context, { uid }) => `${path}${INTERACTION}${uid}` },
    // Without its dispatcher, which refuses the address of the console because it is on this machine.
    fetch: (url, options = {}) => {
      Reflect.deleteProperty(options, 'dispatcher');
      return fetch(url, options);
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
  });
  const handle = provider.callback();
  return (request, response) => {
    const url = request.url ?? '';
    if (url.startsWith(`${path}${INTERACTION}`)) {
      void choosePerson(provider, persons, request, response).catch(() => {
        response.writeHead(400, { 'content-type': 'text/plain' });
        response.end('This sign-in has ended. Begin again at the console.');
      });
      return;
    }
    // The library finds the path of its issuer by the difference of the two.
    Object.assign(request, { originalUrl: url, url: url.slice(path.length) });
    handle(request, response);
  };
}

const INTERACTION = '/interaction/';

async function choosePerson(
  provider: Provider,
  persons: readonly Person[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(request, response);
  if (request.method === 'POST') {
    const accountId = new URLSearchParams(await readForm(request)).get('person') ?? '';
    if (persons.some(({ name }) => name === accountId)) {
      await provider.interactionFinished(request, response, { login: { accountId } });
      return;
    }
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
  });
  response.end(pageOf(persons));
}

async function readForm(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > MAX_FORM) throw new Error('the form is too large');
  }
  return text;
}

/** The names are ours, so nothing in them must be escaped. */
function pageOf(persons: readonly Person[]): string {
  const buttons = persons.map(
    ({ name, role, organisation }) =>
      `<p><button name="person" value="${name}">${name}</button> with the role ${role}, for ${organisation}</p>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Trial provider</title>
<style>body{font:1rem/1.5 system-ui;max-width:36rem;margin:3rem auto;padding:0 1rem}button{font:inherit}</style>
<h1>Who signs in?</h1><p><strong>${TRIAL_SENTENCE}</strong></p>
<form method="post">${buttons.join('\n')}</form></html>`;
}
