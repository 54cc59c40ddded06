// The configuration: the values of options, and that each option is documented.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError, options, readConfig } from './config.js';
import { readMetricsAccess } from './read-metrics-access.js';

test('every option is documented in the guide to production, with its default', async () => {
  const guide = await readFile(
    new URL('../../../docs/guide/configure.md', import.meta.url),
    'utf8',
  );
  const rows = guide.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line));
  const wrong = Object.values(options).filter(({ variable, default: value }) => {
    const cells = rows.find((row) => row.startsWith(`| \`${variable}\` |`))?.split('|');
    return cells?.[2]?.trim() !== (value === '' ? '' : `\`${value}\``);
  });
  assert.deepEqual(
    wrong.map(({ variable }) => variable),
    [],
  );
  const unknown = rows.filter((row) =>
    Object.values(options).every(({ variable }) => !row.startsWith(`| \`${variable}\` |`)),
  );
  assert.deepEqual(unknown, []);
});

test('the time zone of the customs offices is named, and checked', () => {
  const read = (name: string) => readConfig({ LANDFALL_TIME_ZONE: name }).timeZone;
  for (const name of ['UTC', 'Europe/Oslo', 'America/Argentina/Buenos_Aires']) {
    assert.equal(read(name), name);
  }
  assert.equal(readConfig({}).timeZone, 'Europe/Oslo');
  for (const name of ['Europe/Nowhere', '+01:00', '01:00', 'Oslo', ' ', 'UTC ']) {
    assert.throws(() => read(name), {
      name: 'ConfigError',
      message: `LANDFALL_TIME_ZONE must be the name of a time zone such as Europe/Oslo or UTC, not ${name}`,
    });
  }
});

test('NATS is named by a scheme and a host for each of its servers, and no password is shown', () => {
  const read = (value: string) => readConfig({ NATS_URL: value }).natsUrl;
  for (const address of [
    'nats://localhost',
    'tls://u:s%40cret@a.example,tls://b.example:4222/',
    'tls://a.example,tls://u:s%40cret@b.example,tls://u:s%40cret@c.example',
  ]) {
    assert.equal(read(address), address);
  }
  for (const address of [
    'localhost:4222',
    'nats:///subject',
    'nats://u:s%zzcret@localhost',
    // What the driver would leave out.
    'nats://localhost?tls=true',
    'nats://localhost#s%40cret',
    'nats://:s%40cret@localhost',
    'nats://u:s%40cret@a.example,nats://u:other@b.example',
    'nats://u:s%40cret@a.example,nats://v:s%40cret@b.example',
    'nats://u:s%40cret@localhost,tls://nats.example',
    'tls://a.example,',
    'http://localhost:4222',
  ]) {
    assert.throws(
      () => read(address),
      (error) =>
        error instanceof ConfigError &&
        /^NATS_URL must be an address such as nats:/.test(error.message) &&
        !/cret/.test(error.message),
    );
  }
});

test('trusted proxies are addresses and networks, and nothing else', () => {
  const read = (value: string) => readConfig({ LANDFALL_TRUSTED_PROXIES: value }).trustedProxies;
  assert.equal(
    read(' 10.0.0.0/8, 192.0.2.7,2001:db8::/32,::1 '),
    '10.0.0.0/8,192.0.2.7,2001:db8::/32,::1',
  );
  for (const value of [
    'yes',
    'proxy.example',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::ffff:0:0/96',
    '::ffff:0:0/103',
    '::ffff:10.0.0.0/103',
    '10.0.0.0/7',
    '2000::/15',
    '::/16',
    '::/80',
    '::fffe:0:0/95',
    '0.0.0.0/1,128.0.0.0/1',
    '0.0.0.0/2,::ffff:64.0.0.0/98,128.0.0.0/1',
    Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`).join(','),
    Array.from({ length: 256 }, (_, first) => `::ffff:${first}.0.0.0/104`).join(','),
    '::/1',
    '::/0',
    '::/129',
    '10.0.0.0/',
    '10.0.0.1/8/8',
    ',',
  ]) {
    assert.throws(() => read(value), {
      name: 'ConfigError',
      message: /^LANDFALL_TRUSTED_PROXIES must list addresses and networks/,
    });
  }
  for (const value of ['10.0.0.0/8', '2001::/16', '::ffff:10.0.0.0/104', '::1', '::ffff:0:0']) {
    assert.equal(read(value), value);
  }
});

test('no list of trusted proxies has all addresses, however it is divided', () => {
  const divide = (prefix: number) =>
    Array.from({ length: 2 ** prefix }, (_, index) => {
      const address = (index * 2 ** (32 - prefix)) >>> 0;
      const octets = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);
      return `${octets.join('.')}/${prefix}`;
    });
  for (let prefix = 1; prefix <= 10; prefix++) {
    const networks = divide(prefix);
    const read = (listed: readonly string[]) =>
      readConfig({ LANDFALL_TRUSTED_PROXIES: listed.join(',') }).trustedProxies;
    assert.throws(() => read(networks), /must list addresses and networks/, `/${prefix}`);
    if (prefix >= 8) assert.equal(read(networks.slice(1)), networks.slice(1).join(','));
  }
});

test('given options override the environment, even if its value is invalid', () => {
  const environment = { PORT: 'many', HOST: '::1' };
  assert.equal(readConfig(environment, { port: 1 }).port, 1);
  assert.equal(readConfig(environment, { port: 1 }).host, '::1');
  assert.throws(() => readConfig(environment), ConfigError);
});

test('metrics are served with a port or a token, which a file may contain', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-config-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  await writeFile(file, 'a-token-of-the-scraper\n', { mode: 0o600 });
  const exposed = join(folder, 'exposed');
  await writeFile(exposed, 'a-token-of-the-scraper\n');
  await chmod(exposed, 0o644);
  const access = (environment: Record<string, string>) =>
    readMetricsAccess(readConfig(environment));
  assert.equal(await access({}), undefined);
  const address = { host: '127.0.0.1', port: 9000 };
  const token = 'a-token-of-the-scraper';
  assert.deepEqual(await access({ LANDFALL_METRICS_PORT: '9000' }), { address, token: undefined });
  assert.deepEqual(await access({ LANDFALL_METRICS_TOKEN: token }), { token });
  const { followToken, ...ofFile } =
    (await access({ LANDFALL_METRICS_TOKEN_FILE: file, LANDFALL_METRICS_PORT: '9000' })) ?? {};
  assert.deepEqual(ofFile, { address, token });
  assert.equal(await followToken?.(() => undefined)(), token);
  const refused: [Record<string, string>, RegExp][] = [
    [{ LANDFALL_METRICS_TOKEN: 'short' }, /^LANDFALL_METRICS_TOKEN must have 16 characters/],
    [{ LANDFALL_METRICS_TOKEN: 'with blanks and more' }, /^LANDFALL_METRICS_TOKEN must have/],
    [{ LANDFALL_METRICS_TOKEN: token, LANDFALL_METRICS_TOKEN_FILE: file }, /^only one of /],
    [{ LANDFALL_METRICS_TOKEN_FILE: join(folder, 'none') }, /cannot be read: .*ENOENT/],
    [{ LANDFALL_METRICS_TOKEN_FILE: exposed }, /is open to others .*mode 0644/],
  ];
  for (const [environment, message] of refused) {
    await assert.rejects(access(environment), { name: 'ConfigError', message });
  }
});
