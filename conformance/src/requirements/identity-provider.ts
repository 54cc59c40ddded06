// Requirements on the identity provider, where it is part of the service: the playground's own one.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { AccessToken, AuthorizationServerMetadata } from '@landfall/contract';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { GrantChanges } from '../http/sign-grant.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectOAuthError,
  expectStatus,
  expectValid,
  NotMetError,
  readObject,
} from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, type Case, decision, national, rfc } from '../suite/requirement.js';

const REQUEST = 'requestAccessToken';
const seconds = () => Math.floor(Date.now() / 1000);

/** Leaves a case out where the identity provider is not below the address of the service. */
function ofService(run: Case): Case {
  return async (context) => {
    const { baseUrl, identityProvider } = context.settings;
    if (!identityProvider.url.startsWith(`${baseUrl}/`)) {
      throw new NotTestedError('the identity provider is not part of the tested service');
    }
    await run(context);
  };
}

/** A case in which a grant with changes is refused with an error and a code. */
function refused(
  error: string,
  code: string | RegExp,
  changes: (context: CaseContext) => GrantChanges,
  { role = 'presenter', scope }: { role?: Role; scope?: string } = {},
): Case {
  return ofService(async (context) => {
    const requested = scope === undefined ? undefined : `${context.settings.scopePrefix}${scope}`;
    const response = await context.requestAccessToken(role, requested, changes(context));
    expectOAuthError(response, error, code);
    expectOAuthError(response, error, /\(correlation id: /);
  });
}

export const identityProvider: Area = {
  name: 'Identity provider',
  requirements: [
    {
      id: 'IDEN-001',
      sentence:
        'A signed grant is exchanged for an access token of the type Bearer, with its lifetime and scope.',
      sources: [api(REQUEST), rfc(7523, '2.1'), national('Access, identity provider')],
      needs: ['presenter'],
      cases: {
        'the response': ofService(async (context) => {
          const response = await context.requestAccessToken('presenter');
          expectStatus(response, 200);
          const body = readObject(response);
          expectValid(AccessToken, body, 'the response');
          expectEqual(body.scope, context.identity('presenter').scopes.join(' '), 'scope');
          expectEqual(response.headers.get('cache-control'), 'no-store', 'Cache-Control');
        }),
        'aud with a slash at its end': ofService(async (context) => {
          const aud = `${context.settings.identityProvider.audience}/`;
          expectStatus(
            await context.requestAccessToken('presenter', undefined, { claims: { aud } }),
            200,
          );
        }),
      },
    },
    {
      id: 'IDEN-002',
      sentence:
        'The metadata names the issuer, the token endpoint and the keys, with which its tokens verify.',
      sources: [api('getIdentityProviderMetadata', 'getIdentityProviderKeys'), rfc(8414, '2')],
      needs: ['presenter'],
      cases: {
        'metadata, keys and a token': ofService(async (context) => {
          const metadata = await context.anonymous.call('getIdentityProviderMetadata');
          expectStatus(metadata, 200);
          const body = readObject(metadata);
          expectValid(AuthorizationServerMetadata, body, 'the metadata');
          expectEqual(body.issuer, context.settings.identityProvider.audience, 'issuer');
          const keys = readObject(await context.anonymous.call('getIdentityProviderKeys'));
          const { access_token: token } = readObject(await context.requestAccessToken('presenter'));
          // The cast is true or verification fails.
          const set = createLocalJWKSet(keys as unknown as Parameters<typeof createLocalJWKSet>[0]);
          const { payload } = await jwtVerify(String(token), set, {
            issuer: String(body.issuer),
          }).catch((error: unknown) => {
            throw new NotMetError(`the token does not verify: ${error}`);
          });
          const { organisation, clientId } = context.identity('presenter');
          expectEqual(payload.client_id, clientId, 'client_id');
          expectEqual(
            payload.consumer,
            { authority: 'iso6523-actorid-upis', ID: organisation },
            'consumer',
          );
        }),
      },
    },
    {
      id: 'IDEN-003',
      sentence: 'A jti is used once.',
      sources: [api(REQUEST), rfc(7523, '3')],
      needs: ['presenter'],
      cases: {
        'the same jti again': ofService(async (context) => {
          const claims = { jti: randomUUID() };
          expectStatus(await context.requestAccessToken('presenter', undefined, { claims }), 200);
          const again = await context.requestAccessToken('presenter', undefined, { claims });
          expectOAuthError(again, 'invalid_grant', /^MP-012\b/);
        }),
      },
    },
    {
      id: 'IDEN-004',
      sentence: 'A grant that has ended, has not begun or is valid for more than 120 s is MP-130.',
      sources: [api(REQUEST), national('Access, lifetime of a grant')],
      needs: ['presenter'],
      cases: {
        ended: refused('invalid_grant', 'MP-130', () => ({
          claims: { iat: seconds() - 200, exp: seconds() - 100 },
        })),
        'in the future': refused('invalid_grant', 'MP-130', () => ({
          claims: { iat: seconds() + 100, exp: seconds() + 160 },
        })),
        'valid for 121 s': refused('invalid_grant', 'MP-130', () => ({
          claims: { iat: seconds(), exp: seconds() + 121 },
        })),
        'valid for 120 s': ofService(async (context) => {
          const claims = { iat: seconds(), exp: seconds() + 120 };
          expectStatus(await context.requestAccessToken('presenter', undefined, { claims }), 200);
        }),
      },
    },
    {
      id: 'IDEN-005',
      sentence: 'A grant for another audience is MP-110.',
      sources: [api(REQUEST), rfc(7523, '3')],
      needs: ['presenter'],
      cases: {
        'another address': refused('invalid_grant', 'MP-110', () => ({
          claims: { aud: 'https://elsewhere.example' },
        })),
      },
    },
    {
      id: 'IDEN-006',
      sentence: 'An unknown client is MP-100, and a signature that does not verify is MP-124.',
      sources: [api(REQUEST), decision(10)],
      needs: ['presenter'],
      cases: {
        'another iss': refused('invalid_client', 'MP-100', () => ({
          claims: { iss: `nobody-${randomUUID()}` },
        })),
        'another key': refused('invalid_grant', 'MP-124', () => ({
          key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
        })),
      },
    },
    {
      id: 'IDEN-007',
      sentence: 'A missing claim is MP-011, and x5c that is not an array is MP-123.',
      sources: [api(REQUEST), national('Access, identity provider')],
      needs: ['presenter'],
      cases: Object.fromEntries([
        ...['iss', 'iat', 'exp', 'scope', 'aud'].map((claim): [string, Case] => [
          `without ${claim}`,
          refused('invalid_request', 'MP-011', () => ({ claims: { [claim]: undefined } })),
        ]),
        [
          'x5c as a text',
          refused('invalid_request', 'MP-123', (context) => ({
            header: { x5c: context.identity('presenter').certificates[0] },
          })),
        ] as [string, Case],
      ]),
    },
    {
      id: 'IDEN-008',
      sentence: 'A scope that the client may not request is invalid_scope.',
      sources: [api(REQUEST), decision(73)],
      needs: ['presenter'],
      cases: {
        'a scope of the authority': refused('invalid_scope', /^MP-2[05]0 /, () => ({}), {
          scope: 'authority/registry',
        }),
        'a scope that does not exist': refused('invalid_scope', /^MP-2[05]0 /, () => ({}), {
          scope: 'movement/teleport',
        }),
        'a foreign scope for a domestic business': refused(
          'invalid_scope',
          /^MP-2[05]0 /,
          () => ({}),
          {
            scope: 'eu/movement/entry',
          },
        ),
      },
    },
    {
      id: 'IDEN-009',
      sentence: 'An eSeal without its entire chain is MP-120.',
      sources: [api(REQUEST), decision(10), national('Access, eSeal')],
      needs: ['foreign'],
      cases: {
        'the eSeal alone': refused(
          'invalid_client',
          'MP-120',
          (context) => ({ header: { x5c: context.identity('foreign').certificates.slice(0, 1) } }),
          { role: 'foreign' },
        ),
      },
    },
    {
      id: 'IDEN-010',
      sentence:
        "A foreign business is known by its eSeal: iss is required and ignored, and the token names the certificate's organisation.",
      sources: [api(REQUEST), decision(10), national('Access, eSeal')],
      needs: ['foreign'],
      cases: {
        'any iss': ofService(async (context) => {
          const response = await context.requestAccessToken('foreign', undefined, {
            claims: { iss: 'any name' },
          });
          expectStatus(response, 200);
          const [, claims = ''] = String(readObject(response).access_token).split('.');
          const payload = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
          const { organisation } = context.identity('foreign');
          expectEqual(payload.consumer?.ID, organisation, 'consumer.ID');
          expectEqual(payload.consumer?.authority, 'etsi-en-319-412', 'consumer.authority');
          expectEqual(payload.client_amr, 'CForESeal', 'client_amr');
          expect(/^eidas-/.test(payload.client_id), `client_id is ${payload.client_id}`);
        }),
        'no iss': refused('invalid_request', 'MP-011', () => ({ claims: { iss: undefined } }), {
          role: 'foreign',
        }),
        'a domestic scope': refused('invalid_scope', /^MP-2[05]0 /, () => ({}), {
          role: 'foreign',
          scope: 'movement/entry',
        }),
      },
    },
    {
      id: 'IDEN-011',
      sentence: 'A grant that requests to act for another organisation is refused.',
      sources: [api(REQUEST), decision(84)],
      needs: ['presenter'],
      cases: {
        'consumer_org of another': refused('invalid_grant', 'MP-250', () => ({
          claims: { consumer_org: '310000078' },
        })),
      },
    },
  ],
};
