// Odd values of every option, found from the table: each is used, or refused with an error that names its variable.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readPassphrase } from './access/signing-keys/key-passphrase.js';
import { options, readConfig } from './config.js';
import { readAddress } from './database/connection-address.js';
import { makeServer } from './http/server.js';
import { codeOf } from './native-error.js';
import { checkConfig, UnsafeError } from './production/check-safety.js';
import { readSignIn } from './production/read-sign-in.js';
import { readMetricsAccess } from './read-metrics-access.js';

let folder: string;
let good: Record<string, string>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-odd-'));
  const file = join(folder, 'secret');
  await writeFile(file, `${'s'.repeat(40)}\n`, { mode: 0o600 });
  good = {
    DATABASE_URL: 'postgresql://localhost/landfall',
    LANDFALL_BASE_URL: 'https://customs.example',
    LANDFALL_IDP_ISSUER: 'https://idp.example',
    LANDFALL_IDP_JWKS_URL: 'https://idp.example/jwk',
    LANDFALL_KEYS: join(folder, 'keys'),
    LANDFALL_LOG_LEVEL: 'silent',
    LANDFALL_CONSOLE_OIDC_ISSUER: 'https://login.example',
    LANDFALL_CONSOLE_OIDC_CLIENT_ID: 'console',
    LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE: file,
    LANDFALL_CONSOLE_SUBJECT_KEY_FILE: file,
    LANDFALL_CONSOLE_ROLES: 'gate=movement/entry',
  };
});
after(() => rm(folder, { recursive: true }));

/** All that a server does with its configuration before it connects to anything. */
async function use(environment: Record<string, string>): Promise<void> {
  const config = readConfig(environment);
  const { reasons } = await readSignIn(config);
  const all = [...(await checkConfig(config)), ...reasons];
  if (all.length > 0) throw new UnsafeError(all);
  await readPassphrase(config);
  await readMetricsAccess(config);
  readAddress(config.databaseUrl);
  if (config.natsUrl !== '') decodeURIComponent(new URL(config.natsUrl.split(',')[0] ?? '').host);
  await (await makeServer(config)).app.close();
}

const LONG = 'a'.repeat(100_000);

/** What none of the options may have. */
const invisible = ['\u0000', 'a\nb', 'a\u202eb', '\ud800', '\u2028', '\u0007'];

const odd = [
  ...[' ', '-', ',', ';', '=', '/', '//', ':', '://', '%', '%zz', '@', '*', '..', "'", '"', '\\'],
  ...['0', '-1', '1.5', '1e3', '0x10', 'NaN', 'Infinity', '00', '9'.repeat(400), '٣', '+1'],
  ...['true', 'null', 'undefined', '[]', '{}', '__proto__', 'constructor', 'OFF', 'on,off'],
  ...['0.0.0.0/0', '::/0', '0.0.0.0/00', '10.0.0.0/08', '10.0.0.0/8,', '10.0.0.0/255.0.0.0'],
  ...['1.2.3.4/1', '::ffff:10.0.0.0/104', '::ffff:10.0.0.1', 'fe80::1%eth0', 'fe80::1%eth0/64'],
  ...['0.0.0.0/-1', '256.1.1.1', '010.0.0.1', '::1/128', '1::2::3', '10.0.0.0/8/8', '10', '9'],
  ...['http://', 'https://', 'https:///x', 'https://a b', 'https://[::1', 'https://a:99999'],
  ...['https://u:p@a', 'https://a?b', 'https://a#b', 'https://%zz', 'javascript:1', 'file:///etc'],
  ...['nats://', 'nats://u:%zz@localhost', 'nats://localhost,', 'tls://a,nats://localhost'],
  ...['postgresql://', 'postgresql://%zz@localhost', 'postgresql://localhost:0x/d'],
  ...['postgresql://u:%@localhost/d', 'postgresql://localhost/%zz', 'postgresql://localhost,/d'],
  ...['postgresql://localhost/d?sslrootcert=/nowhere', 'postgresql://localhost/d?options=%zz'],
  ...['a=', '=a', 'a=b=c', 'gate=movement/entry;gate=movement/entry', 'Europe/Nowhere', 'roles.'],
  ...[LONG, `https://${LONG}`, `${LONG},${LONG}`, '(((((((((((((((((((((((', 'é', '😀'],
];

test('no odd value of an option is another error than one that names the variable', async () => {
  await use(good);
  let refused = 0;
  for (const { variable } of Object.values(options)) {
    for (const value of [...odd, ...invisible]) {
      const shown = `${variable}=${JSON.stringify(value.slice(0, 60))}`;
      const error: unknown = await use({ ...good, [variable]: value }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) {
        assert(!invisible.includes(value), `${shown} is accepted`);
        continue;
      }
      refused++;
      const code = codeOf(error) ?? '';
      assert(['CONFIG', 'UNSAFE', 'KEY_PASSPHRASE'].includes(code), `${shown}: ${error}`);
      const message = String(error);
      // Two options of one secret are named together.
      assert(message.includes(variable.replace(/_FILE$/, '')), `${shown}: ${message}`);
    }
  }
  assert(refused > 1500, `${refused} refused`);
});

test('options that a program gives are held to the same rules', () => {
  assert.throws(() => readConfig({}, { trustedProxies: '0.0.0.0/0' }), {
    name: 'ConfigError',
    message: /^LANDFALL_TRUSTED_PROXIES must list/,
  });
});
