// The state of a run is changed only as it was read.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { errorsOf } from '../testing/registry-client.js';
import { TestRuns } from '../testing/run-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`changing a routing run on ${name}`, { skip }, () => {
    let runs: TestRuns;
    before(async () => {
      runs = await TestRuns.start(await open(), { fourEyesRunSize: 1 });
    });
    after(() => runs.close());

    /** A run that decides nothing by itself, because nobody has confirmed it. */
    const propose = async () => {
      const mrn = await runs.preNotify(['A1']);
      return runs.create({ select: { mrn }, routing: 'TO_ENTRY' });
    };

    test('without If-Match it is refused, and changes nothing', async () => {
      const { id, etag } = await propose();
      for (const headers of [{}, { 'if-none-match': '*' }]) {
        const response = await runs.changeFrom(id, 'GIVEN_UP', headers);
        assert.equal(response.status, 428, response.text);
        assert.match(response.text, /If-Match is required/);
      }
      assert.equal((await runs.get(id)).etag, etag);
    });

    test('an entity tag that fits every state, or that is none, is refused', async () => {
      const { id, etag } = await propose();
      for (const tag of ['*', ' * ', '1', etag.slice(1)]) {
        const response = await runs.changeFrom(id, 'GIVEN_UP', { 'if-match': tag });
        assert.deepEqual(errorsOf(response), ['If-Match FORMAT'], response.text);
      }
      assert.equal((await runs.get(id)).state, 'PROPOSED');
    });

    test('with the entity tag of another state it is refused, unless the run has the new state already', async () => {
      const { id, etag } = await propose();
      const other = await runs.changeFrom(id, 'GIVEN_UP', { 'if-match': '"0"' });
      assert.equal(other.status, 412, other.text);
      const done = await runs.changeFrom(id, 'GIVEN_UP', { 'if-match': etag });
      assert.equal(done.status, 200, done.text);
      // Its response may have been lost.
      const again = await runs.changeFrom(id, 'GIVEN_UP', { 'if-match': etag });
      assert.deepEqual(again.body, done.body);
      const paused = await runs.changeFrom(id, 'PAUSED', { 'if-match': etag });
      assert.equal(paused.status, 412, paused.text);
    });
  });
}
