// Requirements on clients that the authority registers with a key, where the identity provider is part of the service.
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { obtain, registerClient } from '../data/registered-client.js';
import {
  expect,
  expectEqual,
  expectOAuthError,
  expectStatus,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';
import { MERGE_PATCH } from './organisations.js';

/** Within this time a change of an organisation applies, in milliseconds. */
const APPLIES_WITHIN_MS = 60_000;

/** How often it is tried whether a change applies, in milliseconds. */
const POLL_INTERVAL_MS = 500;

export const registeredClients: Area = {
  name: 'Registered clients',
  requirements: [
    {
      id: 'REGI-011',
      sentence:
        'A client that is registered with a key gets tokens with it for the scopes of its organisation.',
      sources: [api('putOrganisation', 'requestAccessToken'), decision(10)],
      needs: ['authority'],
      cases: {
        'a new organisation': async (context) => {
          const identity = await registerClient(context);
          const response = await obtain(context, identity);
          expectStatus(response, 200);
          const token = String(readObject(response).access_token);
          expectEqual(decodeJwt(token).scope, identity.scopes[0], 'scope');
          expectStatus(await context.anonymous.call('testAuth', { token }), 200);
        },
        'with another key': async (context) => {
          const identity = await registerClient(context);
          const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
          const response = await context.requestAccessTokenOf({ ...identity, privateKey });
          expectOAuthError(response, 'invalid_grant', /^MP-124\b/);
        },
      },
    },
    {
      id: 'REGI-012',
      sentence:
        'Within a minute, a blocked organisation gets no tokens, and those that it has are 401.',
      sources: [api('patchOrganisation'), decision(10)],
      needs: ['authority'],
      cases: {
        'it is blocked while it has a token': async (context) => {
          const identity = await registerClient(context);
          const response = await obtain(context, identity);
          expectStatus(response, 200);
          const token = String(readObject(response).access_token);
          const path = { id: identity.organisation };
          const block = { path, json: { blocked: true }, type: MERGE_PATCH };
          expectStatus(await context.as('authority').call('patchOrganisation', block), 200);
          const startedAt = performance.now();
          const isOver = () => performance.now() - startedAt > APPLIES_WITHIN_MS;
          let [refused, ended] = [false, false];
          while (!(refused && ended) && !isOver()) {
            refused = (await obtain(context, identity)).status !== 200;
            ended = (await context.anonymous.call('testAuth', { token })).status === 401;
            if (!(refused && ended))
              await delay(POLL_INTERVAL_MS, undefined, { signal: context.signal });
          }
          expect(refused, 'a blocked organisation gets tokens after a minute');
          expect(ended, 'a token of a blocked organisation is valid after a minute');
        },
      },
    },
  ],
};
