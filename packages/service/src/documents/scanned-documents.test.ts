// Nothing is stored that the scanner has not found clean, and its failures are counted and logged without names of files.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Problem } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { answering, InstreamServer } from '../testing/instream-server.js';
import { MULTIPART_TYPE, makeUpload } from '../testing/multipart.js';
import { TestPlayground } from '../testing/playground-client.js';

const NAME = 'secret-name.txt';
const CONTENT = 'secret content';

describe('documents and their scanner', () => {
  let server: InstreamServer;
  let database: Database;
  let playground: TestPlayground;
  let log = '';
  let last = 0;
  const upload = (content: string | Uint8Array = `${CONTENT} ${++last}`) =>
    playground.call(
      '/api/goodsdeclaration/document/v2/declaration-id/974760673-10082022-1/document',
      {
        as: 'broker',
        method: 'POST',
        raw: makeUpload(content, NAME),
        headers: { 'content-type': MULTIPART_TYPE },
      },
    );
  const stored = async () =>
    (
      await database.query<{ documents: number }>({
        name: '',
        text: 'select count(*)::integer as documents from document',
        values: [],
      })
    )[0]?.documents;
  const metric = async (name: string) => {
    const { text } = await playground.call('/metrics');
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const write = process.stderr.write;

  before(async () => {
    process.stderr.write = ((line: string | Uint8Array) => {
      log += String(line);
      return true;
    }) as typeof process.stderr.write;
    server = await InstreamServer.start();
    database = await openInMemory();
    const { host, port } = server.address;
    playground = await TestPlayground.start(database, {
      ...{ documentScanner: `${host}:${port}`, logLevel: 'debug', rateLimit: 0, openUploads: 0 },
    });
  });
  after(async () => {
    process.stderr.write = write;
    await playground.close();
    server.close();
  });
  beforeEach(() => {
    server.behaviour = answering('stream: OK');
  });

  test('a document is stored when the scanner has found nothing, and what it has seen is what was sent', async () => {
    assert.equal((await upload('clean')).status, 201);
    assert.equal(server.received.at(-1)?.toString(), 'clean');
    assert.equal(await metric('landfall_document_scans_total\\{result="clean"\\}'), 1);
  });

  test('a document with malware is refused and not stored', async () => {
    const before = await stored();
    server.behaviour = answering('stream: Some.Malware FOUND');
    const { status, body } = await upload();
    const [error] = (body as Problem).validationErrors ?? [];
    assert.deepEqual([status, error?.field, error?.code], [400, 'file', 'NOT_VERIFIED']);
    assert.equal(await stored(), before);
  });

  test('without an answer nothing is stored, and the failure is counted and logged', async () => {
    const before = await stored();
    for (const behaviour of [answering('INSTREAM size limit exceeded. ERROR'), answering('')]) {
      server.behaviour = behaviour;
      const { status, headers, body } = await upload();
      assert.equal(status, 503);
      assert.equal(headers.get('retry-after'), '1');
      assert.match((body as Problem).detail, /not scanned, so it is not stored/);
    }
    assert.equal(await stored(), before);
    assert.equal(await metric('landfall_document_scans_total\\{result="failed"\\}'), 2);
    assert.equal(
      await metric('landfall_background_failures_total\\{task="document-scanner"\\}'),
      2,
    );
    assert.match(log, /"task":"document-scanner".*the scanner of documents did not say/);
  });

  test('only some are scanned at once, and the others wait', async () => {
    server.mostOpen = 0;
    const waiting: (() => void)[] = [];
    server.behaviour = (socket) => void waiting.push(() => socket.end('stream: OK\0'));
    const sent = Array.from({ length: 9 }, () => upload());
    while (waiting.length < 4) await new Promise(setImmediate);
    while ((await metric('landfall_document_scans_waiting')) < 5) await new Promise(setImmediate);
    assert.equal(waiting.length, 4);
    server.behaviour = answering('stream: OK');
    for (const answer of waiting) answer();
    assert.deepEqual(
      new Set((await Promise.all(sent)).map(({ status }) => status)),
      new Set([201]),
    );
    assert(server.mostOpen <= 5, String(server.mostOpen));
  });

  test('no line of the log has a name or a text of a file', () => {
    assert(log.length > 100);
    assert(!log.includes('secret'), log);
  });
});
