// Requirements on the exchange of tokens.

import { CustomsToken, JsonWebKeySet } from '@landfall/contract';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { changeClaims, shortForm, subjectOf } from '../data/subject-tokens.js';
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
import { type Area, api, decision, national, rfc } from '../suite/requirement.js';

const EXCHANGE = 'exchangeToken';
const LONG_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const LONG_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

export const tokenExchange: Area = {
  name: 'Token exchange',
  requirements: [
    {
      id: 'ACCE-001',
      sentence:
        "The identity provider's token is exchanged for a customs token of the type Bearer with its lifetime; the response is not cached.",
      sources: [api(EXCHANGE), national('Access, token exchange'), rfc(6749, '5.1')],
      needs: ['presenter'],
      cases: {
        'the response': async (context) => {
          const response = await context.exchange(shortForm(await subjectOf(context, 'presenter')));
          expectStatus(response, 200);
          const body = readObject(response);
          expectValid(CustomsToken, body, 'the response');
          expect(Number(body.expires_in) > 0, `expires_in is ${body.expires_in}`);
          expectEqual(response.headers.get('cache-control'), 'no-store', 'Cache-Control');
        },
      },
    },
    {
      id: 'ACCE-002',
      sentence:
        'The short names and those of RFC 8693 are both accepted; issued_token_type has the form of subject_token_type.',
      sources: [api(EXCHANGE), rfc(8693, '2.1')],
      needs: ['presenter'],
      cases: Object.fromEntries(
        [
          ['token-exchange', 'access_token'],
          [LONG_GRANT, LONG_TYPE],
        ].map(([grant = '', type = '']) => [
          `${grant} and ${type}`,
          async (context: CaseContext) => {
            const subject = await subjectOf(context, 'presenter');
            const response = await context.exchange({
              grant_type: grant,
              subject_token_type: type,
              subject_token: subject,
            });
            expectStatus(response, 200);
            expectEqual(readObject(response).issued_token_type, type, 'issued_token_type');
          },
        ]),
      ),
    },
    {
      id: 'ACCE-003',
      sentence:
        'A customs token is a JWT that verifies with the published keys and has the scopes; it ends when expires_in says.',
      sources: [api(EXCHANGE, 'getCustomsKeys'), rfc(7519, '4.1'), rfc(7517, '5')],
      needs: ['presenter'],
      cases: {
        'signature and claims': async (context) => {
          const response = await context.exchange(shortForm(await subjectOf(context, 'presenter')));
          const { access_token: token, expires_in: lifetime } = readObject(response);
          const keys = await context.anonymous.call('getCustomsKeys');
          expectStatus(keys, 200);
          const set = readObject(keys);
          expectValid(JsonWebKeySet, set, 'the key set');
          const text = JSON.stringify(set);
          expect(!/"(?:d|p|q)":/.test(text), 'the key set has a private key');
          const { payload } = await jwtVerify(
            String(token),
            // The cast is true because the set has just been checked.
            createLocalJWKSet(set as unknown as Parameters<typeof createLocalJWKSet>[0]),
          ).catch((error: unknown) => {
            throw new NotMetError(`the token does not verify: ${error}`);
          });
          for (const claim of ['iss', 'iat', 'exp', 'scope']) {
            expect(payload[claim] !== undefined, `the token has no ${claim}`);
          }
          expectEqual(payload.scope, context.identity('presenter').scopes.join(' '), 'scope');
          expectEqual(Number(payload.exp) - Number(payload.iat), lifetime, 'exp - iat');
        },
      },
    },
    {
      id: 'ACCE-004',
      sentence:
        'A scope that the authority has not granted is invalid_scope, with the text "not authorized to request scope".',
      sources: [api(EXCHANGE), national('Access, errors of the exchange'), decision(73)],
      needs: ['newcomer'],
      cases: {
        'an organisation without grants': async (context) => {
          const response = await context.exchange(shortForm(await subjectOf(context, 'newcomer')));
          const [scope = ''] = context.identity('newcomer').scopes;
          expectOAuthError(response, 'invalid_scope', `not authorized to request scope ${scope}`);
        },
      },
    },
    {
      id: 'ACCE-005',
      sentence: 'A subject token that is not valid is invalid_request.',
      sources: [api(EXCHANGE), rfc(8693, '2.2.2')],
      needs: ['presenter'],
      cases: {
        'a text that is no token': async (context) => {
          expectOAuthError(await context.exchange(shortForm('nothing')), 'invalid_request');
        },
        'a token with a changed scope': async (context) => {
          const changed = changeClaims(await subjectOf(context, 'presenter'), (claims) => {
            claims.scope = `${context.settings.scopePrefix}authority/registry`;
          });
          expectOAuthError(await context.exchange(shortForm(changed)), 'invalid_request');
        },
        'a customs token': async (context) => {
          const token = await context.token('presenter');
          expectOAuthError(await context.exchange(shortForm(token)), 'invalid_request');
        },
      },
    },
    {
      id: 'ACCE-006',
      sentence:
        'Another grant type is unsupported_grant_type; a missing or repeated parameter is invalid_request.',
      sources: [api(EXCHANGE), rfc(6749, '5.2'), decision(73)],
      needs: ['presenter'],
      cases: {
        'another grant type': async (context) => {
          const form = { ...shortForm('x'), grant_type: 'password' };
          expectOAuthError(await context.exchange(form), 'unsupported_grant_type');
        },
        'without a subject token': async (context) => {
          const { subject_token: _, ...form } = shortForm('x');
          expectOAuthError(await context.exchange(form), 'invalid_request', /subject_token/);
        },
        'a parameter twice': async (context) => {
          const form = new URLSearchParams(shortForm(await subjectOf(context, 'presenter')));
          form.append('subject_token_type', 'access_token');
          const response = await context.exchange(form.toString());
          expectOAuthError(response, 'invalid_request', /subject_token_type/);
        },
      },
    },
    {
      id: 'ACCE-007',
      sentence: 'A requested scope narrows a customs token, and never widens it.',
      sources: [api(EXCHANGE), rfc(8693, '2.1')],
      needs: ['presenter', 'authority'],
      cases: {
        'one of two scopes': async (context) => {
          const { scopes } = context.identity('authority');
          const [one = '', two] = scopes;
          if (two === undefined) throw new NotTestedError('the authority has one scope only');
          const subject = await subjectOf(context, 'authority', `${one} ${two}`);
          const response = await context.exchange({ ...shortForm(subject), scope: one });
          expectStatus(response, 200);
          expectEqual(decodeJwt(String(readObject(response).access_token)).scope, one, 'scope');
        },
        'a scope that the subject token lacks': async (context) => {
          const [one = ''] = context.identity('presenter').scopes;
          const subject = await subjectOf(context, 'presenter', one);
          const scope = `${context.settings.scopePrefix}authority/registry`;
          const response = await context.exchange({ ...shortForm(subject), scope });
          expectOAuthError(response, 'invalid_scope');
        },
      },
    },
    {
      id: 'ACCE-008',
      sentence: 'Every other parameter of RFC 8693 takes effect or is refused; none is ignored.',
      sources: [api(EXCHANGE), rfc(8693, '2.1'), decision(73)],
      needs: ['presenter'],
      cases: Object.fromEntries(
        [
          ['actor_token', 'x', 'invalid_request'],
          ['requested_token_type', 'urn:ietf:params:oauth:token-type:saml2', 'invalid_request'],
          ['audience', 'https://elsewhere.example', 'invalid_target'],
          ['resource', 'https://elsewhere.example', 'invalid_target'],
        ].map(([name = '', value = '', error = '']) => [
          `${name}=${value}`,
          async (context: CaseContext) => {
            const form = shortForm(await subjectOf(context, 'presenter'));
            expectOAuthError(await context.exchange({ ...form, [name]: value }), error);
          },
        ]),
      ),
    },
    {
      id: 'ACCE-013',
      sentence:
        'The test scope of foreign businesses is granted to an eSeal, and can never be exchanged.',
      sources: [api(EXCHANGE), national('Access, test scope')],
      needs: ['foreign'],
      cases: {
        'eu/test': async (context) => {
          const scope = `${context.settings.scopePrefix}eu/test`;
          const subject = await subjectOf(context, 'foreign', scope);
          expectOAuthError(await context.exchange(shortForm(subject)), 'invalid_scope');
        },
      },
    },
  ],
};
