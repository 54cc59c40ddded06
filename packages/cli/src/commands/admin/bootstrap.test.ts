// `landfall admin bootstrap` bootstraps the first authority of an installation.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type ExternalIdentityProvider,
  startExternalIdentityProvider,
} from '../../testing/external-identity-provider.js';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../testing/postgresql.js';
import { productionEnvironment } from '../../testing/production-environment.js';
import { runCommand } from '../../testing/run-command.js';
import { type RunningCommand, runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const AUTHORITY = '310000035';
const registry = 'customs:authority/registry';

describe('organisations grant', () => {
  it('reports wrong usage in one line, also without a database', async () => {
    const cases: [string[], number, RegExp][] = [
      [['0192:1', '--scope', 'movement/entry'], 1, /^error: DATABASE_URL is not set\n$/],
      [['0192:1'], 2, /required option '--scope <scope\.\.\.>'/],
      [['0192:1', '--scope', 'everything'], 2, /Allowed choices are movement\/road\/v2, /],
    ];
    for (const [words, expected, message] of cases) {
      const { code, stdout, stderr } = await runCommand(['admin', 'bootstrap', ...words]);
      assert.equal(code, expected);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });
});

describe('organisations grant on PostgreSQL', { skip: await whyNoPostgresql() }, () => {
  let provider: ExternalIdentityProvider;
  let database: TestPostgresql;
  let environment: NodeJS.ProcessEnv;
  let server: RunningCommand;
  let address: string;

  before(async () => {
    [provider, database] = await Promise.all([startExternalIdentityProvider(), createPostgresql()]);
    environment = productionEnvironment(
      database,
      provider,
      join(await makeTemporaryFolder(), 'keys'),
    );
  });
  after(async () => {
    server?.process.kill('SIGTERM');
    await server?.ended;
    provider?.close();
    await database?.drop();
  });

  const grant = (id: string, ...words: string[]) =>
    runLandfall(['admin', 'bootstrap', id, ...words], { environment });

  it('refuses a database with pending migrations', async () => {
    const { code, stderr } = await grant(`0192:${AUTHORITY}`, '--scope', 'authority/registry');
    assert.equal(code, 1);
    assert.match(stderr, /^error: the database lacks 0001.*landfall admin migrate/);
  });

  it('lets the granted organisation manage organisations, which nobody could before', async () => {
    assert.equal((await runLandfall(['admin', 'migrate'], { environment })).code, 0);
    server = startLandfall(['serve'], environment);
    [, address = ''] = await server.printed(/serving \S+ on (\S+)/);
    const refused = await exchange(registry);
    assert.equal(refused.status, 400);
    assert.match(
      await refused.text(),
      /not authorized to request scope customs:authority\/registry/,
    );

    const words = ['--name', 'Customs', '--scope', 'authority/registry', 'authority/routing'];
    const { code, stdout, stderr } = await grant(`0192:${AUTHORITY}`, ...words);
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      `added domestic organisation 0192:${AUTHORITY} (Customs)\n` +
        `granted authority/registry to 0192:${AUTHORITY}\n` +
        `granted authority/routing to 0192:${AUTHORITY}\n`,
    );

    // The running server applies the grant without a restart.
    const put = await send('PUT', '0192:310000019', { name: 'Carrier', kind: 'domestic' });
    assert.equal(put.status, 200);
  });

  it('adds one record to the audit trail, and none if nothing changes', async () => {
    const verify = async () => {
      const { code, stdout, stderr } = await runLandfall(['admin', 'audit', 'verify', '--json'], {
        environment,
      });
      assert.equal(code, 0, stderr);
      return Number(JSON.parse(stdout).records);
    };
    const before = await verify();
    const words = ['--scope', 'movement/entry', '--name', 'Recorded'];
    assert.equal((await grant('0192:310000094', ...words)).code, 0);
    const after = await verify();
    assert.ok(after > before, `${before} records before and ${after} after`);
  });

  it('can be repeated, and removes nothing', async () => {
    const before = await (await send('GET', `0192:${AUTHORITY}`)).json();
    const again = await grant(`0192:${AUTHORITY}`, '--scope', 'authority/registry', '--name', 'X');
    assert.equal(again.code, 0);
    assert.equal(again.stdout, '');
    assert.match(again.stderr, /^nothing to do: 0192:310000035 already has these scopes\n$/);
    assert.deepEqual(await (await send('GET', `0192:${AUTHORITY}`)).json(), before);
  });

  it('keeps existing data of an organisation, and warns when it is blocked', async () => {
    const id = '0192:310000019';
    const { etag } = JSON.parse(await (await send('GET', id)).text());
    await send('PUT', id, {
      etag,
      name: 'Carrier',
      kind: 'domestic',
      blocked: true,
      grantedScopes: ['movement/air'],
      clients: [{ client_id: 'carrier-1' }],
    });
    const { stdout, stderr } = await grant(id, '--scope', 'movement/entry', 'movement/air');
    assert.equal(stdout, `granted movement/entry to ${id}\n`);
    assert.match(stderr, /is blocked and still cannot get tokens/);
    const organisation = JSON.parse(await (await send('GET', id)).text());
    assert.deepEqual(organisation.grantedScopes, ['movement/air', 'movement/entry']);
    assert.equal(organisation.name, 'Carrier');
    assert.deepEqual(
      organisation.clients.map(({ client_id: clientId }: { client_id: string }) => clientId),
      ['carrier-1'],
    );
  });

  it('refuses invalid ids, and scopes that a foreign organisation cannot have', async () => {
    const short = await grant('0192:1', '--scope', 'movement/entry');
    assert.equal(short.code, 2);
    assert.match(short.stderr, /^error: id must be '0192:' and nine digits\n$/);
    const foreign = await grant('NTRDE-HRB1', '--scope', 'authority/registry');
    assert.equal(foreign.code, 2);
    assert.match(
      foreign.stderr,
      /^error: grantedScopes\.0 is not a scope for foreign businesses\n$/,
    );
    assert.equal((await send('GET', 'NTRDE-HRB1')).status, 404);
  });

  async function exchange(scope: string): Promise<Response> {
    const form = {
      grant_type: 'token-exchange',
      subject_token_type: 'access_token',
      subject_token: await provider.issueToken(AUTHORITY, scope),
    };
    return fetch(`${address}/api/access/external/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
  }

  async function send(method: string, id: string, body?: object): Promise<Response> {
    const { access_token: token } = JSON.parse(await (await exchange(registry)).text());
    return fetch(`${address}/api/authority/v1/organisations/${encodeURIComponent(id)}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
});
