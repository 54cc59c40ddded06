// A kept token is used again until a minute before its end, by its owner alone.
import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, it } from 'node:test';
import type { Session } from './credentials.js';
import { makeCredentials } from './testing/make-credentials.js';
import { makeTemporaryFolder } from './testing/temporary-folder.js';
import { dropToken, keepToken, readKeptToken } from './token-cache.js';

const credentials = makeCredentials();
const session: Session = {
  credentials,
  baseUrl: credentials.base_url,
  idpUrl: credentials.idp_url,
  dataFolder: await makeTemporaryFolder(),
};
const endsAt = Date.parse('2026-01-01T12:00:00Z');
const file = join(session.dataFolder, 'tokens', 'carrier.json');

beforeEach(() => keepToken(session, 'the token', endsAt));

it('is used until a minute before its end', async () => {
  assert.equal(await readKeptToken(session, endsAt - 60_001), 'the token');
  assert.equal(await readKeptToken(session, endsAt - 60_000), undefined);
});

it('is readable by its owner alone', { skip: process.platform === 'win32' }, async () => {
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

it('is not sent to another service', async () => {
  const elsewhere = { ...session, baseUrl: 'http://127.0.0.1:9090' };
  assert.equal(await readKeptToken(elsewhere, 0), undefined);
});

it('is forgotten when it is dropped, as often as one likes', async () => {
  await dropToken(session);
  await dropToken(session);
  assert.equal(await readKeptToken(session, 0), undefined);
});

it('a file that holds something else counts as none', async () => {
  for (const text of ['', 'null', '{"access_token":1}']) {
    await writeFile(file, text);
    assert.equal(await readKeptToken(session, 0), undefined);
  }
});
