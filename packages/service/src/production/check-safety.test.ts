// What production refuses to connect to: servers on other machines without TLS, unless the operator allows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.js';
import { checkConfig } from './check-safety.js';

/** The reasons that name a variable. */
async function reasonsOf(variable: string, value: string, others: Record<string, string> = {}) {
  const reasons = await checkConfig(readConfig({ ...others, [variable]: value }));
  return reasons.filter((reason) => reason.startsWith(`${variable} `));
}

const FAR = 'db.example:5432';
const databases: Record<string, string | undefined> = {
  'postgresql://u:s%40cret@db.example/d': FAR,
  'postgresql://u:s%40cret@db.example/d?sslmode=disable': FAR,
  'postgresql://u:s%40cret@db.example/d?ssl=0': FAR,
  'postgresql://u:s%40cret@127.0.0.1,db.example/d': FAR,
  'postgresql://u:s%40cret@db.example,10.0.0.1:5433/d': `${FAR} and 10.0.0.1:5433`,
  'postgresql://u:s%40cret@localhost/d?host=db.example': FAR,
  'postgresql://u:s%40cret@127.0.0.1.example/d': '127.0.0.1.example:5432',
  'postgresql://[2001:db8::1]/d': '2001:db8::1:5432',
  'postgresql://db.example/d?sslmode=verify-full': undefined,
  'postgresql://db.example,db2.example/d?sslmode=verify-full': undefined,
  'postgresql://db.example/d?sslmode=no-verify': FAR,
  'postgresql://db.example/d?ssl=no-verify': FAR,
  'postgresql://db.example/d?uselibpqcompat=true&sslmode=require': FAR,
  'postgresql://db.example/d?uselibpqcompat=true&sslmode=prefer': FAR,
  'postgresql://db.example/d?uselibpqcompat=true&sslmode=verify-full': undefined,
  'postgresql://db.example/d?sslmode=require': undefined,
  'postgresql://db.example/d?ssl=true': undefined,
  'postgresql://localhost/d?sslmode=no-verify': undefined,
  'postgresql://localhost/d': undefined,
  'postgresql://127.0.0.31,127.0.0.32/d': undefined,
  'postgresql://[::1]/d': undefined,
  'postgresql:///d?host=/run/postgresql': undefined,
  'postgresql://%2Frun%2Fpostgresql/d': undefined,
};

test('PostgreSQL on another machine needs TLS, for writing and for reading', async () => {
  for (const variable of ['DATABASE_URL', 'LANDFALL_READ_DATABASE_URL']) {
    for (const [address, hosts] of Object.entries(databases)) {
      const reasons = await reasonsOf(variable, address);
      assert.equal(reasons.length, hosts === undefined ? 0 : 1, `${address}: ${reasons}`);
      if (hosts === undefined) continue;
      const [reason = ''] = reasons;
      assert(
        reason.startsWith(
          `${variable} connects to ${hosts} without TLS that verifies the server: `,
        ),
        reason,
      );
      assert.match(reason, /sslmode=verify-full.* or set LANDFALL_ALLOW_UNENCRYPTED=on/);
      assert.doesNotMatch(reason, /cret/);
      assert.deepEqual(
        await reasonsOf(variable, address, { LANDFALL_ALLOW_UNENCRYPTED: 'on' }),
        [],
      );
    }
  }
});

test('what the environment says of TLS counts as it does for the driver', async (context) => {
  context.after(() => {
    delete process.env.PGSSLMODE;
  });
  process.env.PGSSLMODE = 'verify-full';
  assert.deepEqual(await reasonsOf('DATABASE_URL', 'postgresql://db.example/d'), []);
  for (const mode of ['disable', 'no-verify']) {
    process.env.PGSSLMODE = mode;
    assert.equal((await reasonsOf('DATABASE_URL', 'postgresql://db.example/d')).length, 1, mode);
  }
});

test('an environment in which no certificate is verified is refused', async (context) => {
  const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';
  context.after(() => {
    delete process.env[variable];
  });
  assert.deepEqual(await reasonsOf(variable, '1'), []);
  process.env[variable] = '0';
  assert.equal((await reasonsOf(variable, '0')).length, 1);
});

test('an address that is blank is refused, and one with a password is not shown', () => {
  for (const variable of ['LANDFALL_BASE_URL', 'LANDFALL_IDP_ISSUER', 'LANDFALL_IDP_JWKS_URL']) {
    for (const address of [' ', 'https://user:s3cret@customs.example']) {
      assert.throws(
        () => readConfig({ [variable]: address }),
        ({ message }: Error) => message.startsWith(`${variable} must`) && !/s3cret/.test(message),
      );
    }
  }
});

test('NATS on another machine needs TLS, with each of its servers', async () => {
  for (const [address, rule] of Object.entries({
    'nats://u:s%40cret@nats.example:4222': /^NATS_URL connects to nats.example:4222 without TLS/,
    'nats://localhost,nats://nats.example': /connects to nats.example without TLS/,
    'nats://localhost:4222': undefined,
    'nats://127.0.0.1:1,nats://[::1]:2/': undefined,
    'tls://u:s%40cret@a.example,tls://b.example:4222': undefined,
  })) {
    const reasons = await reasonsOf('NATS_URL', address);
    assert.equal(reasons.length, rule === undefined ? 0 : 1, `${address}: ${reasons}`);
    if (rule === undefined) continue;
    assert.match(reasons.join(), rule);
    assert.doesNotMatch(reasons.join(), /cret/);
    const isAllowed = /without TLS/.test(reasons.join()) && !address.startsWith('tls:');
    const allowed = await reasonsOf('NATS_URL', address, { LANDFALL_ALLOW_UNENCRYPTED: 'on' });
    assert.equal(allowed.length, isAllowed ? 0 : 1, `${address}: ${allowed}`);
  }
});

test('the documents of playgrounds are not those of production', async () => {
  const variable = 'LANDFALL_REFERENCE_DOCUMENTS';
  assert.match((await reasonsOf(variable, 'static'))[0] ?? '', /set it to loaded or unchecked$/);
  for (const value of ['loaded', 'unchecked'])
    assert.deepEqual(await reasonsOf(variable, value), []);
});
