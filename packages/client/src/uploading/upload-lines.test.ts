// Lines of a source that is silent for longer than a service keeps a request open, in every form of a source.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Connection } from '../connection/connection.js';
import { ConnectionError } from '../errors/connection-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import type { LineSource } from '../http/upload.js';
import { postRoutingDecisions } from '../operations/operations.js';
import { uploadLines } from './upload-lines.js';

/** The lines of each request, and what it is given back: by default a result for each line that is not blank. */
const requests: string[][] = [];
let resultsOf = (
  lines: string[],
): { line: number; status: string; validationErrors?: { code: string }[] }[] =>
  lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ line: index + 1, status: 'DECIDED' }],
  );
/** Is called when a request has arrived whole. */
let arrived = () => {};

const server = createServer(async (request, response) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const lines = body.split('\n');
  if (lines.at(-1) === '') lines.pop();
  requests.push(lines);
  for (const result of resultsOf(lines)) response.write(`${JSON.stringify(result)}\n`);
  response.end();
  arrived();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
// The cast is true because the server listens on a port, not on a pipe.
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const tokens = { getToken: async () => 'token', discard: () => undefined };
const connection = new Connection({ baseUrl, tokens, retry: false });
const send = (body: AsyncIterable<Uint8Array>) => connection.call(postRoutingDecisions, { body });

async function upload(source: LineSource<object>, idleMs = 50): Promise<number[]> {
  requests.length = 0;
  const lines: number[] = [];
  for await (const { line } of uploadLines(source, send, { idleMs })) lines.push(line);
  return lines;
}

/** Waits until a request has arrived whole. */
const silence = () =>
  new Promise<void>((resolve) => {
    arrived = resolve;
  });

test('a request ends when the source is silent, and lines keep their numbers in the next', async () => {
  async function* source() {
    yield '{"a":1}\n{"a":2}\n';
    await silence();
    // A line that is not complete is not sent until it is; the blank one counts.
    yield '{"a"';
    yield ':3}\n\n{"a":';
    await silence();
    yield new TextEncoder().encode('4}\n');
    yield '{"a":5}\n{"a":6}';
  }
  assert.deepEqual(await upload(source()), [1, 2, 3, 5, 6, 7]);
  assert.deepEqual(requests, [
    ['{"a":1}', '{"a":2}'],
    ['{"a":3}', ''],
    ['{"a":4}', '{"a":5}', '{"a":6}'],
  ]);
});

test('a source may fill its buffer again', async () => {
  const source = async function* () {
    const buffer = new TextEncoder().encode('{"a":1}\n{"a"');
    yield buffer;
    buffer.set(new TextEncoder().encode(':2}\n{"a":3}\n'));
    yield buffer.subarray(0, 12);
  };
  assert.deepEqual(await upload(source()), [1, 2, 3]);
  assert.deepEqual(requests.flat(), ['{"a":1}', '{"a":2}', '{"a":3}']);
});

test('every form of a source is sent whole', async () => {
  const text = '{"a":1}\n{"a":2}\n';
  const sources: LineSource<object>[] = [
    text,
    new TextEncoder().encode(text),
    new Blob([text]),
    new Blob([text]).stream(),
    [{ a: 1 }, { a: 2 }],
  ];
  for (const source of sources) {
    assert.deepEqual(await upload(source, 10_000), [1, 2]);
    assert.deepEqual(requests, [['{"a":1}', '{"a":2}']]);
  }
  assert.deepEqual(await upload(''), []);
  assert.deepEqual(requests, []);
});

test('lines without a result end the upload: nothing more is sent', async () => {
  const all = resultsOf;
  const source = async function* () {
    yield '{}\n{}\n';
    await silence();
    yield '{}\n';
  };
  resultsOf = (lines) => all(lines).slice(1);
  await assert.rejects(
    upload(source()),
    (error) =>
      error instanceof ConnectionError && error.outcomeUnknown && /1 of the 2/.test(error.message),
  );
  assert.equal(requests.length, 1);
  // A line that was refused is no reason that another one has no result.
  resultsOf = () => [{ line: 1, status: 'REFUSED' }];
  await assert.rejects(upload(source()), ConnectionError);
  resultsOf = () => [
    { line: 1, status: 'REFUSED', validationErrors: [{ code: 'UNKNOWN_ROUTING_PROFILE' }] },
  ];
  await assert.rejects(upload(source()), ConnectionError);
  requests.length = 0;
  // The service says itself why it takes no more.
  for (const code of ['ACCESS_ENDED', 'RESULTS_NOT_READ']) {
    resultsOf = () => [{ line: 1, status: 'REFUSED', validationErrors: [{ code }] }];
    assert.deepEqual(await upload(source()), [1]);
  }
  assert.equal(requests.length, 1);
  resultsOf = all;
});

test('a source that fails, or has a line without an end, fails the upload', async () => {
  const failing = async function* () {
    yield '{}\n';
    await silence();
    throw new RangeError('of the source');
  };
  await assert.rejects(upload(failing()), RangeError);
  const endless = async function* () {
    for (;;) yield 'x'.repeat(4 * 1024 * 1024);
  };
  await assert.rejects(upload(endless()), ConfigurationError);
  assert.equal(requests.length, 0);
  for (const idleMs of [0, -1, 30_001, Number.NaN]) {
    await assert.rejects(upload('{}\n', idleMs), ConfigurationError);
  }
});

test('the source ends when the loop is left', async () => {
  let isEnded = false;
  const source = async function* () {
    try {
      yield '{}\n';
      await silence();
      yield '{}\n';
    } finally {
      isEnded = true;
    }
  };
  for await (const _ of uploadLines(source(), send, { idleMs: 50 })) break;
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(isEnded, true);
});
