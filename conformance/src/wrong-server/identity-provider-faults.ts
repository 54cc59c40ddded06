// Faults of the identity provider.
import { decodeJwt } from 'jose';
import { type Behaviour, changeJson, type Fault, jsonOf, replace, respond } from './fault.js';

const accessToken = {
  access_token: 'wrong',
  token_type: 'Bearer',
  expires_in: 60,
  scope: 'customs:movement/entry',
};

/** The identity provider issues a token where the service refuses a grant with a code. */
function grantsDespite(code: string): () => Behaviour {
  return () => ({
    onResponse: (response) => {
      if (String(jsonOf(response)?.error_description).startsWith(code))
        replace(response, respond(200, accessToken));
    },
  });
}

/** Refuses grants for which the condition holds. */
function refusesGrants(holds: (claims: Record<string, unknown>) => boolean): () => Behaviour {
  return () => ({
    onRequest: ({ url, body }) => {
      const assertion = new URLSearchParams(body).get('assertion');
      if (!url.pathname.endsWith('/idp/token') || assertion === null) return undefined;
      const error = { error: 'invalid_grant', error_description: 'wrong server' };
      return holds(decodeJwt(assertion)) ? respond(400, error) : undefined;
    },
  });
}

export const identityProviderFaults: readonly Fault[] = [
  {
    name: 'refuses an audience with a slash at its end',
    caughtBy: ['IDEN-001'],
    make: refusesGrants(({ aud }) => String(aud).endsWith('/')),
  },
  {
    name: 'requires that iss of an eSeal is registered',
    caughtBy: ['IDEN-010'],
    make: refusesGrants(({ iss }) => iss === 'any name'),
  },
  {
    name: 'issues tokens for a jti a second time',
    caughtBy: ['IDEN-003'],
    make: grantsDespite('MP-012'),
  },
  {
    name: 'accepts grants that have ended or are valid for too long',
    caughtBy: ['IDEN-004'],
    make: grantsDespite('MP-130'),
  },
  {
    name: 'accepts grants for another audience',
    caughtBy: ['IDEN-005'],
    make: grantsDespite('MP-110'),
  },
  {
    name: 'does not verify the signature of grants',
    caughtBy: ['IDEN-006'],
    make: grantsDespite('MP-124'),
  },
  {
    name: 'accepts an eSeal without its chain',
    caughtBy: ['IDEN-009'],
    make: grantsDespite('MP-120'),
  },
  {
    name: 'grants scopes that the client may not request',
    caughtBy: ['IDEN-008'],
    make: grantsDespite('MP-200'),
  },
  {
    name: 'lets a client act for another organisation',
    caughtBy: ['IDEN-011'],
    make: grantsDespite('MP-250'),
  },
  {
    name: 'refuses grants without the code of the rule',
    caughtBy: ['IDEN-007'],
    make: () => ({
      onResponse: (response) => {
        response.body = response.body.replace(/MP-\d{3} /, '');
      },
    }),
  },
  {
    name: 'names another issuer in its metadata',
    caughtBy: ['IDEN-002'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.pathname.includes('well-known')) {
          changeJson(response, (body) => ({ ...body, issuer: 'https://elsewhere.example' }));
        }
      },
    }),
  },
];
