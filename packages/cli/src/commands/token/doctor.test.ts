// `landfall token doctor` agrees with the identity provider: every grant is also sent to a playground.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import {
  type ChangeGrant,
  data,
  examine,
  fileFor,
  makeGrant,
  readPlaygroundCredentials,
  requestToken,
  runPlayground,
} from '../../testing/doctored-playground.js';
import { runLandfall } from '../../testing/run-landfall.js';

runPlayground();

const otherKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** The error, the identity, how the grant is changed, and the broken rules. */
const bad: [string, string, ChangeGrant, string[]][] = [
  ['another audience', 'carrier', ({ claims }) => (claims.aud = 'https://x.example'), ['aud']],
  ['no audience', 'carrier', ({ claims }) => delete claims.aud, ['claims']],
  ['no scope', 'carrier', ({ claims }) => delete claims.scope, ['claims']],
  ['a scope that there is not', 'carrier', ({ claims }) => (claims.scope = 'customs:x'), ['scope']],
  [
    'a foreign scope',
    'carrier',
    ({ claims }) => (claims.scope = 'customs:eu/movement/entry'),
    ['scope'],
  ],
  [
    'a plain scope',
    'express',
    ({ claims }) => (claims.scope = 'customs:movement/entry'),
    ['scope'],
  ],
  [
    'a scope of another prefix',
    'carrier',
    ({ claims }) => (claims.scope = 'toll:movement/entry'),
    ['scope'],
  ],
  [
    'a scope that is not its own',
    'carrier',
    ({ claims }) => (claims.scope = 'customs:declaration.feed'),
    ['granted'],
  ],
  ['too long a life', 'carrier', ({ claims }, now) => (claims.exp = now + 121), ['lifetime']],
  [
    'an end that has passed',
    'carrier',
    ({ claims }, now) => Object.assign(claims, { iat: now - 100, exp: now - 40 }),
    ['not-over'],
  ],
  [
    'a beginning to come',
    'carrier',
    ({ claims }, now) => Object.assign(claims, { iat: now + 60, exp: now + 90 }),
    ['begun'],
  ],
  ['another key', 'carrier', (grant) => (grant.key = otherKey()), ['signature']],
  [
    'a shared secret',
    'carrier',
    (grant) =>
      Object.assign(grant, { key: new Uint8Array(32), header: { ...grant.header, alg: 'HS256' } }),
    ['algorithm'],
  ],
  [
    'the certificate of another client',
    'carrier',
    ({ claims }) => (claims.iss = 'playground-forwarder'),
    ['organisation'],
  ],
  ['no certificate and no kid', 'carrier', ({ header }) => delete header.x5c, ['key']],
  ['what is no certificate', 'carrier', ({ header }) => (header.x5c = ['AAAA']), ['certificates']],
  ['an empty x5c', 'carrier', ({ header }) => (header.x5c = []), ['x5c']],
  [
    'the eSeal alone',
    'express',
    ({ header }) => (header.x5c = header.x5c?.slice(0, 1) ?? []),
    ['entire-chain', 'trust'],
  ],
  [
    'a chain without its intermediate',
    'express',
    ({ header }) => (header.x5c = header.x5c?.toSpliced(1, 1) ?? []),
    ['link-1'],
  ],
  [
    'a chain whose leaf is not first',
    'express',
    ({ header }) => (header.x5c = header.x5c?.toReversed() ?? []),
    ['leaf'],
  ],
];

describe('a good grant', () => {
  for (const name of ['carrier', 'express', 'newcomer']) {
    it(`of ${name}: every rule holds`, async () => {
      const grant = await makeGrant(name);
      const { code, findings } = await examine(grant);
      assert.deepEqual(
        findings.filter(({ holds }) => holds !== true),
        [],
      );
      assert.equal(code, 0);
      assert.ok((await requestToken(grant)).token);
    });
  }

  it('has one line per rule, readable without colours, and a conclusion on stderr', async () => {
    const file = fileFor('grant.jwt');
    await writeFile(file, await makeGrant('express'));
    const { code, stdout, stderr } = await runLandfall(['token', 'doctor', file, '--data', data]);
    assert.equal(code, 0);
    assert.match(stdout, /^A grant for the identity provider$/m);
    for (const rule of [
      'leaf',
      'link-1',
      'link-2',
      'trust',
      'validity',
      'aud',
      'lifetime',
      'jti',
    ]) {
      assert.match(stdout, new RegExp(`^  ✓ holds +${rule} +\\S`, 'm'));
    }
    assert.equal(stderr, 'every rule holds\n');
  });

  it('without a jti is accepted, with the advice to add one', async () => {
    const grant = await makeGrant('carrier', ({ claims }) => delete claims.jti);
    const { code, findings } = await examine(grant);
    const open = findings.filter(({ holds }) => holds !== true);
    assert.deepEqual(
      open.map(({ rule, holds }) => [rule, holds]),
      [['jti', null]],
    );
    assert.match(open[0]?.advice ?? '', /jti/);
    assert.equal(code, 0);
    assert.ok((await requestToken(grant)).token);
  });
});

describe('a grant with', () => {
  for (const [what, name, change, rules] of bad) {
    it(`${what}: the rule, the code of the provider and advice`, async () => {
      const grant = await makeGrant(name, change);
      const { code, findings } = await examine(grant);
      const broken = findings.filter(({ holds }) => holds === false);
      assert.deepEqual(broken.map(({ rule }) => rule).slice(0, rules.length), rules);
      for (const { advice } of broken) assert.match(advice ?? '', /^[A-Z].*\.$/);
      assert.equal(broken[0]?.code, (await requestToken(grant)).refusal);
      assert.equal(code, 1);
    });
  }

  it('several errors: each is reported', async () => {
    const grant = await makeGrant('express', (grant, now) => {
      Object.assign(grant.claims, { aud: 'https://x.example', scope: 'customs:x', exp: now + 500 });
      grant.key = otherKey();
    });
    const { findings } = await examine(grant);
    const broken = findings.filter(({ holds }) => holds === false);
    assert.deepEqual(
      broken.map(({ rule }) => rule),
      ['signature', 'aud', 'lifetime', 'scope'],
    );
    assert.deepEqual(
      broken.map(({ code }) => code),
      ['MP-124', 'MP-110', 'MP-130', 'MP-200'],
    );
  });

  it('an invalid form: only that is reported', async () => {
    const { code, findings } = await examine('not a token');
    assert.deepEqual(
      findings.map(({ rule, holds }) => [rule, holds]),
      [['form', false]],
    );
    assert.equal(findings[0]?.code, (await requestToken('not a token')).refusal);
    assert.equal(code, 1);
  });
});

describe('a grant for another provider', () => {
  it('leaves the rule of an unknown client open', async () => {
    const grant = await makeGrant('carrier', ({ claims }) => (claims.iss = 'somebody'));
    const { code, findings } = await examine(grant);
    const client = findings.find(({ rule }) => rule === 'client');
    assert.deepEqual([client?.holds, client?.code], [null, 'MP-100']);
    assert.equal((await requestToken(grant)).refusal, 'MP-100');
    assert.equal(code, 0);
  });

  it('is checked with --aud and --trust', async () => {
    const credentials = await readPlaygroundCredentials('express');
    const root = fileFor('root.pem');
    const pem = (base64: string) =>
      `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
    await writeFile(root, pem(credentials.x5c[2] ?? ''));
    const grant = await makeGrant('express', ({ claims }) => (claims.aud = 'https://idp.example'));
    const named = await examine(grant, '--aud', 'https://idp.example/', '--trust', root);
    assert.equal(named.code, 0);
    for (const wanted of ['aud', 'trust']) {
      assert.equal(named.findings.find(({ rule }) => rule === wanted)?.holds, true, wanted);
    }
    const unknown = await examine(grant, '--aud', 'https://idp.example/');
    assert.equal(unknown.findings.find(({ rule }) => rule === 'trust')?.holds, null);
    await writeFile(root, pem(credentials.x5c[0] ?? ''));
    const other = await examine(grant, '--aud', 'https://idp.example/', '--trust', root);
    assert.equal(other.findings.find(({ rule }) => rule === 'trust')?.code, 'MP-120');
  });
});
