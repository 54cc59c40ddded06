// A server that cannot commit is not ready, one without the keys of its identity provider is degraded, and both are well
// again by themselves.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { operations } from '@landfall/contract';
import pg from 'pg';
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
import { type RunningCommand, runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
/** The status of a presentation of goods that are unknown: it is recorded as refused. */
const RECORDED = 400;
const METRICS_TOKEN = 'token-of-the-metrics';

/** Runs statements as the superuser. */
async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(100);
}

describe('a server on PostgreSQL', { skip: await whyNoPostgresql() }, () => {
  const role = `landfall_role_${process.pid}`;
  let database: TestPostgresql;
  let provider: ExternalIdentityProvider;
  let environment: NodeJS.ProcessEnv;
  let url = '';
  let server: RunningCommand;
  let address = '';
  let token = '';

  before(async () => {
    database = await createPostgresql();
    provider = await startExternalIdentityProvider();
    const name = new URL(database.url).pathname.slice(1);
    await run(
      database.url,
      `create role ${role} login`,
      `alter database ${name} owner to ${role}`,
      `grant all on schema public to ${role}`,
    );
    const ofRole = new URL(database.url);
    ofRole.username = role;
    url = ofRole.href;
    environment = {
      ...productionEnvironment({ url }, provider, join(folder, 'keys')),
      LANDFALL_METRICS_TOKEN: METRICS_TOKEN,
    };
    assert.equal((await runLandfall(['admin', 'migrate'], { environment })).code, 0);
    const bootstrap = ['admin', 'bootstrap', '0192:310000019', '--scope', 'movement/entry'];
    assert.equal((await runLandfall(bootstrap, { environment })).code, 0);
    server = startLandfall(['serve'], environment);
    [, address = ''] = await server.printed(/serving \S+ on (\S+)/);
    token = await exchange();
  });
  after(async () => {
    server?.process.kill('SIGKILL');
    await server?.ended;
    provider?.close();
    await run(database.url, `reassign owned by ${role} to postgres`, `drop owned by ${role}`);
    await database.drop();
    const maintenance = new URL(database.url);
    maintenance.pathname = '/postgres';
    await run(maintenance.href, `drop role ${role}`);
  });

  const exchange = async () => {
    const response = await fetch(`${address}/api/access/external/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'access_token',
        subject_token: await provider.issueToken('310000019', 'customs:movement/entry'),
        audience: 'https://customs.example',
      }),
    });
    const body: unknown = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body));
    // The cast is true because the token was given.
    return (body as { access_token: string }).access_token;
  };
  /** The status of a presentation, whose goods are none. */
  const present = async () => {
    const response = await fetch(`${address}${operations.presentHouseConsignment.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        requestId: randomUUID(),
        customsOfficeOfPresentation: 'NO351001',
        transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
      }),
    });
    await response.body?.cancel();
    return response.status;
  };
  const readiness = async () => {
    const response = await fetch(`${address}/readyz?verbose`);
    return { status: response.status, text: await response.text() };
  };
  const isReady = async () => (await readiness()).status === 200;
  const refused = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${address}/metrics`, { headers })).text();
    return /^landfall_database_writes_refused (\d)$/m.exec(text)?.[1];
  };

  it('that lacks a right is not ready until it has it, without a presentation', async () => {
    assert.equal(await present(), RECORDED);
    assert.equal((await readiness()).text.split('\n')[0], 'ready');
    assert.equal(await refused(), '0');
    await run(database.url, `revoke insert on validation_status from ${role}`);
    assert.equal(await present(), 503);
    await until(async () => !(await isReady()));
    assert.match((await readiness()).text, /cannot commit: the role of this server lacks a right/);
    for (let count = 0; count < 20; count++) assert.equal(await present(), 503);
    assert.equal(await refused(), '1');
    await run(database.url, `grant insert on validation_status to ${role}`);
    await until(isReady);
    assert.equal(await refused(), '0');
    assert.equal(await present(), RECORDED);
  });

  it('that lacks two rights is not ready until it has both', async () => {
    const read = async () => {
      const response = await fetch(`${address}${operations.readRoutingSignals.path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.body?.cancel();
      return response.status;
    };
    await run(
      database.url,
      `revoke select on routing_signal from ${role}`,
      `revoke insert on validation_status from ${role}`,
    );
    assert.equal(await read(), 503);
    assert.equal(await present(), 503);
    await until(async () => !(await isReady()));
    await run(database.url, `grant insert on validation_status to ${role}`);
    assert.equal(await present(), RECORDED);
    // What failed is tried every five seconds.
    await delay(7000);
    const { status, text } = await readiness();
    assert.equal(status, 503);
    const { detail }: { detail: string } = JSON.parse(text);
    assert.match(detail, /^not ready\nok {8}database\n/);
    assert.match(detail, /^failed {4}commits: This server cannot commit/m);
    await run(database.url, `grant select on routing_signal to ${role}`);
    await until(isReady);
    assert.equal(await read(), 200);
  });

  it('whose table is published without an identity of its rows is not ready until it has one', async () => {
    // SQLSTATE 55000: PostgreSQL refuses every update of such a table, whatever it is.
    await run(
      database.url,
      'alter table feed_state replica identity nothing',
      'create publication feeds for table feed_state',
    );
    assert.equal(await present(), 503);
    await until(async () => !(await isReady()));
    assert.match(
      (await readiness()).text,
      /cannot commit: an object of the database is not in the state that writing needs/,
    );
    assert.equal(await refused(), '1');
    await run(
      database.url,
      'drop publication feeds',
      'alter table feed_state replica identity default',
    );
    await until(isReady);
    assert.equal(await present(), RECORDED);
  });

  it('whose database has no space is not ready until it has', { skip: whyNoMount() }, async () => {
    const place = await mkdtemp('/var/tmp/landfall-tablespace-');
    await chmod(place, 0o755);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place]);
    try {
      execFileSync('chown', ['postgres', place]);
      await run(
        database.url,
        `create tablespace landfall_small location '${place}'`,
        'alter table validation_status set tablespace landfall_small',
      );
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${place}/filler bs=8k 2>/dev/null || true`]);
      // Until the pages that the table has are full.
      await until(async () => {
        const status = await present();
        assert(status === RECORDED || status === 503, String(status));
        return status === 503;
      });
      await until(async () => !(await isReady()));
      assert.match((await readiness()).text, /cannot commit: the disk of the database is full/);
      await rm(join(place, 'filler'));
      await until(isReady);
      assert.equal(await present(), RECORDED);
    } finally {
      await run(
        database.url,
        'alter table validation_status set tablespace pg_default',
        'drop tablespace if exists landfall_small',
      );
      execFileSync('umount', [place]);
      await rm(place, { recursive: true });
    }
  });

  it('has a line in the log when this begins and when it ends, and none for each request', async () => {
    server.process.kill('SIGTERM');
    const log = (await server.ended).stdout.split('\n');
    const count = (pattern: RegExp) => log.filter((line) => pattern.test(line)).length;
    const times = whyNoMount() === false ? 4 : 3;
    assert.equal(count(/"msg":"this server cannot commit/), times, log.join('\n'));
    assert.equal(count(/"msg":"ended: this server cannot commit/), times);
    assert(count(/"msg":"unavailable"/) <= 2 * times, log.join('\n'));
    const [line = ''] = log.filter((one) => one.includes('"msg":"this server cannot commit'));
    const { reason, runbook, ...others } = JSON.parse(line);
    assert.match(reason, /^This server cannot commit: the role of .*: permission denied for table/);
    assert.equal(runbook, 'docs/reference/runbook.md#cannot_commit');
    assert.deepEqual(Object.keys(others), ['level', 'time', 'pid', 'hostname', 'task', 'msg']);
  });

  it('whose database accepts no connections any more answers with 503, and is ready again by itself', async () => {
    server = startLandfall(['serve'], environment);
    [, address = ''] = await server.printed(/serving \S+ on (\S+)/);
    const maintenance = new URL(database.url);
    maintenance.pathname = '/postgres';
    const name = new URL(database.url).pathname.slice(1);
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
    // Each with the SQLSTATE of the refusal to open a session.
    const refusals: [string, string, string][] = [
      [
        '55000',
        `alter database ${name} allow_connections false`,
        `alter database ${name} allow_connections true`,
      ],
      ['28000', `alter role ${role} nologin`, `alter role ${role} login`],
      ['53300', `alter role ${role} connection limit 0`, `alter role ${role} connection limit -1`],
      [
        '42501',
        `revoke connect on database ${name} from public, ${role}`,
        `grant connect on database ${name} to public, ${role}`,
      ],
    ];
    for (const [state, refuse, accept] of refusals) {
      await run(maintenance.href, refuse, end);
      try {
        // What a session was given before it ended may succeed.
        await until(async () => !(await isReady()));
        assert.equal(await present(), 503, state);
        assert.equal((await readiness()).status, 503, state);
      } finally {
        await run(maintenance.href, accept);
      }
      await until(isReady);
      assert.equal(await present(), RECORDED, state);
    }
    server.process.kill('SIGTERM');
    const { stdout } = await server.ended;
    assert.doesNotMatch(stdout, /"msg":"unexpected error"/);
  });

  it('without the keys of its provider is degraded from the start, and then well by itself', async () => {
    const keys = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [] }));
    });
    const listen = (port: number) =>
      new Promise<void>((resolve) => keys.listen(port, '127.0.0.1', resolve));
    await listen(0);
    // The cast is true because it listens on a port.
    const { port } = keys.address() as AddressInfo;
    await new Promise((resolve) => keys.close(resolve));
    server = startLandfall(['serve'], {
      ...environment,
      LANDFALL_IDP_JWKS_URL: `http://127.0.0.1:${port}/jwks`,
    });
    [, address = ''] = await server.printed(/serving \S+ on (\S+)/);
    const { status, text } = await readiness();
    assert.equal(status, 200);
    assert.match(text, /^degraded\n/);
    assert.match(
      text,
      /^degraded {2}identity-provider-keys: .* cannot be read: no token can be exchanged$/m,
    );
    assert.equal(await (await fetch(`${address}/readyz`)).text(), 'OK');
    await listen(port);
    try {
      await until(async () => (await readiness()).text.startsWith('ready\n'));
      server.process.kill('SIGTERM');
      const { stdout } = await server.ended;
      const lines = stdout.split('\n').filter((line) => line.includes('identity-provider-keys'));
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).msg),
        [
          "the identity provider's keys cannot be read",
          "ended: the identity provider's keys cannot be read",
        ],
      );
      const { reason, runbook } = JSON.parse(lines[0] ?? '');
      assert.equal(
        reason,
        `The identity provider's keys cannot be read: no token can be exchanged: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
      );
      assert.equal(runbook, 'docs/reference/runbook.md#identity_provider');
    } finally {
      keys.closeAllConnections();
      keys.close();
    }
  });
});

/** Why no small file system can be made, or `false`. */
function whyNoMount(): string | false {
  if (process.getuid?.() !== 0) return 'only root can mount';
  const place = mkdtempSync('/var/tmp/landfall-mount-');
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return false;
  } catch {
    return 'mounting is not permitted';
  } finally {
    rmdirSync(place);
  }
}
