// A cached token is used until a minute before it expires, and readable by its owner only.
import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, it } from 'node:test';
import { makeCredentials } from '../testing/make-credentials.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import type { Session } from './credentials.js';
import { cacheToken, dropToken, readCachedToken } from './token-cache.js';

const credentials = makeCredentials();
const session: Session = {
  credentials,
  baseUrl: credentials.base_url,
  idpUrl: credentials.idp_url,
  dataFolder: await makeTemporaryFolder(),
};
const endsAt = Date.parse('2026-01-01T12:00:00Z');
const file = join(session.dataFolder, 'tokens', 'carrier.json');

beforeEach(() => cacheToken(session, 'the token', endsAt));

it('is used until a minute before it expires', async () => {
  assert.equal(await readCachedToken(session, endsAt - 60_001), 'the token');
  assert.equal(await readCachedToken(session, endsAt - 60_000), undefined);
});

it('is readable by its owner only', { skip: process.platform === 'win32' }, async () => {
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

it('is not sent to another service', async () => {
  const elsewhere = { ...session, baseUrl: 'http://127.0.0.1:9090' };
  assert.equal(await readCachedToken(elsewhere, 0), undefined);
});

it('is deleted when dropped; dropping again is safe', async () => {
  await dropToken(session);
  await dropToken(session);
  assert.equal(await readCachedToken(session, 0), undefined);
});

it('a file with other content is ignored', async () => {
  for (const text of ['', 'null', '{"access_token":1}']) {
    await writeFile(file, text);
    assert.equal(await readCachedToken(session, 0), undefined);
  }
});
