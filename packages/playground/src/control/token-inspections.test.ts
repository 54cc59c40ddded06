// The address that inspects tokens: grants, tokens of the identity provider, customs tokens, and texts that are none.
import assert from 'node:assert/strict';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { JWT_BEARER_GRANT } from '@landfall/contract';
import { SignJWT } from 'jose';
import { Landfall } from '../../../client/dist/index.js';
import { startPlayground } from '../index.js';
import type { Inspection } from '../inspection/inspect-token.js';

const playground = await startPlayground();
after(() => playground.close());

async function send(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${playground.baseUrl}/playground/token-inspections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function inspect(body: { token?: string; identity?: string }): Promise<Inspection> {
  const { status, text } = await send(body);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

/** The rules that are broken, apart from that of the signature. */
function brokenRules({ findings }: Inspection): string[] {
  return findings
    .filter(({ rule, holds }) => holds === false && rule !== 'signature')
    .map(({ rule }) => rule);
}

type Members = Record<string, unknown>;
type Change = (parts: { header: Members; claims: Members }) => unknown;

/** A grant of the carrier; valid unless `change` breaks it. */
async function makeGrant(change: Change = () => undefined): Promise<string> {
  const carrier = playground.identities.find(({ name }) => name === 'carrier');
  assert(carrier);
  const now = Math.floor(Date.now() / 1000);
  const parts: { header: Members; claims: Members } = {
    header: { alg: 'ES256', x5c: carrier.x5c },
    claims: {
      iss: carrier.client_id,
      aud: carrier.idp_url,
      scope: 'customs:movement/entry',
      iat: now,
      exp: now + 60,
      jti: randomUUID(),
    },
  };
  change(parts);
  return new SignJWT(parts.claims)
    .setProtectedHeader({ ...parts.header, alg: 'ES256' })
    .sign(createPrivateKey(carrier.private_key));
}

async function requestToken(path: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(playground.baseUrl + path, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token: token } = JSON.parse(await response.text());
  assert.equal(typeof token, 'string');
  return token;
}

/** A valid token of each kind. */
async function makeTokens() {
  const accessToken = await requestToken('/idp/token', {
    grant_type: JWT_BEARER_GRANT,
    assertion: await makeGrant(),
  });
  const customsToken = await requestToken('/api/access/external/oauth/token', {
    grant_type: 'token-exchange',
    subject_token_type: 'access_token',
    subject_token: accessToken,
  });
  const grant = await makeGrant();
  return { grant, 'access-token': accessToken, 'customs-token': customsToken };
}

/** The token with other members, and the signature that it had. */
function changeToken(token: string, change: Change): string {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const parts = { header: decode(header), claims: decode(claims) };
  change(parts);
  return `${encode(parts.header)}.${encode(parts.claims)}.${signature}`;
}

const decode = (part: string): Members => JSON.parse(Buffer.from(part, 'base64url').toString());
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a valid token of each kind keeps every rule, and its members are explained', async () => {
  for (const [kind, token] of Object.entries(await makeTokens())) {
    const inspection = await inspect({ token: ` Authorization: Bearer ${token}\n` });
    assert.equal(inspection.kind, kind);
    assert.deepEqual(
      inspection.findings.filter(({ holds }) => holds !== true),
      [],
    );
    const { header, claims } = inspection;
    for (const member of [...header, ...claims]) {
      assert(member.meaning.length > 10, member.name);
      assert(member.presence !== 'required' || member.value !== undefined, member.name);
    }
    const claimOf = (name: string) => claims.find((claim) => claim.name === name);
    const { exp } = decode(token.split('.')[1] ?? '');
    assert.equal(claimOf('exp')?.value, exp);
    assert.equal(claimOf('exp')?.at, new Date(Number(exp) * 1000).toISOString());
    assert.deepEqual(claimOf('scope')?.scopes, [
      {
        scope: 'customs:movement/entry',
        name: 'movement/entry',
        api: 'Presentation and routing',
      },
    ]);
    const client = kind === 'grant' ? 'iss' : 'client_id';
    assert.deepEqual(claimOf(client)?.parties, [{ kind: 'identity', name: 'carrier' }]);
    assert.deepEqual(claimOf('aud')?.parties, [
      { kind: kind === 'grant' ? 'identity-provider' : 'service' },
    ]);
  }
});

test('broken rules have the code of the verifier and advice', async () => {
  const { 'customs-token': customsToken } = await makeTokens();
  const cases: [string, rule: string, code: string, advice: RegExp][] = [
    [
      await makeGrant(({ claims }) => (claims.aud = 'https://other.example')),
      'aud',
      'MP-110',
      /Set aud to exactly one value/,
    ],
    [
      await makeGrant(({ claims }) => (claims.exp = Number(claims.iat) - 30)),
      'not-over',
      'MP-130',
      /Sign a new grant/,
    ],
    [
      changeToken(customsToken, ({ claims }) => (claims.exp = 1_000_000)),
      'not-over',
      'invalid_token',
      /Get a new token/,
    ],
  ];
  for (const [token, rule, code, advice] of cases) {
    const { findings } = await inspect({ token });
    const found = findings.find((finding) => finding.rule === rule);
    assert.equal(found?.holds, false, rule);
    assert.equal(found.code, code);
    assert.match(found.advice ?? '', advice);
  }
});

test('what is required is what the rules require, for each kind', async () => {
  const tokens = await makeTokens();
  for (const [kind, token] of Object.entries(tokens)) {
    const { header, claims } = await inspect({ token });
    const members = [
      // The key that a token names is checked with its signature.
      ...header
        .filter(({ name }) => name === 'x5c' || name === 'typ')
        .map((member) => ({ ...member, part: 'header' as const })),
      ...claims.map((member) => ({ ...member, part: 'claims' as const })),
    ];
    for (const { name, presence, part } of members) {
      const broken = brokenRules(
        await inspect({ token: changeToken(token, (parts) => delete parts[part][name]) }),
      );
      assert.equal(broken.length > 0, presence === 'required', `${kind} ${name}: ${broken}`);
    }
  }
  const unnamed = await inspect({
    token: changeToken(tokens.grant, ({ header, claims }) => {
      delete header.x5c;
      delete claims.aud;
      claims.consumer_org = '310000027';
      claims.colour = 'red';
    }),
  });
  const presenceOf = (name: string) =>
    [...unnamed.header, ...unnamed.claims].find((member) => member.name === name);
  assert.deepEqual(
    ['kid', 'aud', 'consumer_org', 'colour'].map((name) => presenceOf(name)?.presence),
    ['required', 'required', 'optional', 'unused'],
  );
  assert.equal(presenceOf('aud')?.value, undefined);
  assert.match(presenceOf('consumer_org')?.meaning ?? '', /act for an organisation/);
});

test('a grant of each identity is made and inspected, and is not in the response', async () => {
  for (const { name } of playground.identities) {
    const { status, text } = await send({ identity: name });
    assert.equal(status, 200, text);
    assert(!/[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/.test(text), 'a grant');
    const inspection: Inspection = JSON.parse(text);
    assert.equal(inspection.kind, 'grant');
    assert.deepEqual(brokenRules(inspection), [], name);
  }
});

test('a grant is compared with what is registered and consumed now', async () => {
  const grant = await makeGrant();
  assert.deepEqual(brokenRules(await inspect({ token: grant })), []);
  await requestToken('/idp/token', { grant_type: JWT_BEARER_GRANT, assertion: grant });
  const { findings } = await inspect({ token: grant });
  const jti = findings.find(({ rule }) => rule === 'jti');
  assert.equal(jti?.code, 'MP-012');
  assert.match(jti.advice ?? '', /its own jti/);

  const authority = new Landfall(playground.credentials('authority'));
  await authority.patchOrganisation('0192:310000019', { blocked: true });
  assert.deepEqual(brokenRules(await inspect({ identity: 'carrier' })), ['client']);
  await authority.patchOrganisation('0192:310000019', { blocked: false });
});

test('a text that is not a JWT is refused with the part and what is wrong with it', async () => {
  const good = encode({});
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const deepClaims = Buffer.from(`{"iss":${deep}}`).toString('base64url');
  const cases: [text: string, field: string, error: RegExp][] = [
    [' \n', 'token', /blank/],
    ['c2VjcmV0', 'token', /has 1 part and must have 3/],
    [`${good}.${good}`, 'token', /has 2 parts/],
    [`${good}.x.x.x.x`, 'token', /encrypted JWT/],
    [`{"access_token":"${good}.${good}.x"}`, 'token', /is JSON: paste the value/],
    [`grant_type=x&assertion=${good}.${good}.x`, 'token', /is a form/],
    ['-----BEGIN PRIVATE KEY-----\nc2VjcmV0', 'token', /is a key or a certificate/],
    [`${good}.${good}\n.c2VjcmV0`, 'token', /white space at position 8/],
    [`.${good}.c2VjcmV0`, 'token.header', /is empty/],
    [`a+b/.${good}.c2VjcmV0`, 'token.header', /the character "\+" at position 2/],
    [`abcde.${good}.c2VjcmV0`, 'token.header', /a character is missing/],
    [`${good}.c2VjcmV0.x`, 'token.claims', /is not JSON in UTF-8/],
    [`${good}.${encode(['c2VjcmV0'])}.x`, 'token.claims', /must be a JSON object/],
    [`${good}.${deepClaims}.x`, 'token.claims', /more than 20 levels/],
    [`${good}.${good}.c2Vj=`, 'token.signature', /the character "="/],
    ['x'.repeat(65_001), 'token', /65000/],
  ];
  for (const [token, field, error] of cases) {
    const { status, text } = await send({ token });
    assert.equal(status, 400, text);
    const [first] = JSON.parse(text).validationErrors;
    assert.equal(first.field, field, text);
    assert.match(first.error, error);
    assert(!text.includes('c2VjcmV0'), 'the text is repeated');
  }
  for (const [body, field] of [
    [{}, 'token'],
    [{ token: 'x', identity: 'carrier' }, 'identity'],
    [{ identity: 'nobody' }, 'identity'],
    [{ token: 7 }, 'token'],
  ] as const) {
    const { status, text } = await send(body);
    assert.equal(status, 400);
    assert.equal(JSON.parse(text).validationErrors[0].field, field);
  }
});

test('no value of any member is an internal error', async () => {
  const values = [null, -1e300, 'a\0b', [[7]], { ID: 7 }];
  for (const [kind, token] of Object.entries(await makeTokens())) {
    const names = {
      header: ['alg', 'typ', 'kid', 'x5c', 'crit', 'b64'],
      claims: ['iss', 'aud', 'sub', 'scope', 'iat', 'exp', 'nbf', 'jti', 'consumer', 'act'],
    };
    for (const part of ['header', 'claims'] as const) {
      for (const name of names[part]) {
        for (const value of values) {
          const changed = changeToken(token, (parts) => (parts[part][name] = value));
          const { status } = await send({ token: changed });
          assert.equal(status, 200, `${kind} ${name} ${JSON.stringify(value)}`);
        }
      }
    }
  }
});

test('what was inspected is not recorded', async () => {
  await fetch(`${playground.baseUrl}/playground/requests`, { method: 'DELETE' });
  const { grant } = await makeTokens();
  const [header = '', claims = '', signature = ''] = grant.split('.');
  await inspect({ token: grant });
  // Neither is a text that is refused, and does not look like a token.
  await send({ token: 'correct-horse-battery-staple' });
  await inspect({ identity: 'carrier' });
  for (const format of ['json', 'har']) {
    const recorded = await fetch(`${playground.baseUrl}/playground/requests?format=${format}`);
    const text = await recorded.text();
    assert.match(text, /\/idp\/token/);
    for (const secret of [header, claims, signature, 'battery-staple', 'token-inspections']) {
      assert(!text.includes(secret), secret);
    }
  }
});

test('pages of other sites are refused', async () => {
  const { status, text } = await send({ identity: 'carrier' }, { origin: 'https://example.com' });
  assert.equal(status, 403);
  assert.match(text, /Origin must be/);
});
