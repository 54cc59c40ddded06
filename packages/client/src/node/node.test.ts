// Files of credentials and of tokens.
import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import { FileTokenStore } from './file-token-store.js';
import { readCredentials } from './read-credentials.js';

const playground = await startTestPlayground();
const fileOf = (name: string) => join(playground.dataFolder, 'credentials', `${name}.json`);

test('an identity provider below the service moves with its address, and keeps its audience', async () => {
  const moved = await readCredentials(fileOf('carrier'), 'https://customs.example');
  assert.equal(moved.baseUrl, 'https://customs.example');
  assert.equal(moved.credentials.identityProvider.url, 'https://customs.example/idp');
  assert.equal(moved.credentials.identityProvider.audience, playground.idpUrl);
});

test('a file that is missing or of another kind is an error that names it', async () => {
  await assert.rejects(readCredentials(fileOf('nobody')), ConfigurationError);
  const other = join(playground.dataFolder, 'other.json');
  await writeFile(other, '[]');
  await assert.rejects(readCredentials(other), /other\.json has no base_url/);
});

test('tokens in files serve the next client, and only their owner reads them', async () => {
  const proxy = await startFaultyProxy(playground.baseUrl);
  const folder = join(playground.dataFolder, 'client-tokens');
  for (let run = 0; run < 2; run++) {
    const tokenStore = new FileTokenStore(folder);
    const carrier = await playground.client('carrier', { baseUrl: proxy.url, tokenStore });
    await carrier.testAuth();
  }
  const exchanges = proxy.requests.filter((request) => request.includes('/oauth/token'));
  assert.equal(exchanges.length, 1);

  const [name = '', ...others] = await readdir(folder);
  assert.deepEqual(others, []);
  assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
  await writeFile(join(folder, name), 'not a token');
  const carrier = await playground.client('carrier', { tokenStore: new FileTokenStore(folder) });
  assert.equal(await carrier.testAuth(), 'OK');
});
