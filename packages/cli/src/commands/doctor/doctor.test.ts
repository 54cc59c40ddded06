// `landfall doctor` against a playground: what is wrong is found, and no other check fails.
import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { PlaygroundCredentials } from '@landfall/contract';
import {
  data,
  fileFor,
  readPlaygroundCredentials,
  runPlayground,
} from '../../testing/doctored-playground.js';
import { startProxy } from '../../testing/proxy.js';
import { runCommand } from '../../testing/run-command.js';
import type { Check, Outcome } from './check.js';

runPlayground();

async function examine(
  line: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; checks: Check[] }> {
  const words = ['doctor', ...line.split(' ').filter(Boolean), '--json'];
  const { code, stdout, stderr } = await runCommand(words, { environment });
  assert.equal(stderr, '');
  assert.doesNotMatch(stdout, /eyJ|PRIVATE KEY/);
  return { code, checks: JSON.parse(stdout) };
}

const of = (checks: readonly Check[], outcome: Outcome) =>
  checks.filter((check) => check.outcome === outcome);
const namesOf = (checks: readonly Check[]) => [...new Set(checks.map(({ check }) => check))];

let files = 0;
/** A file with changed credentials of an identity. */
async function changed(
  name: string,
  change: Partial<PlaygroundCredentials>,
  mode = 0o600,
): Promise<string> {
  const file = fileFor(`changed-${++files}.json`);
  const credentials = { ...(await readPlaygroundCredentials(name)), ...change };
  await writeFile(file, JSON.stringify(credentials));
  await chmod(file, mode);
  return file;
}

describe('with everything right', () => {
  it('no check fails, in the order of a call', async () => {
    for (const name of ['carrier', 'express', 'statistics']) {
      const { code, checks } = await examine(`--as ${name} --data ${data}`);
      assert.equal(code, 0);
      assert.deepEqual(of(checks, 'failed'), []);
      assert.deepEqual(of(checks, 'warning'), []);
      assert.deepEqual(namesOf(of(checks, 'skipped')), ['versions']);
      assert.deepEqual(namesOf(checks), [
        ...['settings', 'credentials', 'certificate', 'grant', 'service'],
        ...['identity provider', 'clock', 'token', 'versions'],
      ]);
    }
  });

  it('the authority sees the versions', async () => {
    const { checks } = await examine(`--as authority --data ${data}`);
    const versions = checks.filter(({ check }) => check === 'versions');
    assert.match(versions[0]?.detail ?? '', /^service \d+\.\d+\.\d+, as this command$/);
    assert.match(versions[1]?.detail ?? '', /^database embedded PostgreSQL \d+\.\d+, /);
  });

  it('the source of each setting is shown', async () => {
    const file = await changed('carrier', {});
    const settings = async (line: string, environment: NodeJS.ProcessEnv) =>
      (await examine(line, environment)).checks
        .filter(({ check }) => check === 'settings')
        .map(({ detail }) => detail);
    assert.deepEqual((await settings('', { LANDFALL_CREDENTIALS: file })).slice(1), [
      `--credentials ${file} (LANDFALL_CREDENTIALS)`,
    ]);
    const configuration = fileFor('configuration');
    const environment = { XDG_CONFIG_HOME: configuration };
    await runCommand(['profile', 'add', 'mine', '--credentials', file], { environment });
    assert.deepEqual(await settings('', environment), [
      'profile mine (chosen with landfall profile use)',
      `--credentials ${file} (the profile)`,
    ]);
  });

  it('a person reads a line for each check, and the conclusion', async () => {
    const { code, stdout, stderr } = await runCommand(['doctor', '--data', data]);
    assert.equal(code, 0);
    assert.match(stdout, /^✓ ok {7}settings/);
    assert.match(stdout, /\n✓ ok {7}token {14}the service accepts the token\n/);
    assert.equal(stderr, 'Nothing failed.\n');
  });
});

describe('credentials', () => {
  it('that others can read are a warning', async () => {
    const file = await changed('carrier', {}, 0o644);
    const { code, checks } = await examine(`--credentials ${file}`);
    assert.equal(code, 0);
    assert.deepEqual(namesOf(of(checks, 'warning')), ['credentials']);
    assert.match(of(checks, 'warning')[0]?.advice ?? '', /chmod 600/);
  });

  it('that are missing or incomplete end the checks, and no playground is suggested', async () => {
    const incomplete = fileFor('incomplete.json');
    await writeFile(incomplete, '{"base_url":"http://127.0.0.1:1"}');
    for (const file of [incomplete, fileFor('missing.json')]) {
      const { code, checks } = await examine(`--credentials ${file}`);
      assert.equal(code, 1);
      assert.deepEqual(namesOf(of(checks, 'failed')), ['credentials']);
      assert.match(of(checks, 'failed')[0]?.detail ?? '', new RegExp(file));
      assert.doesNotMatch(JSON.stringify(checks), /start a playground/);
    }
  });

  it('with the key of another certificate break the same rule here and at the provider', async () => {
    const { private_key } = await readPlaygroundCredentials('forwarder');
    const { code, checks } = await examine(
      `--credentials ${await changed('carrier', { private_key })}`,
    );
    assert.equal(code, 1);
    const [grant, token, ...others] = of(checks, 'failed');
    // A token is requested for each scope.
    const { scopes } = await readPlaygroundCredentials('carrier');
    assert.deepEqual(
      [grant?.check, token?.check, others.length],
      ['grant', 'token', scopes.length - 1],
    );
    assert.match(grant?.detail ?? '', /^MP-124/);
    assert.match(token?.detail ?? '', /the identity provider refused .*MP-124/);
    assert.match(grant?.advice ?? '', /^Sign with the private key of the first certificate/);
    assert.equal(token?.advice, grant?.advice);
  });

  it('with a key that is none, or a chain that is not whole', async () => {
    const noKey = await examine(
      `--credentials ${await changed('carrier', { private_key: 'none' })}`,
    );
    assert.match(of(noKey.checks, 'failed')[0]?.detail ?? '', /^no grant can be signed: /);
    const [leaf = ''] = (await readPlaygroundCredentials('express')).x5c;
    const { checks } = await examine(`--credentials ${await changed('express', { x5c: [leaf] })}`);
    const [grant] = of(checks, 'failed');
    assert.match(grant?.advice ?? '', /^Add the certificates above the eSeal to x5c/);
  });
});

describe('the identity provider', () => {
  it('that does not know the client: its reason, and the advice for it', async () => {
    const file = await changed('carrier', { client_id: 'unknown' });
    const { code, checks } = await examine(`--credentials ${file}`);
    assert.equal(code, 1);
    const [refused] = of(checks, 'failed');
    assert.match(refused?.detail ?? '', /refused \(40\d\): \w+: MP-100 .*unknown.*correlation id/);
    assert.match(refused?.advice ?? '', /^Set iss to a client_id that is registered/);
  });

  it('whose issuer is another than that of the credentials', async () => {
    const { base_url } = await readPlaygroundCredentials('carrier');
    const proxy = await startProxy(base_url, () => ({}));
    const file = await changed('carrier', { idp_url: `${proxy.url}/idp` });
    const { checks } = await examine(`--credentials ${file}`);
    proxy.close();
    assert.deepEqual(namesOf(of(checks, 'failed')), ['identity provider']);
    assert.match(of(checks, 'failed')[0]?.advice ?? '', /^Set idp_url/);
  });
});

it('a scope that customs has not granted is named', async () => {
  const { code, checks } = await examine(`--as newcomer --data ${data}`);
  assert.equal(code, 1);
  const [refused, ...others] = of(checks, 'failed');
  assert.equal(others.length, 0);
  assert.match(refused?.detail ?? '', /^customs:movement\/entry: .*not authorized to request/);
  assert.match(refused?.advice ?? '', /^Ask customs to grant the scope/);
  const more = await changed('forwarder', {
    scopes: ['customs:movement/entry', 'customs:declaration.feed'],
  });
  const partly = await examine(`--credentials ${more}`);
  assert.match(of(partly.checks, 'failed')[0]?.detail ?? '', /^customs:declaration\.feed: .*MP-2/);
  assert.ok(
    of(partly.checks, 'ok').some(({ detail }) => detail === 'granted: customs:movement/entry'),
  );
});

it('a clock that is off is measured at each server', async () => {
  const { base_url } = await readPlaygroundCredentials('carrier');
  const clockOf = async (seconds: number) => {
    const date = () => new Date(Date.now() + seconds * 1000).toUTCString();
    const proxy = await startProxy(base_url, () => ({ date: date() }));
    const { code, checks } = await examine(`--data ${data} --url ${proxy.url}`);
    proxy.close();
    return { code, clock: checks.filter(({ check }) => check === 'clock') };
  };
  const ahead = await clockOf(-20);
  assert.equal(ahead.code, 1);
  assert.match(ahead.clock[0]?.detail ?? '', /is (?:19|20|21) s ahead of http:\/\/127/);
  const behind = await clockOf(20);
  assert.equal(behind.code, 0);
  assert.deepEqual([behind.clock[0]?.outcome, behind.clock.length], ['warning', 1]);
  assert.equal((await clockOf(120)).clock[0]?.outcome, 'failed');
});

describe('an address', () => {
  const failure = async (url: string) => {
    const { base_url } = await readPlaygroundCredentials('carrier');
    const file = await changed('carrier', { base_url: url, idp_url: `${base_url}/idp` });
    const { code, checks } = await examine(`--credentials ${file} --timeout 2`);
    assert.equal(code, 1);
    assert.doesNotMatch(JSON.stringify(checks), /playground is not running|start it/);
    const [service, ...others] = of(checks, 'failed');
    assert.deepEqual([service?.check, others], ['service', []]);
    return service;
  };

  it('at which nothing listens, or whose name is unknown', async () => {
    const refused = await failure('http://127.0.0.1:2009');
    assert.match(refused?.detail ?? '', /ECONNREFUSED/);
    assert.match(refused?.advice ?? '', /^Nothing listens there/);
    const unknown = await failure('https://customs.invalid');
    assert.match(unknown?.detail ?? '', /ENOTFOUND|EAI_AGAIN/);
    assert.ok(unknown?.advice);
  });

  it('whose TLS certificate is not trusted', async () => {
    const { private_key: key, x5c } = await readPlaygroundCredentials('carrier');
    const [leaf = ''] = x5c;
    const cert = `-----BEGIN CERTIFICATE-----\n${leaf}\n-----END CERTIFICATE-----\n`;
    const server = createServer({ key, cert });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const untrusted = await failure(`https://127.0.0.1:${address.port}`);
    const plain = await failure(`http://127.0.0.1:${address.port}`);
    server.close();
    assert.match(untrusted?.detail ?? '', /TLS certificate .*NODE_EXTRA_CA_CERTS/);
    assert.match(plain?.advice ?? '', /https:\/\//);
  });

  it('of something else is a warning', async () => {
    const { base_url } = await readPlaygroundCredentials('carrier');
    const { checks } = await examine(`--data ${data} --url ${base_url}/docs`);
    assert.deepEqual(namesOf(of(checks, 'warning')), ['service', 'identity provider']);
  });
});

it('a playground that is not running is suggested only for its own data folder', async () => {
  const { data: stopped } = { data: fileFor('stopped') };
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(stopped, 'credentials'), { recursive: true });
  const credentials = await readPlaygroundCredentials('carrier');
  const away = { base_url: 'http://127.0.0.1:2009', idp_url: 'http://127.0.0.1:2009/idp' };
  await writeFile(
    join(stopped, 'credentials', 'carrier.json'),
    JSON.stringify({ ...credentials, ...away }),
    { mode: 0o600 },
  );
  const { checks } = await examine(`--data ${stopped}`);
  assert.match(of(checks, 'failed')[0]?.detail ?? '', /if the playground is not running, start it/);
});
