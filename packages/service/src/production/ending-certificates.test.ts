// Which clients have only certificates that end soon.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { findEndingCertificates } from './ending-certificates.js';

const DAY_MS = 86_400_000;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`certificates that end soon on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let certificate = '';
    let end = 0;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      [certificate = ''] = playground.playground.credentials('courier').credentials.certificates;
      end = Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
    });
    after(() => playground.close());

    const setClient = (columns: string, values: readonly unknown[] = []) =>
      database.query({
        name: `test-client-${columns}`,
        text: `update client set ${columns} where client_id = 'certified'`,
        values,
      });
    const found = async (at: number) =>
      (await findEndingCertificates(database, new Date(at)))
        .filter(({ client }) => client === 'certified')
        .map(({ endsAt }) => Date.parse(endsAt));

    test('from 30 days before the last one ends, unless there is a key or it is blocked', async () => {
      await database.query({
        name: 'test-insert-client',
        text: `insert into client (organisation_id, client_id, certificates)
          select id, 'certified', array[$1] from organisation where identifier = '0192:310000019'`,
        values: [certificate],
      });
      assert.deepEqual(await found(end - 31 * DAY_MS), []);
      assert.deepEqual(await found(end - 29 * DAY_MS), [end]);
      assert.deepEqual(await found(end + DAY_MS), [end], 'it has ended');
      await setClient(`keys = '[{"kid":"k"}]'`);
      assert.deepEqual(await found(end + DAY_MS), []);
      await setClient(`keys = '[]', blocked = true`);
      assert.deepEqual(await found(end + DAY_MS), []);
    });
  });
}
