// Files of tokens.
import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import { FileTokenStore } from './file-token-store.js';

const playground = await startTestPlayground();

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
