// How batches end that go on for too long: the results are not read, many lines are of one document, or others hold the
// organisation.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { PresentationResult } from '@landfall/contract';
import { FEED_LOCK } from '../database/locks.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { NDJSON, readBlocks, readNdjsonAsStream } from '../http/ndjson.js';
import { receiveUpload } from '../http/receive-upload.js';
import { makeServer } from '../http/server.js';
import { streamResponse } from '../http/stream-response.js';
import { UnreadResults } from '../http/unread-results.js';
import { testDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { until } from '../testing/until.js';
import { LINES_OF_A_BLOCK, LINES_OF_EACH, makeBlockTurns } from './block-turns.js';
import { makePresentConsignment, type PresentConsignment } from './present-consignment.js';
import { type BatchContext, presentHouseConsignments } from './present-house-consignments.js';
import { readSubmission } from './submission.js';

const bodyOf = (document: string, requestId: string = randomUUID()) => ({
  requestId,
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: document, type: 'N740' },
});

/** What presenting the lines of a batch needs, besides what it tells. */
const contextOf = (present: PresentConsignment) => ({
  organisationId: 1,
  actor: { organisation: 'test', client: 'test' },
  present,
  turns: makeBlockTurns(),
  read: (value: unknown) => readSubmission('house-consignment', value, () => true),
});

/** Presents lines of one block; returns their results. */
async function presentLines(documents: readonly string[], present: PresentConsignment) {
  const results: PresentationResult[] = [];
  const context: BatchContext = {
    ...contextOf(present),
    requireAccess: async () => undefined,
    noteBegun: () => undefined,
    addResults: async (added) => {
      results.push(...added);
    },
  };
  async function* blocks() {
    yield documents.map((document, index) => ({
      line: index + 1,
      bytes: 100,
      value: bodyOf(document),
    }));
  }
  await presentHouseConsignments(blocks(), context);
  return results;
}

const codesOf = ({ status, validationErrors = [] }: PresentationResult) =>
  [status, ...validationErrors.map(({ code }) => code)].join(' ');

test('the last result of a batch that is not read names the last line that was presented', async () => {
  const LINES = 20_000;
  const presented: string[] = [];
  let hasEnded = false;
  const error = 'x'.repeat(1000);
  const unread = new UnreadResults({ total: 2 ** 20, upload: 2 ** 20, readTimeoutMs: 2000 });
  const { app } = await makeServer({ logLevel: 'silent' });
  const sender = { expiresAt: Number.POSITIVE_INFINITY, stillAllowed: async () => true };
  const context = contextOf(async ({ submission: { requestId } }) => {
    presented.push(requestId ?? '');
    // As long as a commit.
    await delay(1);
    return { accepted: false, errors: [{ field: 'x', error, code: 'FORMAT' }] };
  });
  readNdjsonAsStream(app);
  app.post('/', (request, reply) => {
    const { body } = request;
    assert(body instanceof Readable);
    const results = { unread, refused: 400 } as const;
    return streamResponse(reply, NDJSON, body, results, async (addResults, noteBegun) => {
      await receiveUpload(
        body,
        { caller: sender, request },
        () => new Date(),
        ({ chunks, requireAccess }) =>
          presentHouseConsignments(readBlocks(chunks, { lines: LINES_OF_A_BLOCK }), {
            ...context,
            requireAccess,
            addResults,
            noteBegun,
          }),
      ).finally(() => {
        hasEnded = true;
      });
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const ids = Array.from({ length: LINES }, () => randomUUID());
  const lines = ids.map((id, index) => `${JSON.stringify(bodyOf(`D${index}`, id))}\n`).join('');
  // The cast is true because the server listens on a port.
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port });
  socket.pause();
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${NDJSON}\r\n`;
  socket.write(`${head}Content-Length: ${lines.length}\r\n\r\n${lines}`);
  // Nothing is read before.
  await until(() => hasEnded);
  let text = '';
  for await (const part of socket.setEncoding('latin1')) {
    text += part;
    if (text.endsWith('\r\n0\r\n\r\n')) break;
  }
  await app.close();
  // Chunks of HTTP begin and end anywhere.
  const body = text.slice(text.indexOf('\r\n\r\n') + 2).replaceAll(/\r\n[\da-f]{1,8}\r\n/g, '');
  const results = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PresentationResult);
  assert.deepEqual(
    results.map(({ line }) => line),
    results.map((_, index) => index + 1),
  );
  const last = results.at(-1);
  assert(last !== undefined);
  assert.equal(codesOf(last), '400 RESULTS_NOT_READ');
  assert(presented.length < LINES, 'the upload has ended');
  assert(presented.length > last.line, 'more was presented than has a result');
  // All of these, and no other.
  assert.deepEqual(presented.toSorted(), ids.slice(0, presented.length).toSorted());
  assert.match(
    last.validationErrors?.[0]?.error ?? '',
    new RegExp(`lines ${last.line} to ${presented.length} are processed`),
  );
});

test('lines of one document that have not come to the queue in time are HELD, and the others are not', async () => {
  const began = performance.now();
  const results = await presentLines(['A', 'A', 'B', 'A', 'A', 'A'], async ({ submission }) => {
    await delay(4500);
    return { accepted: true, requestId: submission.requestId ?? '' };
  });
  const tookMs = performance.now() - began;
  assert.deepEqual(results.map(codesOf), ['202', '202', '202', '202', '202', '400 HELD']);
  // 15 s, and the line that had begun.
  assert(tookMs < 22_000, `${tookMs} ms`);
});

for (const { name, skip, open } of await testDatabases()) {
  // The embedded database runs one transaction at a time.
  if (name === 'embedded') continue;
  test(`as many lines as an organisation may have take their turn while others hold it, and leave room for single ones, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    const watch = new FeedWatch(database);
    const organisationId = await organisationOf(database, '0192:1');
    let stopped = false;
    const hold = async () => {
      while (!stopped) {
        await database.transact(async (transaction) => {
          const text = `select pg_advisory_xact_lock(${FEED_LOCK}, $1)`;
          await transaction.query({ name: '', text, values: [organisationId] });
          await transaction.query({ name: '', text: 'select pg_sleep(0.15)', values: [] });
        });
      }
    };
    // As other servers that are slow: two, one of which always waits while the other one holds the organisation.
    const holding = Promise.all([hold(), hold()]);
    try {
      const present = makePresentConsignment(database, watch);
      const presentOne = (document: string, isLine: boolean) => {
        const path = 'house-consignment';
        const request = presentationRequest(path, organisationId, bodyOf(document));
        return present(request, isLine).then(
          () => 'recorded',
          (error: Error) => `${error.name}: ${error.message}`,
        );
      };
      const lines = Array.from({ length: LINES_OF_EACH }, (_, index) =>
        presentOne(`L${index}`, true),
      );
      // Until lines wait for their turn.
      await delay(1500);
      const single = Array.from({ length: 100 }, (_, index) => presentOne(`S${index}`, false));
      assert.deepEqual([...new Set(await Promise.all([...lines, ...single]))], ['recorded']);
    } finally {
      stopped = true;
      await holding;
      watch.close();
      await database.close();
    }
  });
}
