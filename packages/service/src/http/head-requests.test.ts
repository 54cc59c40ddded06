// HEAD of every address that GET serves, in each of its media types: the headers come at once, and nothing is produced that
// nobody reads. The server is a process of its own, because one that is blocked would stop the test's timers too.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { identityFor, samplePath } from '../testing/request-samples.js';

/** How long a response may take on a busy machine, in milliseconds. */
const MAX_MS = 60_000;

const read = Object.values<Operation>(operations).filter(({ method }) => method === 'GET');

function mediaTypesOf({ responses }: Operation): string[] {
  const all = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
  return [...new Set(all)].filter((mediaType) => mediaType !== 'application/problem+json');
}

describe('HEAD', () => {
  let server: PlaygroundProcess;
  before(async () => {
    server = await PlaygroundProcess.start();
  });
  after(() => server.close());

  const send = (method: string, path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; type: string | undefined }>((resolve, reject) => {
      const sent = request(new URL(path, server.ready.baseUrl), {
        method,
        headers,
        agent: false,
        timeout: MAX_MS,
      });
      sent.on('timeout', () => sent.destroy(new Error(`no response to ${method} ${path}`)));
      sent.on('error', reject);
      sent.on('response', (response) => {
        const { statusCode: status = 0, headers: received } = response;
        response.on('error', () => undefined).resume();
        // GET of events has no end.
        if (method === 'GET') sent.destroy();
        resolve({ status, type: received['content-type'] });
      });
      sent.end();
    });

  for (const operation of read) {
    for (const accept of mediaTypesOf(operation)) {
      test(`of ${operation.operationId} as ${accept} is that of GET without its content`, async () => {
        const token = server.ready.tokens[identityFor(operation) ?? ''];
        const headers = {
          accept,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        };
        const path = samplePath(operation);
        const got = await send('GET', path, headers);
        assert.deepEqual(await send('HEAD', path, headers), got);
        assert.equal((await send('GET', '/livez', {})).status, 200);
      });
    }
  }

  test('there are streams of events among them, and no internal error', () => {
    assert(read.some((operation) => mediaTypesOf(operation).includes('text/event-stream')));
    assert.deepEqual(server.internalErrors, []);
  });
});
