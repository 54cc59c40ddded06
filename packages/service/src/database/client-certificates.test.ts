// A role that PostgreSQL lets in by a certificate instead of a password: sslcert and sslkey of the address.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import type { Database } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import { openPostgresql } from './postgresql.js';

describe('a role with a certificate', { skip: whyNoOwnPostgresql() }, () => {
  let folder: string;
  let postgresql: OwnPostgresql;
  const file = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

  /** A certificate of the authority, for a name that PostgreSQL compares with the role, or its clients with the address. */
  const certify = async (name: string, commonName: string) => {
    openssl(
      ...['req', ...key, '-subj', `/CN=${commonName}`],
      ...['-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)],
    );
    await writeFile(file('names'), 'subjectAltName=IP:127.0.0.1\n');
    openssl(
      ...[
        'x509',
        '-req',
        '-in',
        file(`${name}.csr`),
        '-CA',
        file('ca.crt'),
        '-CAkey',
        file('ca.key'),
      ],
      ...['-CAcreateserial', '-days', '2', '-extfile', file('names'), '-out', file(`${name}.crt`)],
    );
    await chmod(file(`${name}.key`), 0o600);
  };
  /** As whoever replaces a certificate does. */
  const use = async (name: string) => {
    for (const kind of ['key', 'crt']) {
      await writeFile(file(`next.${kind}`), execFileSync('cat', [file(`${name}.${kind}`)]), {
        mode: 0o600,
      });
      await rename(file(`next.${kind}`), file(`client.${kind}`));
    }
  };
  const open = (parameters: Record<string, string>) => {
    const url = new URL(postgresql.url);
    url.username = 'landfall';
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return openPostgresql(url.href, { connections: 1 });
  };
  const ofClient = () => ({
    sslmode: 'verify-full',
    sslrootcert: file('ca.crt'),
    sslcert: file('client.crt'),
    sslkey: file('client.key'),
  });
  const user = async (database: Database) => {
    const statement = {
      name: '',
      text: 'select current_user::text as name, ssl, client_dn as subject from pg_stat_ssl where pid = pg_backend_pid()',
      values: [],
    };
    const [row] = await database.query<{ name: string; ssl: boolean; subject: string }>(statement);
    return row;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-certificates-'));
    await chmod(folder, 0o711);
    openssl(
      ...['req', '-x509', ...key, '-days', '2', '-subj', '/CN=authority'],
      ...['-keyout', file('ca.key'), '-out', file('ca.crt')],
    );
    await certify('server', 'database');
    await certify('landfall', 'landfall');
    await certify('other', 'somebody');
    // The server of the database runs as another user than root.
    const ofServer = ['server.key', 'server.crt'].map(file);
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', ...ofServer]);
    await writeFile(
      file('hba'),
      'host all postgres samehost trust\nhostssl all landfall samehost cert\n',
      { mode: 0o644 },
    );
    postgresql = await makeOwnPostgresql();
    await postgresql.start({
      hba_file: file('hba'),
      ssl: 'on',
      ssl_cert_file: file('server.crt'),
      ssl_key_file: file('server.key'),
      ssl_ca_file: file('ca.crt'),
    });
    await postgresql.run('create role landfall login');
    await use('landfall');
  });
  after(async () => {
    await postgresql?.remove();
    await rm(folder, { recursive: true });
  });

  test('has sessions with it, and none without it', async () => {
    const database = open(ofClient());
    try {
      assert.deepEqual(await user(database), {
        name: 'landfall',
        ssl: true,
        subject: '/CN=landfall',
      });
      await database.commit([{ name: '', text: 'select 1', values: [] }]);
    } finally {
      await database.close();
    }
    const { sslmode, sslrootcert } = ofClient();
    for (const parameters of [{ sslmode, sslrootcert }, { sslmode: 'disable' }]) {
      const without = open(parameters);
      await assert.rejects(user(without), DatabaseUnavailableError);
      await without.close();
    }
  });

  test('has each new session with the files that are there then', async () => {
    const database = open(ofClient());
    const endSessions = () =>
      postgresql.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'landfall'`,
      );
    try {
      assert.equal((await user(database))?.subject, '/CN=landfall');
      await use('other');
      await endSessions();
      await assert.rejects(user(database), DatabaseUnavailableError);
      await use('landfall');
      assert.equal((await user(database))?.subject, '/CN=landfall');
    } finally {
      await database.close();
    }
  });
});
