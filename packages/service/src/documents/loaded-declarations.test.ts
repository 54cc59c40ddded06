// Where customs declarations are loaded, documents are taken for those that are there.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { MULTIPART_TYPE, makeUpload } from '../testing/multipart.js';
import { TestPlayground } from '../testing/playground-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`documents of loaded declarations on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open(), { referenceDocuments: 'loaded' });
    });
    after(() => playground.close());

    const upload = (declaration: string) =>
      playground.call(`/api/goodsdeclaration/document/v2/declaration-id/${declaration}/document`, {
        as: 'broker',
        method: 'POST',
        raw: makeUpload('text', 'a.txt'),
        headers: { 'content-type': MULTIPART_TYPE },
      });

    test('one that is not there is refused, until it is loaded', async () => {
      const refused = await upload('974760673-10082022-7');
      const [error] = (refused.body as Problem).validationErrors ?? [];
      assert.deepEqual(
        [refused.status, error?.field, error?.code],
        [400, 'declarationId', 'REFERENCE_NOT_FOUND'],
      );
      const declaration = {
        kind: 'CUDE',
        declarantNumber: '974760673',
        declarationDate: '2022-08-10',
        sequenceNumber: '7',
      };
      const loaded = await playground.call('/api/authority/v1/reference-documents', {
        as: 'authority',
        method: 'POST',
        raw: `${JSON.stringify({ ...declaration, state: 'VALID' })}\n`,
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(loaded.status, 200, loaded.text);
      assert.equal((await upload('974760673-10082022-7')).status, 201);
      assert.equal((await upload('974760673-10082022-8')).status, 400);
    });
  });
}
