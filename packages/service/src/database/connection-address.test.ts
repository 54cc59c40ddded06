// DATABASE_URL with settings of its own: they are added to Landfall's, and never replace one of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../config.js';
import { checkConfig } from '../production/check-safety.js';
import { testDatabases } from '../testing/databases.js';
import { createPostgresql } from '../testing/postgresql.js';
import { DatabaseAddressError, nameServer, readAddress } from './connection-address.js';
import { openPostgresql } from './postgresql.js';

const ADDRESS = 'postgresql://landfall:s%40cret@db.example/landfall';

const [, { skip } = { skip: 'no PostgreSQL' }] = await testDatabases();

test('an address that sets what Landfall sets is refused, by the setting and without the password', () => {
  const refused = {
    'options=-c%20enable_seqscan%3Don': 'enable_seqscan',
    'options=-cstatement_timeout%3D0': 'statement_timeout',
    'options=--lock-timeout%3D0%20-c%20search_path%3Dx': 'lock_timeout',
    'options=-c%20search_path%3Dx%20-c%20JIT%3Don': 'jit',
    'statement_timeout=0': 'statement_timeout',
    'idle_in_transaction_session_timeout=0': 'idle_in_transaction_session_timeout',
    'query_timeout=5': 'query_timeout',
  };
  for (const [parameters, name] of Object.entries(refused)) {
    assert.throws(
      () => readAddress(`${ADDRESS}?${parameters}`),
      (error) => {
        assert(error instanceof DatabaseAddressError);
        assert.match(error.message, new RegExp(`^DATABASE_URL must not set ${name}:`));
        assert.doesNotMatch(error.message, /cret/);
        return true;
      },
    );
  }
});

/** The parameters of libpq 17 that the driver does not know, or does not use as libpq does, and the driver's own. */
const unsupported = [
  ...['hostaddr', 'dbname', 'passfile', 'require_auth', 'channel_binding', 'connect_timeout'],
  ...['client_encoding', 'keepalives', 'keepalives_idle', 'tcp_user_timeout', 'replication'],
  ...[
    'gssencmode',
    'sslcompression',
    'sslpassword',
    'sslcertmode',
    'sslcrl',
    'sslcrldir',
    'sslsni',
  ],
  ...[
    'requirepeer',
    'ssl_min_protocol_version',
    'krbsrvname',
    'gsslib',
    'gssdelegation',
    'service',
  ],
  ...[
    'load_balance_hosts',
    'requiressl',
    'binary',
    'database',
    'encoding',
    'max',
    'sslmod',
    'SSLMODE',
  ],
];

test('a parameter without an effect is refused by its name, and without the password', () => {
  for (const name of unsupported) {
    for (const setting of ['DATABASE_URL', 'LANDFALL_READ_DATABASE_URL'] as const) {
      assert.throws(
        () => readAddress(`${ADDRESS}?sslmode=verify-full&${name}=s%40cret`, setting),
        (error) => {
          assert(error instanceof DatabaseAddressError);
          const sentence = new RegExp(`^${setting} (has the parameter|must not set) ${name}[,:] `);
          assert.match(error.message, sentence);
          assert.doesNotMatch(error.message, /cret/);
          return true;
        },
        name,
      );
    }
  }
});

test('other settings and parameters are kept', () => {
  assert.deepEqual(readAddress(ADDRESS), { servers: [ADDRESS], options: '' });
  const { servers, options } = readAddress(
    `${ADDRESS}?sslmode=require&options=-c%20search_path%3Dlandfall&application_name=one`,
  );
  assert.deepEqual(servers, [`${ADDRESS}?sslmode=require&application_name=one`]);
  assert.equal(options, '-c search_path=landfall');
});

test('the address of standbys may name their kind, and errors name its setting', async () => {
  const setting = 'LANDFALL_READ_DATABASE_URL';
  for (const target of ['standby', 'prefer-standby', 'read-only', 'any']) {
    const { servers } = readAddress(
      `postgresql://a.example,b.example/landfall?target_session_attrs=${target}`,
      setting,
    );
    assert.deepEqual(servers.map(nameServer), ['a.example', 'b.example']);
  }
  for (const address of [
    `${ADDRESS}?target_session_attrs=read-write`,
    `${ADDRESS}?lock_timeout=0`,
    'postgresql://a.example,,b.example/landfall',
    'mysql://a.example/landfall',
  ]) {
    const reasons = await checkConfig(readConfig({ [setting]: address }));
    const named = reasons.filter((reason) => reason.includes(setting));
    assert.equal(named.length, 1, `${address}: ${reasons}`);
    assert.doesNotMatch(named.join(), /cret/);
  }
});

test('several hosts are one address each, with the same user, database and parameters', () => {
  for (const target of ['', '&target_session_attrs=read-write', '&target_session_attrs=primary']) {
    const { servers } = readAddress(
      `postgresql://landfall:s%2Ccret@a.example:5433,b.example,[::1]:5432/landfall?sslmode=require${target}`,
    );
    assert.deepEqual(
      servers,
      ['a.example:5433', 'b.example', '[::1]:5432'].map(
        (host) => `postgresql://landfall:s%2Ccret@${host}/landfall?sslmode=require`,
      ),
    );
    assert.deepEqual(servers.map(nameServer), ['a.example:5433', 'b.example', '[::1]:5432']);
  }
});

test('an address that cannot be used is refused with the rule, and without the password', () => {
  const refused: Record<string, RegExp> = {
    'mysql://u:s@cret@a/d': /is not an address such as/,
    'postgresql://u:s@cret@a:b/d': /is not an address such as/,
    'postgresql://u:s@cret@a,,b/d': /has an empty host/,
    'postgresql://u:s@cret@a,b:x/d': /is not an address such as/,
    'postgresql://u:s@cret@a,b/d?target_session_attrs=any':
      /must be read-write or primary, not any/,
    'postgresql://u:s@cret@a/d?target_session_attrs=standby': /read-write or primary, not standby/,
    'postgresql://u:s@cret@a/d?host=a,b': /list them before the database/,
    'postgresql://u:s@cret@a,b/d?port=5432': /must not have the parameter port/,
  };
  for (const [address, rule] of Object.entries(refused)) {
    assert.throws(
      () => readAddress(address),
      (error) => {
        assert(error instanceof DatabaseAddressError);
        assert.match(error.message, rule);
        assert.doesNotMatch(error.message, /cret/);
        return true;
      },
      address,
    );
  }
});

test('production refuses to start with such an address', async () => {
  const reasons = await checkConfig(
    readConfig({ DATABASE_URL: `${ADDRESS}?options=-c%20jit%3Don` }),
  );
  assert.ok(reasons.some((reason) => reason.startsWith('DATABASE_URL must not set jit:')));
});

describe('on PostgreSQL', { skip }, () => {
  test('settings of the address and those of Landfall hold together, in every kind of session', async () => {
    const { url, drop } = await createPostgresql();
    const database = openPostgresql(`${url}?options=-c%20search_path%3Dother`);
    const settings = {
      name: '',
      text: `select current_setting('search_path') as path, current_setting('enable_seqscan') as seqscan,
        current_setting('lock_timeout') as lock`,
      values: [],
    };
    try {
      const rows = [
        ...(await database.query(settings)),
        ...(await database.lookUps.query(settings)),
        ...(await database.commit([settings])).flat(),
        ...(await database.transact((transaction) => transaction.query(settings), 'large')),
      ];
      assert.deepEqual(
        rows,
        ['10s', '2s', '5s', '2s'].map((lock) => ({ path: 'other', seqscan: 'off', lock })),
      );
    } finally {
      await database.close();
      await drop();
    }
  });
});
