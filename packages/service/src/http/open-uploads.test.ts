// How many uploads one organisation may have open, of every operation that takes them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { testDatabases } from '../testing/databases.js';
import { openRequest } from '../testing/lasting-requests.js';
import { TestPlayground } from '../testing/playground-client.js';
import { identityFor, samplePath } from '../testing/request-samples.js';
import { until } from '../testing/until.js';
import { NDJSON } from './ndjson.js';

const LIMIT = 3;

/** A busy machine has opened them within this time, in milliseconds. */
const MAX_WAIT_MS = 60_000;

const uploads = Object.values<Operation>(operations).filter(
  ({ body }) => body?.[NDJSON] !== undefined,
);

const [embedded] = await testDatabases();

describe('open uploads', () => {
  let playground: TestPlayground;

  before(async () => {
    assert(embedded);
    playground = await TestPlayground.start(await embedded.open(), { openUploads: LIMIT });
  });
  after(() => playground.close());

  const countOpen = async () => {
    const { text } = await playground.call('/metrics');
    return Number(/^landfall_open_uploads (\S+)$/m.exec(text)?.[1]);
  };

  for (const operation of uploads) {
    test(`of ${operation.operationId}: one more than the limit is refused until another ends`, async () => {
      const { baseUrl } = playground.playground;
      const as = identityFor(operation);
      assert(as);
      const headers = { authorization: `Bearer ${await playground.token(as)}` };
      const opened = Array.from({ length: LIMIT }, () =>
        openRequest(baseUrl, { operation, kind: 'idle-upload', holder: 'token' }, headers),
      );
      const further = () =>
        playground.call(samplePath(operation), {
          as,
          method: operation.method,
          headers: { 'content-type': NDJSON },
          raw: '{}\n',
        });
      // A further one that came first would take the place of one of them.
      const late = performance.now() + MAX_WAIT_MS;
      await until(async () => (await countOpen()) === LIMIT || performance.now() > late);
      assert.equal(await countOpen(), LIMIT);
      const refused = await further();
      assert.equal(refused.status, 429, refused.text);
      assert.equal(refused.headers.get('retry-after'), '1');
      assert.match(refused.text, /may have 3 uploads open at the same time/);
      assert(opened.every((one) => one.opened.isOpen()));
      for (const one of opened) one.opened.close();
      await until(async () => (await countOpen()) === 0);
      assert.notEqual((await further()).status, 429);
    });
  }

  test('there are operations that take uploads', () => {
    assert(uploads.length >= 3, `${uploads.length}`);
  });
});
