// Missing or invalid credentials are explained, and addresses follow --url.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeCredentials } from '../testing/make-credentials.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { checkCertificate, describeMode, readIdentity } from './identity.js';

const data = await makeTemporaryFolder();
await mkdir(join(data, 'credentials'));
const carrier = makeCredentials();
await writeFile(join(data, 'credentials', 'carrier.json'), JSON.stringify(carrier));
await writeFile(join(data, 'credentials', 'partial.json'), '{"name":"partial"}');

it('an identity has its credentials and the address of the service', async () => {
  const { baseUrl, credentials, tokenFolder } = await readIdentity({ as: 'carrier', data });
  assert.equal(baseUrl, 'http://127.0.0.1:8080');
  assert.equal(credentials.clientId, carrier.client_id);
  assert.equal(tokenFolder, join(data, 'tokens'));
});

it('the identity provider of a playground follows --url on this machine, and goes to no other host', async () => {
  for (const [url, provider] of [
    ['http://localhost:9999', 'http://localhost:9999/idp'],
    ['http://customs.test', 'http://127.0.0.1:8080/idp'],
  ] as const) {
    const { baseUrl, credentials } = await readIdentity({ as: 'carrier', data, url });
    assert.equal(baseUrl, url);
    assert.equal(credentials.identityProvider.url, provider);
  }
});

it('an unknown name lists the available ones', async () => {
  await assert.rejects(
    readIdentity({ as: 'nobody', data }),
    /no identity "nobody" in .*; available: carrier, partial$/,
  );
});

it('an incomplete file is reported', async () => {
  await assert.rejects(readIdentity({ as: 'partial', data }), /partial\.json has no base_url/);
});

it('a file that others can read is reported with the command that protects it', () => {
  if (process.platform === 'win32') return;
  assert.equal(describeMode('key.json', 0o100600), undefined);
  assert.match(describeMode('key.json', 0o100640) ?? '', /mode 640\); run: chmod 600 key\.json$/);
});

it('a file of credentials is read from anywhere, and its tokens are cached for the user', async () => {
  const file = join(data, 'credentials', 'carrier.json');
  const identity = await readIdentity({ as: '', data: 'none', credentials: file });
  assert.equal(identity.credentials.clientId, carrier.client_id);
  assert.doesNotMatch(identity.tokenFolder, /^none/);
  const missing = readIdentity({ as: '', data: 'none', credentials: 'gone.json' });
  await assert.rejects(missing, /^CredentialsError: cannot read gone\.json \(ENOENT\)$/);
});

it('a certificate outside its validity is refused before anything is sent', async () => {
  const words = 'req -x509 -newkey ed25519 -nodes -subj /CN=x -days 10 -keyout'.split(' ');
  const certificate = join(data, 'certificate.pem');
  spawnSync('openssl', [...words, join(data, 'key.pem'), '-out', certificate]);
  const { credentials } = await readIdentity({ as: 'carrier', data });
  const own = { ...credentials, certificates: await readFile(certificate, 'utf8') };
  const DAY_MS = 86_400_000;
  checkCertificate('x.json', own, new Date(Date.now() + DAY_MS));
  const check = (days: number) => () =>
    checkCertificate('x.json', own, new Date(Date.now() + days * DAY_MS));
  assert.throws(check(11), /certificate in x\.json expired on .* Nothing was sent/);
  assert.throws(check(-1), /valid from .*check the clock/);
});
