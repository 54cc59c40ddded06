// `landfall admin keys list` and `keys rotate`; secrets are never printed.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { rotateKeys } from '@landfall/service';
import { type Run, runLandfall } from '../../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../../testing/temporary-folder.js';

const data = await makeTemporaryFolder();
const folder = join(data, 'keys');

/** Runs a keys command and checks that no secret is printed. */
async function run(line: string, environment: NodeJS.ProcessEnv = {}): Promise<Run> {
  const ended = await runLandfall(['admin', 'keys', ...line.split(' ')], { environment });
  const text = await readFile(join(folder, 'customs-token.json'), 'utf8');
  const secrets = [...text.matchAll(/"d": "([^"]+)"/g)];
  assert.ok(secrets.length > 0);
  for (const [, secret = ''] of secrets) {
    assert.ok(!(ended.stdout + ended.stderr).includes(secret));
  }
  return ended;
}

type Listed = { kid: string; state: string; purpose: string; signsFrom: string; endsAt?: string };

before(async () => {
  const location = { folder, now: new Date() };
  await rotateKeys({ ...location, purpose: 'customs-token', keep: 970, lead: 0 });
});

describe('keys list', () => {
  it('is a table, and an array with --json', async () => {
    const { code, stdout } = await run(`list --data ${data}`);
    assert.equal(code, 0);
    assert.match(stdout, /^purpose +state +signs from +ends +kid\n/);
    assert.match(stdout, /^customs-token +signing +\d{4}-\d\d-\d\d [\d:]+Z +- +[\w-]{43}$/m);
    const listed: Listed[] = JSON.parse((await run(`list --data ${data} --json`)).stdout);
    assert.equal(listed.at(-1)?.state, 'signing');
    assert.equal(listed.at(-1)?.purpose, 'customs-token');
  });

  it('uses LANDFALL_KEYS unless --data is given', async () => {
    const environment = { LANDFALL_KEYS: folder };
    assert.equal((await run('list', environment)).code, 0);
    const { code, stderr } = await run(`list --data ${join(data, 'other')}`, environment);
    assert.equal(code, 1);
    assert.match(stderr, /^error: no keys in \S+other\/keys; .*\n$/);
  });

  it('reports a purpose without keys', async () => {
    const { code, stderr } = await run(`list --data ${data} --purpose identity-provider`);
    assert.equal(code, 1);
    assert.match(stderr, /^error: no identity-provider keys in .*\n$/);
  });
});

describe('keys rotate', () => {
  it('adds a new key; the old one remains valid until its last token expires', async () => {
    const { code, stdout, stderr } = await run(`rotate --keys ${folder} --json`);
    assert.equal(code, 0);
    assert.match(stderr, /^rotated the keys in /);
    const listed: Listed[] = JSON.parse(stdout);
    const [old, fresh] = listed.slice(-2);
    assert.deepEqual([old?.state, fresh?.state], ['signing', 'upcoming']);
    const overlap = Date.parse(old?.endsAt ?? '') - Date.parse(fresh?.signsFrom ?? '');
    assert.equal(overlap, 970_000);
    assert.equal((await stat(join(folder, 'customs-token.json'))).mode & 0o777, 0o600);
  });

  it('uses the configured token lifetime', async () => {
    const environment = { LANDFALL_TOKEN_LIFETIME: '60' };
    const { stdout } = await run(`rotate --data ${data} --lead 10 --json`, environment);
    const listed: Listed[] = JSON.parse(stdout);
    const [old, fresh] = listed.slice(-2);
    assert.equal(Date.parse(old?.endsAt ?? '') - Date.parse(fresh?.signsFrom ?? ''), 60_000);
  });

  it('--at-once revokes the old keys', async () => {
    const { stdout } = await run(`rotate --data ${data} --at-once --json`);
    const listed: Listed[] = JSON.parse(stdout);
    assert.deepEqual(
      listed.map(({ state }) => state).filter((state) => state !== 'ended'),
      ['signing'],
    );
  });

  it('creates no keys in a folder without keys', async () => {
    const { code, stderr } = await run(`rotate --data ${join(data, 'other')}`);
    assert.equal(code, 1);
    assert.match(stderr, /^error: no customs-token keys in .*\n$/);
    await assert.rejects(stat(join(data, 'other')));
  });
});
