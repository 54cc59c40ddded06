// The versions of a server on both databases, for the authority alone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const path = '/api/authority/v1/versions';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`versions on ${name}`, { skip }, () => {
    test('are those of the package and of the database', async () => {
      const database = await open();
      const [row] = await database.query<{ version: string }>({
        name: 'version-for-a-test',
        text: 'select version() as version',
        values: [],
      });
      const { kind } = database;
      const playground = await TestPlayground.start(database);
      const { status, body } = await playground.call(path, { as: 'authority' });
      const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
      assert.equal(status, 200);
      // The cast is true because the contract says so of a 200.
      const versions = body as { service: string; database: { kind: string; version: string } };
      assert.equal(versions.service, JSON.parse(manifest).version);
      assert.equal(versions.database.kind, kind);
      const [number = ''] = versions.database.version.split(' ');
      assert.match(String(row?.version), new RegExp(`^PostgreSQL ${number} `));

      assert.equal((await playground.call(path, { as: 'carrier' })).status, 403);
      assert.equal((await playground.call(path)).status, 401);
      await playground.close();
    });
  });
}
