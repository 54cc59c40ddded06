// Missing or invalid credentials are explained, and addresses follow --url.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeCredentials } from '../testing/make-credentials.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { addressesOf, openSession } from './credentials.js';

const data = await makeTemporaryFolder();
await mkdir(join(data, 'credentials'));
const carrier = makeCredentials();
await writeFile(join(data, 'credentials', 'carrier.json'), JSON.stringify(carrier));
await writeFile(join(data, 'credentials', 'broken.json'), '{"name":"broken"');
await writeFile(join(data, 'credentials', 'partial.json'), '{"name":"partial"}');

it('a session has the credentials and their addresses', async () => {
  assert.deepEqual(await openSession({ as: 'carrier', data }), {
    credentials: carrier,
    baseUrl: 'http://127.0.0.1:8080',
    idpUrl: 'http://127.0.0.1:8080/idp',
    dataFolder: data,
  });
});

it('an unknown name lists the available ones', async () => {
  await assert.rejects(
    openSession({ as: 'nobody', data }),
    /no identity "nobody" in .*; available: broken, carrier, partial$/,
  );
});

it('an invalid file is reported with its errors', async () => {
  await assert.rejects(
    openSession({ as: 'broken', data }),
    /broken\.json is not a valid credentials file/,
  );
  await assert.rejects(openSession({ as: 'partial', data }), /client_id must not be null/);
});

describe('the addresses', () => {
  it('of a playground change together', () => {
    assert.deepEqual(addressesOf(carrier, 'http://customs.test'), {
      baseUrl: 'http://customs.test',
      idpUrl: 'http://customs.test/idp',
    });
  });

  it('of an external identity provider do not change', () => {
    const external = { ...carrier, idp_url: 'https://idp.test' };
    assert.equal(addressesOf(external, 'http://customs.test').idpUrl, 'https://idp.test');
  });
});
