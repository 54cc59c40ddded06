// Credentials that are missing or broken are explained, and addresses follow --url.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addressesOf, openSession } from './credentials.js';
import { makeCredentials } from './testing/make-credentials.js';
import { makeTemporaryFolder } from './testing/temporary-folder.js';

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

it('an unknown name is answered with the known ones', async () => {
  await assert.rejects(
    openSession({ as: 'nobody', data }),
    /no identity "nobody" in .*; there are: broken, carrier, partial$/,
  );
});

it('a broken file is named with what it lacks', async () => {
  await assert.rejects(openSession({ as: 'broken', data }), /broken\.json does not hold/);
  await assert.rejects(openSession({ as: 'partial', data }), /client_id must not be null/);
});

describe('the addresses', () => {
  it('of a playground move together', () => {
    assert.deepEqual(addressesOf(carrier, 'http://customs.test'), {
      baseUrl: 'http://customs.test',
      idpUrl: 'http://customs.test/idp',
    });
  });

  it('of an external identity provider stay', () => {
    const external = { ...carrier, idp_url: 'https://idp.test' };
    assert.equal(addressesOf(external, 'http://customs.test').idpUrl, 'https://idp.test');
  });
});
