// Everything that the playground says of tokens has a text in both languages.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPlayground } from '@landfall/playground';
import type { Inspection } from '../../playground/tokens.js';
import { norwegianAdvice, norwegianApi, norwegianMeaning, ruleName } from './token-texts.js';

const playground = await startPlayground();
after(() => playground.close());

async function inspect(body: { token: string } | { identity: string }): Promise<Inspection> {
  const response = await fetch(`${playground.baseUrl}/playground/token-inspections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response.json();
}

/** A token without a signature. */
function makeToken(header: object, claims: object): string {
  const [first, second] = [header, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${first}.${second}.`;
}

/** Every claim and member of a header that is described. */
const header = { alg: 'none', typ: 'x', kid: 'x', crit: ['x'] };
const times = { iat: 1, exp: 2, nbf: 1, jti: 'x' };
const claims = { ...times, iss: 'x', aud: 'x', sub: 'x', client_id: 'x', client_amr: 'x' };

test('rules, members and scopes have names in Norwegian, and broken rules have advice', async () => {
  const inspections = [
    ...(await Promise.all(playground.identities.map(({ name }) => inspect({ identity: name })))),
    await inspect({ token: makeToken({ ...header, x5c: ['x'] }, { resource: 'x' }) }),
    await inspect({ token: makeToken({ alg: 'none' }, { ...times, act: 'x' }) }),
    await inspect({ token: makeToken(header, { ...claims, consumer: 'x', scope: 'x' }) }),
    await inspect({ token: makeToken({ ...header, typ: 'at+jwt' }, claims) }),
  ];
  assert.deepEqual(new Set(inspections.map(({ kind }) => kind)).size, 3);
  for (const { kind, header: members, claims: named, findings } of inspections) {
    for (const finding of findings) {
      for (const language of ['en', 'nb'] as const) {
        assert.notEqual(ruleName(finding, language), finding.rule, `${kind} ${finding.rule}`);
      }
      assert(norwegianAdvice(kind, finding), `${kind} ${finding.rule}`);
    }
    for (const { name, meaning, scopes = [] } of [...members, ...named]) {
      assert(norwegianMeaning(meaning), `${kind} ${name}: ${meaning}`);
      for (const { api } of scopes) assert(api === undefined || norwegianApi(api), api);
    }
  }
});
