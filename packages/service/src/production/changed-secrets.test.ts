// Every secret of a running service is changed, and the service serves all the time: the table of the guide.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { changeKeyPassphrase } from '../access/signing-keys/change-passphrase.js';
import { rotateKeys } from '../access/signing-keys/rotate-keys.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { readEvent } from '../goods-items/goods-item-event.js';
import { makePublishBlock } from '../goods-items/publish-block.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import { type OwnNats, startNats, whyNoNats } from '../testing/own-nats.js';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { readStream } from '../testing/relayed-messages.js';
import { until } from '../testing/until.js';
import { type Service, startService } from './start-service.js';

const [TOKEN, NEXT_TOKEN] = ['the-token-of-scrapers', 'the-next-token-of-scrapers'];
const [PASSPHRASE, NEXT_PASSPHRASE] = ['correct horse battery', 'staple battery horse'];
const skip = whyNoOwnPostgresql() || (await whyNoNats());

describe('a service whose secrets change', { skip }, () => {
  let folder: string;
  let postgresql: OwnPostgresql;
  let nats: OwnNats;
  const services: Service[] = [];
  const file = (name: string) => join(folder, name);
  /** As whoever replaces a file whole does. */
  const put = async (name: string, text: string) => {
    await writeFile(file(`${name}.next`), text, { mode: 0o600 });
    await rename(file(`${name}.next`), file(name));
  };

  const natsUrl = (user: string) => nats.url.replace('://', `://${user}:of-${user}@`);

  /** Makes a certificate of the database's server, and lets the service trust it too. */
  const makeCertificate = async () => {
    const [key, certificate] = [file('server.key'), file('server.crt')];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-subj', '/CN=database', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'],
        ...['-keyout', key, '-out', certificate],
      ],
      { stdio: 'ignore' },
    );
    // The server of the database runs as another user than root.
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', key, certificate]);
    await appendFile(file('ca.crt'), await readFile(certificate));
  };

  const start = async (user: string) => {
    const service = await startService({
      databaseUrl: `${postgresql.url.replace('postgres@', 'landfall@')}?sslmode=verify-full&sslrootcert=${file('ca.crt')}`,
      databasePasswordFile: file('password'),
      baseUrl: 'https://customs.example',
      identityProviderIssuer: 'https://idp.example',
      identityProviderKeys: 'https://idp.example/jwk',
      keysFolder: file('keys'),
      keysPassphraseFile: file('passphrase'),
      metricsTokenFile: file('token'),
      natsUrl: natsUrl(user),
      port: 0,
      drainTime: 0,
      logLevel: 'silent',
    });
    services.push(service);
    return service;
  };
  const status = async (path: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await fetch(`${services.at(-1)?.address}${path}`, { headers })).status;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-secrets-'));
    await chmod(folder, 0o711);
    await makeCertificate();
    await put('passphrase', PASSPHRASE);
    await put('token', TOKEN);
    await put('password', 'first');
    const users = ['a', 'b', 'reader'].map((name) => `{ user: ${name}, password: of-${name} }`);
    await put(
      'nats.conf',
      `jetstream {}\nauthorization { users: [${users.join(', ')}] }\nno_auth_user: reader\n`,
    );
    nats = await startNats({ config: file('nats.conf') });
    postgresql = await makeOwnPostgresql();
    // The server of the database runs as another user.
    const hba = `${postgresql.url}`.replace(/.*:(\d+).*/, join(tmpdir(), 'landfall-hba-$1'));
    await writeFile(
      hba,
      'host all postgres samehost trust\nhost all all samehost scram-sha-256\n',
      {
        mode: 0o644,
      },
    );
    await postgresql.start({
      hba_file: hba,
      ssl: 'on',
      ssl_cert_file: file('server.crt'),
      ssl_key_file: file('server.key'),
    });
    await rm(hba);
    await postgresql.run(
      `create role landfall login password 'first'`,
      'grant create on schema public to landfall',
      'grant create on database postgres to landfall',
    );
    const database = openPostgresql(postgresql.url.replace('postgres@', 'landfall@'), {
      readPassword: async () => 'first',
    });
    await migrate(database);
    await database.close();
    await start('a');
  });
  after(async () => {
    for (const service of services) await service.close();
    await postgresql?.remove();
    await nats?.remove();
    await rm(folder, { recursive: true });
  });

  test('takes another token of metrics from its file', async () => {
    assert.equal(await status('/metrics', TOKEN), 200);
    assert.equal(await status('/metrics', NEXT_TOKEN), 401);
    await put('token', NEXT_TOKEN);
    await until(async () => (await status('/metrics', NEXT_TOKEN)) === 200);
    assert.equal(await status('/metrics', TOKEN), 401);
    // A file that cannot be used leaves the last token in use.
    await put('token', 'short');
    await new Promise((resolve) => setTimeout(resolve, 5100));
    assert.equal(await status('/metrics', NEXT_TOKEN), 200);
    await put('token', NEXT_TOKEN);
  });

  test('reads its keys with another passphrase, and rotates them with it', async () => {
    const published = async () => {
      const response = await fetch(`${services[0]?.address}/api/access/jwks`);
      return (JSON.parse(await response.text()) as { keys: unknown[] }).keys;
    };
    const [first] = await published();
    const location = { folder: file('keys'), purpose: 'customs-token' } as const;
    const { folder, purpose } = location;
    const change = { folder, purposes: [purpose], passphrase: PASSPHRASE, next: NEXT_PASSPHRASE };
    assert.deepEqual(await changeKeyPassphrase(change), [{ purpose, isChanged: true }]);
    // Repeated, as after an interruption.
    assert.deepEqual(await changeKeyPassphrase(change), [{ purpose, isChanged: false }]);
    assert.deepEqual(await published(), [first]);
    await put('passphrase', NEXT_PASSPHRASE);
    await rotateKeys({ ...location, passphrase: NEXT_PASSPHRASE, now: new Date(), keep: 970 });
    await until(async () => (await published()).length === 2);
    assert.deepEqual((await published())[0], first);
  });

  test('opens sessions with another password of the database', async () => {
    await put('password', 'second');
    await postgresql.run(`alter role landfall password 'second'`);
    assert.equal(await status('/readyz'), 200);
    // No session of before is left.
    await postgresql.run(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'landfall'`,
    );
    await until(async () => (await status('/readyz')) === 200);
  });

  test('trusts another certificate of the database', async () => {
    await makeCertificate();
    await postgresql.run(
      'select pg_reload_conf()',
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'landfall'`,
    );
    await until(async () => (await status('/readyz')) === 200);
    // The certificate of before is not needed any more.
    await put('ca.crt', await readFile(file('server.crt'), 'utf8'));
    await postgresql.run(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'landfall'`,
    );
    await until(async () => (await status('/readyz')) === 200);
  });

  test('relays to NATS with another password, by a server that is started with it', async () => {
    const database = openPostgresql(postgresql.url);
    const watch = new FeedWatch(database);
    const messages = Array.from({ length: 6 }, () => makeMessage());
    const publish = async (some: typeof messages) => {
      const events = some.map((message, index) => {
        const read = readEvent(JSON.stringify(message), index);
        assert(read.valid);
        return read.event;
      });
      await makePublishBlock(database, watch, () => new Date())(events);
    };
    try {
      await publish(messages.slice(0, 3));
      await until(async () => (await relayed().catch(() => [])).length === 3);
      const [old] = services;
      await start('b');
      await old?.close();
      services.shift();
      await publish(messages.slice(3));
      await until(async () => (await relayed()).length === 6);
    } finally {
      watch.close();
      await database.close();
    }
    assert.deepEqual(
      await relayed(),
      messages.map(({ metadata }) => metadata.eventId),
    );
  });

  const relayed = async () => {
    const read = await readStream(nats.url, 'GOODS_ITEMS');
    return read.map(({ text }) => JSON.parse(text).metadata.eventId);
  };
});
