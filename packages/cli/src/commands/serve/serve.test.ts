// `landfall serve`: refusals at start, serving, and stopping.
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BreakableConnection,
  startBreakableConnection,
} from '../../testing/breakable-connection.js';
import {
  type ExternalIdentityProvider,
  startExternalIdentityProvider,
} from '../../testing/external-identity-provider.js';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../testing/postgresql.js';
import { runCommand } from '../../testing/run-command.js';
import { type RunningCommand, runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();

/** A valid configuration whose database and identity provider do not exist. */
const good = {
  DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/landfall',
  LANDFALL_BASE_URL: 'https://customs.example',
  LANDFALL_IDP_ISSUER: 'https://idp.example',
  LANDFALL_IDP_JWKS_URL: 'https://idp.example/jwk',
  LANDFALL_KEYS: join(folder, 'keys'),
  LANDFALL_METRICS_TOKEN: 'a-token-of-the-scraper',
  PORT: '0',
};

/** Runs `serve`, which must fail, and returns its stderr. */
async function refuse(environment: NodeJS.ProcessEnv, code = 1): Promise<string> {
  const run = await runLandfall(['serve'], { environment: { ...good, ...environment } });
  assert.equal(run.code, code, run.stderr);
  assert.equal(run.stdout, '');
  return run.stderr;
}

describe('serve refuses to start', () => {
  it('without configuration, with one line per reason', async () => {
    const { code, stderr } = await runLandfall(['serve'], {
      environment: { LANDFALL_DATA: folder },
    });
    assert.equal(code, 1);
    const names = ['DATABASE_URL', 'LANDFALL_BASE_URL', 'LANDFALL_IDP_ISSUER'];
    const lines = stderr.trim().split('\n');
    assert.equal(lines.length, 4);
    for (const [index, name] of [...names, 'LANDFALL_IDP_JWKS_URL'].entries()) {
      assert.match(lines[index] ?? '', new RegExp(`^error: ${name} is not set: `));
    }
  });

  const BOTH = /DATABASE_URL .*sslmode=verify-full.* or set LANDFALL_ALLOW_UNENCRYPTED=on/;
  const unsafe: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['a base address without TLS', { LANDFALL_BASE_URL: 'http://customs.example' }, /https:\/\//],
    ['keys without TLS', { LANDFALL_IDP_JWKS_URL: 'http://idp.example/jwk' }, /https:\/\//],
    ['a slash at its end', { LANDFALL_BASE_URL: 'https://customs.example/' }, /with a slash/],
    ['a database without TLS', { DATABASE_URL: 'postgresql://u:secret@db.example/d' }, BOTH],
    ['NATS without TLS', { NATS_URL: 'nats://u:secret@nats.example' }, /begin it with tls:/],
    ['another database', { DATABASE_URL: 'mysql://u:secret@h/d' }, /such as postgresql:/],
  ];
  for (const [what, environment, reason] of unsafe) {
    it(`with ${what}, in one line`, async () => {
      const said = await refuse(environment);
      assert.match(said, reason);
      assert.match(said, /^error: .*\n$/);
      assert.doesNotMatch(said, /secret/);
    });
  }

  it('with an invalid option value, as wrong usage', async () => {
    assert.match(await refuse({ LANDFALL_RATE_LIMIT: 'many' }, 2), /LANDFALL_RATE_LIMIT must be/);
  });

  it('with key files that others can read, naming each', async () => {
    const open = join(folder, 'open');
    await mkdir(open);
    await writeFile(join(open, 'customs-token.json'), '{}');
    await chmod(open, 0o750);
    await chmod(join(open, 'customs-token.json'), 0o604);
    const said = await refuse({ LANDFALL_KEYS: open });
    assert.match(
      said,
      /^error: the folder of the signing keys \(LANDFALL_KEYS\) \S+ is open .*0750.*chmod 0700/m,
    );
    assert.match(said, /^error: the key file \S+customs-token\.json is open .*0604.*chmod 0600/m);
  });

  it('when PostgreSQL is unreachable, in one line', async () => {
    assert.match(await refuse({}), /^error: cannot connect to the database at DATABASE_URL.*\n$/);
  });
});

it('its help lists every variable with its default', async () => {
  const { stdout } = await runCommand(['serve', '--help']);
  for (const name of [...Object.keys(good), 'LANDFALL_RATE_LIMIT', 'LANDFALL_DRAIN_TIME']) {
    assert.match(stdout, new RegExp(`^ +${name}\n +\\w`, 'm'));
  }
  assert.match(stdout, /LANDFALL_TOKEN_LIFETIME\n.*default: 970/);
});

describe('serve on PostgreSQL', { skip: await whyNoPostgresql() }, () => {
  let provider: ExternalIdentityProvider;
  let database: TestPostgresql;
  let connection: BreakableConnection;
  let environment: NodeJS.ProcessEnv;
  let server: RunningCommand;
  let address: string;
  /** Every token sent to or received from the server. */
  const tokens: string[] = [];

  before(async () => {
    [provider, database] = await Promise.all([startExternalIdentityProvider(), createPostgresql()]);
    connection = await startBreakableConnection(database.url);
    environment = {
      ...good,
      DATABASE_URL: connection.url,
      LANDFALL_IDP_ISSUER: provider.issuer,
      LANDFALL_IDP_JWKS_URL: provider.keysUrl,
      LANDFALL_DRAIN_TIME: '1',
    };
  });
  after(async () => {
    server?.process.kill('SIGKILL');
    provider?.close();
    await connection?.interrupt();
    await database?.drop();
  });

  it('refuses a database with pending migrations', async () => {
    assert.match(
      await refuse(environment),
      /^error: the database lacks 0001.*landfall admin migrate/,
    );
  });

  it('refuses a database whose commits are not durable', async () => {
    assert.equal((await runLandfall(['admin', 'migrate'], { environment })).code, 0);
    const url = new URL(database.url);
    url.searchParams.set('options', '-c synchronous_commit=off');
    const name = url.pathname.slice(1);
    await database.run(`alter database ${name} set synchronous_commit = off`);
    assert.match(
      await refuse(environment),
      /^error: PostgreSQL's synchronous_commit is off: .*\n$/,
    );
    await database.run(`alter database ${name} reset synchronous_commit`);
  });

  it('says in one line that its session was ended during the start, and starts again', async () => {
    const [run] = await Promise.all([
      runLandfall(['serve'], { environment: { ...good, ...environment } }),
      // The start waits for this table, and its session is ended there.
      database.run(`
        do $$ begin
          lock table migration in access exclusive mode;
          loop
            perform pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock';
            exit when found;
            perform pg_sleep(0.01);
            perform pg_stat_clear_snapshot();
          end loop;
        end $$`),
    ]);
    assert.equal(run.code, 1);
    assert.match(
      run.stderr,
      /^error: the connection with the database at DATABASE_URL was lost \(terminating .+\): run the command again\n$/,
    );
    const again = startLandfall(['serve'], environment);
    await again.printed(/serving \S+ on (\S+)/);
    again.process.kill('SIGKILL');
    await again.ended;
  });

  it('refuses a database without a synchronous standby, if what is acknowledged must be replicated', async () => {
    assert.match(
      await refuse({ ...environment, LANDFALL_DURABILITY: 'replicated' }),
      /^error: LANDFALL_DURABILITY is replicated, but .*synchronous_standby_names is empty.*\n$/,
    );
  });

  it('refuses the schema of a release after the next one', async () => {
    await database.run(
      `insert into migration (name, digest, oldest_version) values ('9999-later.sql', 'x', '99.0.0')`,
    );
    assert.match(
      await refuse(environment),
      /^error: the database has 9999-later\.sql, which this version does not know: version 99\.0\.0 .*\n$/,
    );
  });

  it('reports its address in one line when it listens, also on the schema of the next release', async () => {
    await database.run(`update migration set oldest_version = '0.1.0' where digest = 'x'`);
    server = startLandfall(['serve', '--log-level', 'info'], environment);
    const [line, at = ''] = await server.printed(/serving \S+ on (\S+)/);
    assert.match(line, /serving https:\/\/customs\.example/);
    address = at;
    assert.equal((await fetch(`${address}/readyz`)).status, 200);
    assert.equal((await stat(good.LANDFALL_KEYS)).mode & 0o777, 0o700);
  });

  it('logs more after SIGUSR2, and as before after the next one', async () => {
    const quiet = startLandfall(['serve', '--port', '0', '--log-level', 'error'], environment);
    const [, at = ''] = await quiet.printed(/serving \S+ on (\S+)/);
    const path = '/api/movement/road/v2/test-auth';
    const refuse = () => fetch(`${at}${path}`).then((response) => response.text());
    await refuse();
    quiet.process.kill('SIGUSR2');
    await quiet.printed(/the log has the level debug/);
    await refuse();
    await quiet.printed(/"msg":"refused"/);
    quiet.process.kill('SIGUSR2');
    await quiet.printed(/the log has the level error/);
    await refuse();
    quiet.process.kill('SIGTERM');
    const { code, stdout } = await quiet.ended;
    assert.equal(code, 0);
    assert.equal(stdout.match(/"msg":"refused"/g)?.length, 1, stdout);
  });

  it('exchanges a token of the external provider for a customs token that it accepts', async () => {
    const refused = await exchange(await provider.issueToken('310000019', 'customs:movement/air'));
    assert.match(await refused.text(), /not authorized to request scope customs:movement\/air/);
    await database.run(`
      with added as (
        insert into organisation (identifier, kind, name) values ('0192:310000019', 'domestic', 'A')
        returning id)
      insert into organisation_scope (organisation_id, scope) select id, 'movement/air' from added`);
    const given = await exchange(await provider.issueToken('310000019', 'customs:movement/air'));
    const { access_token: token } = JSON.parse(await given.text());
    // The header of a playground has no effect, whether or not it can be read.
    for (const scenario of ['internal-error', 'not;readable;']) {
      const headers = { authorization: `Bearer ${token}`, 'Landfall-Scenario': scenario };
      const response = await fetch(`${address}/api/movement/road/v2/test-auth`, { headers });
      assert.equal(response.status, 200);
    }
  });

  it('has no identity provider of its own, and announces none', async () => {
    for (const path of ['/idp/jwks', '/idp/.well-known/oauth-authorization-server']) {
      assert.equal((await fetch(`${address}${path}`)).status, 404);
    }
    assert.equal((await fetch(`${address}/idp/token`, { method: 'POST' })).status, 404);
    assert.doesNotMatch(await (await fetch(`${address}/openapi.json`)).text(), /"\/idp\//);
  });

  it('serves no address of the playground, and loads none of its code', async () => {
    const coverage = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    // The coverage that Node.js writes at the end names every file that was loaded.
    const other = startLandfall(['serve', '--port', '0', '--log-level', 'info'], {
      ...environment,
      NODE_V8_COVERAGE: coverage,
    });
    const [, at = ''] = await other.printed(/serving \S+ on (\S+)/);
    for (const path of ['clock', 'reset', 'requests', 'scenarios', 'dataset']) {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const response = await fetch(`${at}/playground/${path}`, { method });
        assert.equal(response.status, 404, `${method} ${path}`);
      }
    }
    other.process.kill('SIGTERM');
    assert.equal((await other.ended).code, 0);
    const files = await readdir(coverage);
    const texts = await Promise.all(files.map((file) => readFile(join(coverage, file), 'utf8')));
    const loaded = texts.join('').match(/"url":"file:[^"]*"/g) ?? [];
    assert(loaded.some((file) => file.includes('packages/service/dist/app.js')));
    assert.deepEqual(
      loaded.filter((file) => file.includes('packages/playground/')),
      [],
    );
    await rm(coverage, { recursive: true });
  });

  it('responds with 503 while the database is down, and recovers', async () => {
    await connection.interrupt();
    assert.equal(await statusOf('/readyz', 503), 503);
    assert.equal((await fetch(`${address}/livez`)).status, 200);
    const refused = await exchange(await provider.issueToken('310000019', 'customs:movement/air'));
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('content-type') ?? '', /problem\+json/);
    await connection.restore();
    assert.equal(await statusOf('/readyz', 200), 200);
    const given = await exchange(await provider.issueToken('310000019', 'customs:movement/air'));
    assert.equal(given.status, 200);
  });

  it('logs JSON lines on standard output', async () => {
    const [logged] = await server.printed(/\{"level":30[^\n]*customs token given[^\n]*\}/);
    assert.equal(JSON.parse(logged).organisation, '0192:310000019');
  });

  it('a second server with the same keys accepts the tokens of the first, and without a metrics token serves no metrics', async () => {
    const second = startLandfall(['serve'], { ...environment, LANDFALL_METRICS_TOKEN: '' });
    const [, at = ''] = await second.printed(/serving \S+ on (\S+)/);
    const given = await exchange(await provider.issueToken('310000019', 'customs:movement/air'));
    const { access_token: token } = JSON.parse(await given.text());
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${at}/api/movement/road/v2/test-auth`, { headers })).status, 200);
    assert.equal((await fetch(`${at}/metrics`)).status, 404);
    const [line] = await second.printed(/\{"level":40[^\n]*LANDFALL_METRICS_PORT[^\n]*\}/);
    assert.match(JSON.parse(line).msg, /^\/metrics is not served: .*LANDFALL_METRICS_TOKEN/);
    second.process.kill('SIGINT');
    assert.equal((await second.ended).code, 0);
  });

  it('SIGTERM: not ready at once, still serving, then stopped with exit code 0', async () => {
    server.process.kill('SIGTERM');
    await server.printed(/stopping: not ready any more/);
    assert.equal((await fetch(`${address}/readyz`)).status, 503);
    const given = await exchange(await provider.issueToken('310000019', 'customs:movement/air'));
    assert.equal(given.status, 200);
    const authorization = `Bearer ${good.LANDFALL_METRICS_TOKEN}`;
    const metrics = await fetch(`${address}/metrics`, { headers: { authorization } });
    const measured = await metrics.text();
    const { code, stdout, stderr } = await server.ended;
    assert.equal(code, 0);
    assert.match(stderr, /stopped\n$/);
    await assertNothingSecret(`${stdout}${stderr}${measured}`);
    await assert.rejects(fetch(`${address}/livez`));
  });

  /** No token, signing key or database password appears in the output of the whole run. */
  async function assertNothingSecret(said: string): Promise<void> {
    const text = await readFile(join(good.LANDFALL_KEYS, 'customs-token.json'), 'utf8');
    const keys = [...text.matchAll(/"d": "([^"]+)"/g)].map(([, key = '']) => key);
    assert.ok(keys.length > 0 && tokens.length > 5);
    assert.ok(said.includes('customs token given') && said.includes('landfall_'));
    for (const secret of [...keys, ...tokens.flatMap((token) => token.split('.'))]) {
      assert.ok(!said.includes(secret), `said: ${secret.slice(0, 8)}...`);
    }
  }

  async function exchange(token: string): Promise<Response> {
    const form = {
      grant_type: 'token-exchange',
      subject_token_type: 'access_token',
      subject_token: token,
    };
    const response = await fetch(`${address}/api/access/external/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    tokens.push(token);
    const given = /"access_token":"([^"]+)"/.exec(await response.clone().text())?.[1];
    if (given !== undefined) tokens.push(given);
    return response;
  }

  /** Polls an address until it has the expected status or half a minute has passed; returns the last status. */
  async function statusOf(path: string, wanted: number): Promise<number> {
    let status = 0;
    for (let attempt = 0; attempt < 300 && status !== wanted; attempt++) {
      if (attempt > 0) await delay(100);
      status = (await fetch(`${address}${path}`)).status;
    }
    return status;
  }
});
