// An upload of declarations that is open when its sender is blocked: what arrives after the block is not registered.
import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ValidationError } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS, declaration, house } from '../testing/registry-client.js';

const [BEFORE, AFTER] = ['26NO00000000000001', '26NO00000000000002'] as const;

type Result = { line: number; status: string; validationErrors?: ValidationError[] };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`after a block no further line is registered, and the last result says so, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    const playground = await TestPlayground.start(database);
    const upload = new PassThrough();
    const line = (mrn: string) =>
      upload.write(`${JSON.stringify({ mrn, ...declaration([house(mrn)]) })}\n`);
    try {
      const responding = fetch(`${playground.playground.baseUrl}${DECLARATIONS}`, {
        method: 'POST',
        body: Readable.toWeb(upload) as ReadableStream,
        duplex: 'half',
        headers: {
          authorization: `Bearer ${await playground.token('authority')}`,
          'content-type': 'application/x-ndjson',
        },
      } as RequestInit);
      line(BEFORE);
      const response = await responding;
      // As another server on this database does.
      await database.query({
        name: '',
        text: 'update organisation set blocked = true where identifier = $1',
        values: [playground.credentials('authority').organisation],
      });
      // A check may be a second old.
      await delay(1500);
      line(AFTER);
      const lines = (await response.text()).trimEnd().split('\n');
      // The cast is true because every line is a result.
      const [first, last, ...others] = lines.map((text) => JSON.parse(text) as Result);
      assert.equal(first?.status, 'REGISTERED');
      assert.deepEqual([last?.line, last?.status], [2, 'REFUSED']);
      assert.equal(last?.validationErrors?.[0]?.code, 'ACCESS_ENDED');
      assert.deepEqual(others, []);
      const registered = await database.query<{ mrn: string }>({
        name: '',
        text: 'select mrn from entry_summary_declaration where mrn = any ($1::text[])',
        values: [[BEFORE, AFTER]],
      });
      assert.deepEqual(registered, [{ mrn: BEFORE }]);
    } finally {
      upload.destroy();
      await playground.close();
    }
  });
}
