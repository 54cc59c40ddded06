// Of a token of each kind, every other text that encodes the same bytes is refused.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { JWT_BEARER_GRANT } from '@landfall/contract';
import {
  call,
  exchange,
  getAccessToken,
  getCustomsToken,
  goodGrant,
  postForm,
  type Running,
  signGrant,
  startAccess,
} from '../testing/running-access.js';
import { isCanonicalBase64Url } from './compact-token.js';

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

/** Each kind of token: how to get one, and the status of the response to it. */
const kinds: Record<
  string,
  [make: () => Promise<string>, send: (token: string) => Promise<number>]
> = {
  // Without a jti, a grant may be sent more than once.
  'a grant': [
    () => {
      const grant = goodGrant(running.credentials('carrier'));
      delete grant.claims.jti;
      return signGrant(grant);
    },
    async (assertion) => {
      const form = { grant_type: JWT_BEARER_GRANT, assertion };
      return (await postForm(`${running.idpUrl}/token`, form)).status;
    },
  ],
  'a token of the identity provider': [
    () => getAccessToken(running, 'carrier'),
    async (token) => (await exchange(running, token)).status,
  ],
  'a customs token': [
    () => getCustomsToken(running, 'carrier'),
    async (token) => (await call(running, token)).status,
  ],
};

for (const [kind, [make, send]] of Object.entries(kinds)) {
  test(`of ${kind}, exactly one of 64 last characters of each part is accepted`, async () => {
    const parts = (await make()).split('.');
    assert.equal(parts.length, 3);
    for (const [index, part] of parts.entries()) {
      const accepted = await acceptedOf(
        ALPHABET.map((last) => parts.with(index, part.slice(0, -1) + last).join('.')),
        send,
      );
      assert.equal(accepted.length, 1, `of part ${index}, ${accepted.length} are accepted`);
      assert.equal(accepted[0] === parts.join('.'), true);
    }
  });

  test(`of ${kind}, padding and other characters are refused in each part`, async () => {
    const parts = (await make()).split('.');
    const changes = ['=', '==', '.', '!', '+', '/', ' ', '%20', '\n', '\u00e9', 'A', 'AA', 'AAA'];
    const changed = parts.flatMap((part, index) => [
      ...changes.flatMap((text) => [
        parts.with(index, part + text),
        parts.with(index, text + part),
      ]),
      parts.with(index, part.replaceAll('-', '+').replaceAll('_', '/')),
      parts.with(index, ''),
    ]);
    const token = parts.join('.');
    const others = changed.map((each) => each.join('.')).filter((each) => each !== token);
    const accepted = await acceptedOf(
      others.filter((each) => kind !== 'a customs token' || isHeaderValue(each)),
      send,
    );
    // HTTP ignores blanks around the value of a header, and so does the scheme Bearer before the token.
    const isBlankAround = (text: string) => kind === 'a customs token' && text.trim() === token;
    assert.deepEqual(
      accepted.filter((text) => !isBlankAround(text)),
      [],
    );
  });
}

/** Whether a text can be the value of a header. */
function isHeaderValue(token: string): boolean {
  return !/[\n\u0080-\uffff]/.test(token);
}

async function acceptedOf(
  tokens: readonly string[],
  send: (token: string) => Promise<number>,
): Promise<string[]> {
  const statuses = await Promise.all(
    tokens.map(async (token) => [token, await send(token)] as const),
  );
  assert.ok(
    statuses.every(([, status]) => status < 500),
    'no 5xx',
  );
  return statuses.filter(([, status]) => status === 200).map(([token]) => token);
}

test('base64url of any bytes is canonical, and no other text of the same bytes', () => {
  for (let length = 1; length <= 66; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 151 + length) % 256));
    const text = bytes.toString('base64url');
    const others = ALPHABET.map((last) => text.slice(0, -1) + last).filter((other) =>
      Buffer.from(other, 'base64url').equals(bytes),
    );
    assert.deepEqual(others.filter(isCanonicalBase64Url), [text]);
    assert.equal(isCanonicalBase64Url(`${text}=`), false);
  }
  assert.equal(isCanonicalBase64Url(''), false);
});
