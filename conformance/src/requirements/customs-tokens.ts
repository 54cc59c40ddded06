import { decodeJwt, decodeProtectedHeader } from 'jose';
import { changeClaims, subjectOf } from '../data/subject-tokens.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectProblem, expectStatus, readObject } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, national, rfc } from '../suite/requirement.js';

/** Reads `test-auth` with a token. */
const testAuth = (context: CaseContext, token: string | null, headers = {}) =>
  context.anonymous.call('testAuth', { token, headers });

/** Expects that a token is refused with 401 and the header that OAuth clients read. */
async function expectRefused(context: CaseContext, token: string | null): Promise<void> {
  const response = await testAuth(context, token);
  expectProblem(response, 401);
  const header = response.headers.get('www-authenticate') ?? '';
  expect(
    /^Bearer\b.*error="invalid_token"/.test(header),
    `WWW-Authenticate is "${header}", expected Bearer error="invalid_token"`,
  );
}

export const customsTokens: Area = {
  name: 'Customs tokens',
  requirements: [
    {
      id: 'ACCE-009',
      sentence: 'test-auth is 200 with any valid customs token, whatever Accept says.',
      sources: [api('testAuth'), national('Access, test of a token')],
      needs: ['presenter'],
      cases: {
        'each identity': async (context) => {
          for (const role of ['presenter', 'other', 'foreign', 'authority', 'reader'] as const) {
            if (context.settings.identities[role] === undefined) continue;
            expectStatus(await testAuth(context, await context.token(role)), 200);
          }
        },
        'other media types': async (context) => {
          const token = await context.token('presenter');
          for (const accept of ['application/json', 'image/png', '*/*']) {
            expectStatus(await testAuth(context, token, { accept }), 200);
          }
        },
      },
    },
    {
      id: 'ACCE-010',
      sentence:
        'A request without a valid customs token is 401 with WWW-Authenticate: Bearer error="invalid_token".',
      sources: [api('testAuth'), rfc(6750, '3.1')],
      needs: ['presenter'],
      cases: {
        'no token': (context) => expectRefused(context, null),
        'a text that is no token': (context) => expectRefused(context, 'nothing'),
        'a changed end': async (context) => {
          const token = changeClaims(await context.token('presenter'), (claims) => {
            claims.exp = Number(claims.exp) + 1;
          });
          await expectRefused(context, token);
        },
        'a changed organisation': async (context) => {
          const token = changeClaims(await context.token('presenter'), (claims) => {
            claims.sub = '0192:310000078';
            claims.consumer = { authority: 'iso6523-actorid-upis', ID: '0192:310000078' };
          });
          await expectRefused(context, token);
        },
        'the algorithm none': async (context) => {
          const [, claims = ''] = (await context.token('presenter')).split('.');
          const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
          await expectRefused(context, `${header}.${claims}.`);
        },
        'a changed signature': async (context) => {
          const token = await context.token('presenter');
          const at = token.lastIndexOf('.') + 10;
          const changed = token[at] === 'A' ? 'B' : 'A';
          await expectRefused(context, `${token.slice(0, at)}${changed}${token.slice(at + 1)}`);
        },
      },
    },
    {
      id: 'ACCE-011',
      sentence: "The identity provider's token is not a customs token: no operation accepts it.",
      sources: [api('testAuth'), national('Access, three steps')],
      needs: ['presenter'],
      cases: {
        'without an exchange': async (context) => {
          await expectRefused(context, await subjectOf(context, 'presenter'));
        },
      },
    },
    {
      id: 'ACCE-012',
      sentence: 'A customs token past its end is 401.',
      sources: [api('testAuth'), rfc(7519, '4.1.4')],
      needs: ['presenter'],
      cases: {
        'a token that has ended': async (context) => {
          await expectRefused(context, await endedToken(context));
        },
      },
    },
    {
      id: 'ACCE-014',
      sentence: 'Keys and tokens name the same key: kid of the token is that of a published key.',
      sources: [api('getCustomsKeys'), rfc(7515, '4.1.4')],
      needs: ['presenter'],
      cases: {
        kid: async (context) => {
          const { kid } = decodeProtectedHeader(await context.token('presenter'));
          const { keys } = readObject(await context.anonymous.call('getCustomsKeys'));
          const kids = Array.isArray(keys) ? keys.map((key) => key?.kid) : [];
          expect(kids.includes(kid), `kid ${kid} is not among ${kids.join(', ')}`);
        },
      },
    },
  ],
};

/** A token whose time is over: from the settings, or one that ends while the case waits. */
async function endedToken(context: CaseContext): Promise<string> {
  const { settings, run } = context;
  if (settings.expiredToken !== undefined) return settings.expiredToken;
  const token = await context.token('presenter');
  const endsInMs = Number(decodeJwt(token).exp) * 1000 - Date.now();
  // Clocks may differ by ten seconds.
  const waitMs = endsInMs + 11_000;
  if (waitMs > run.maxWaitMs) {
    throw new NotTestedError(
      `the token ends in ${Math.ceil(endsInMs / 1000)} s: give "expiredToken" in the settings, or --max-wait ${Math.ceil(waitMs / 1000)}`,
    );
  }
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  return token;
}
