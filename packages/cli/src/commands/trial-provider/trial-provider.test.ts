// A trial of production: a trial provider, a server that was told of it, and what both say.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../testing/postgresql.js';
import { type RunningCommand, runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

/** The variables that a shell has after reading the file. */
async function readSettings(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => /^export (\w+)='(.*)'$/.exec(line)?.slice(1) ?? [line]),
  );
}

/** Signs somebody in as a browser does; the response to the question who that is. */
async function signIn(baseUrl: string, person: string): Promise<{ status: number; body: string }> {
  const cookies = new Map<string, string>();
  const request = async (url: string | URL, body?: string) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { method: 'POST', body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  let url = new URL(`${baseUrl}/console/sign-in`);
  let response = await request(url);
  for (let step = 0; step < 10; step++) {
    if (response.status === 200 && url.pathname.includes('/interaction/')) {
      assert.match(await response.text(), /For trials only/);
      response = await request(url, `person=${person}`);
    }
    const location = response.headers.get('location');
    if (location === null || new URL(location, url).pathname === '/console/') break;
    url = new URL(location, url);
    response = await request(url);
  }
  const session = await request(`${baseUrl}/console/session`);
  return { status: session.status, body: await session.text() };
}

it('says what is missing', async () => {
  const { code, stderr } = await runLandfall(['trial-provider']);
  assert.deepEqual([code, stderr.split(':')[1]], [2, ' --service is missing']);
});

const folder = join(await makeTemporaryFolder(), 'trial');

describe('a trial on PostgreSQL', { skip: await whyNoPostgresql() }, () => {
  // A free port is chosen by the provider; the server gets one that the provider knows before.
  const baseUrl = `http://127.0.0.1:${20_000 + (process.pid % 10_000)}`;
  let database: TestPostgresql;
  let provider: RunningCommand;
  let settings: Record<string, string>;
  let server: RunningCommand | undefined;
  const credentials = (name: string) => join(folder, 'credentials', `${name}.json`);

  before(async () => {
    database = await createPostgresql();
    const words = ['--port', '0', '--data', folder, '--service', baseUrl];
    provider = startLandfall(['trial-provider', ...words]);
    await provider.printed(/The provider is running/);
    settings = await readSettings(join(folder, 'serve.env'));
  });
  after(async () => {
    server?.process.kill('SIGKILL');
    provider?.process.kill('SIGTERM');
    await provider?.ended;
    await database?.drop();
  });

  const serve = async (changes: Record<string, string>) => {
    server?.process.kill('SIGTERM');
    await server?.ended;
    server = startLandfall(['serve'], {
      ...settings,
      DATABASE_URL: database.url,
      LANDFALL_KEYS: join(folder, 'service-keys'),
      LANDFALL_DRAIN_TIME: '0',
      PORT: new URL(baseUrl).port,
      ...changes,
    });
    await server.printed(/serving /);
  };
  const landfall = (words: readonly string[]) => runLandfall([...words], { environment: {} });

  const logOf = async (signal: NodeJS.Signals) => {
    server?.process.kill(signal);
    return (await server?.ended)?.stdout ?? '';
  };

  it('says that it is for trials only: at its start and in each token', async () => {
    await provider.printed(
      /^For trials only: whoever reaches this provider signs in as anybody\.$/m,
    );
    const metadata = await fetch(
      `${settings.LANDFALL_CONSOLE_OIDC_ISSUER}/.well-known/openid-configuration`,
    );
    assert.equal(
      ((await metadata.json()) as { issuer: string }).issuer,
      settings.LANDFALL_CONSOLE_OIDC_ISSUER,
    );
    const checked = await runLandfall([
      'admin',
      'check-provider',
      settings.LANDFALL_CONSOLE_OIDC_ISSUER ?? '',
      '--json',
    ]);
    assert.equal(checked.code, 0, checked.stdout);
  });

  it('its clients get tokens that a server refuses unless it was told', async () => {
    const environment = { DATABASE_URL: database.url };
    assert.equal((await runLandfall(['admin', 'migrate'], { environment })).code, 0);
    const bootstrap = ['admin', 'bootstrap', '0192:310000043', '--scope', 'authority/registry'];
    assert.equal((await runLandfall(bootstrap, { environment })).code, 0);
    await serve({ LANDFALL_TRIAL: '' });
    const refused = await landfall([
      'organisation',
      'list',
      '--credentials',
      credentials('authority'),
    ]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /of a provider for trials only, .* LANDFALL_TRIAL=on/);
    await serve({});
    const { code, stdout, stderr } = await landfall([
      'organisation',
      'list',
      '--credentials',
      credentials('authority'),
      '--json',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /0192:310000043/);
    assert.match(await logOf('SIGTERM'), /LANDFALL_TRIAL is on/);
  });

  it('its people sign in to the console of a server that was told, and of no other', async () => {
    await serve({});
    const session = await signIn(baseUrl, 'officer');
    assert.equal(session.status, 200, session.body);
    assert.match(session.body, /officer/);
    await serve({ LANDFALL_TRIAL: '' });
    assert.deepEqual(await signIn(baseUrl, 'officer'), { status: 204, body: '' });
  });
});
