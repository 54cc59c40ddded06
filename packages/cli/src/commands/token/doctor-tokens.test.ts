// `landfall token doctor` on valid and changed tokens of a playground.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import {
  data,
  examine,
  fileFor,
  makeGrant,
  readPlaygroundCredentials,
  requestToken,
  runPlayground,
} from '../../testing/doctored-playground.js';
import { runCommand } from '../../testing/run-command.js';

runPlayground();

describe('a token', () => {
  it('of each kind is recognised, and every rule holds', async () => {
    const { token: accessToken = '' } = await requestToken(await makeGrant('carrier'));
    const customs = await runCommand([
      'token',
      'create',
      '--as',
      'carrier',
      '--raw',
      '--data',
      data,
    ]);
    for (const [token, name] of [
      [accessToken, 'An access token of the identity provider'],
      [customs.stdout.trim(), 'A customs token'],
    ] as const) {
      const { code, findings } = await examine(token);
      assert.deepEqual(
        findings.filter(({ holds }) => holds !== true),
        [],
      );
      assert.equal(code, 0);
      const { stdout } = await runCommand(['token', 'doctor', '--data', data], { input: token });
      assert.match(stdout, new RegExp(`^${name}`));
    }
  });

  it('that was changed, has expired or belongs to another service is detected', async () => {
    const { stdout } = await runCommand([
      'token',
      'create',
      '--as',
      'carrier',
      '--raw',
      '--data',
      data,
    ]);
    const [header = '', claims = '', signature = ''] = stdout.trim().split('.');
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const changed = (change: Record<string, unknown>) =>
      `${header}.${Buffer.from(JSON.stringify({ ...said, ...change })).toString('base64url')}.${signature}`;
    const cases: [Record<string, unknown>, string][] = [
      [{ exp: 1_000_000 }, 'not-over'],
      [{ iss: 'https://x.example/api/access' }, 'iss'],
      [{ aud: 'https://x.example' }, 'aud'],
      [{ sub: undefined, consumer: undefined }, 'claims'],
      [{ scope: 'customs:nothing' }, 'scope'],
    ];
    for (const [change, rule] of cases) {
      const { code, findings } = await examine(changed(change));
      const broken = findings.filter(({ holds }) => holds === false);
      assert.deepEqual(broken.map((finding) => finding.rule).sort(), ['signature', rule].sort());
      for (const finding of broken) assert.equal(finding.code, 'invalid_token');
      assert.equal(code, 1);
    }
  });

  it('with a value that is nested very deeply is examined like any other', async () => {
    const part = (text: string) => Buffer.from(text).toString('base64url');
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const claims = `{"sub":"x","client_id":"y","iss":${deep}}`;
    const token = `${part('{"alg":"ES256","typ":"at+jwt"}')}.${part(claims)}.AAAA`;
    const { findings } = await examine(token);
    const issuer = findings.find(({ rule }) => rule === 'iss');
    assert.match(issuer?.detail ?? '', /^iss is a value that is nested too deeply and must be/);
  });

  it('of an external provider is checked against its key set', async () => {
    const file = fileFor('jwks.json');
    const { stdout } = await runCommand([
      'token',
      'create',
      '--as',
      'carrier',
      '--raw',
      '--data',
      data,
    ]);
    const { kid } = decodeProtectedHeader(stdout.trim());
    const { base_url: baseUrl } = await readPlaygroundCredentials('carrier');
    await writeFile(file, await (await fetch(`${baseUrl}/api/access/jwks`)).text());
    assert.match(await readFile(file, 'utf8'), new RegExp(String(kid)));
    const { findings, code } = await examine(stdout.trim(), '--aud', baseUrl, '--jwks', file);
    assert.equal(findings.find(({ rule }) => rule === 'signature')?.holds, true);
    assert.equal(code, 0);
  });
});
