// Every response of every operation is limited while it is not read: as a whole, or by a stream that limits itself.
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';
import { identityFor, sampleBody, samplePath } from '../testing/request-samples.js';
import { NDJSON } from './ndjson.js';
import { PartsResponse } from './parts-response.js';
import { SpooledResponse } from './spooled-response.js';

/** The routes that send a stream, and whether it is one that limits itself. */
function observeStreams(): ReadonlyMap<string, boolean> {
  const streams = new Map<string, boolean>();
  subscribe('fastify.initialization', (message) => {
    // The cast is true because this is what Fastify publishes.
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onSend', async ({ method, routeOptions }, _reply, payload) => {
      if (payload instanceof Readable || payload instanceof ReadableStream) {
        const isLimited = payload instanceof PartsResponse || payload instanceof SpooledResponse;
        streams.set(`${method} ${routeOptions.url}`, isLimited);
      }
      return payload;
    });
  });
  return streams;
}

test('no operation sends a stream without a limit', async () => {
  const streams = observeStreams();
  const playground = await TestPlayground.start(await openInMemory(), { rateLimit: 0 });
  try {
    const all: readonly Operation[] = Object.values(operations);
    for (const operation of all) {
      const identity = identityFor(operation);
      const token = identity === undefined ? undefined : await playground.token(identity);
      const accepts = Object.values(operation.responses).flatMap(({ content }) =>
        Object.keys(content ?? {}),
      );
      const bodies = Object.entries(operation.body ?? {}).map(([mediaType, schema]) => {
        const text = JSON.stringify(sampleBody(operation, schema));
        return { mediaType, text: mediaType === NDJSON ? `${text}\n` : text };
      });
      for (const accept of new Set(['*/*', ...accepts])) {
        for (const body of bodies.length === 0 ? [undefined] : bodies) {
          const response = await fetch(`${playground.playground.baseUrl}${samplePath(operation)}`, {
            method: operation.method,
            headers: {
              accept,
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
              ...(body !== undefined && { 'content-type': body.mediaType }),
            },
            ...(body !== undefined && { body: body.text }),
          });
          await response.body?.cancel();
        }
      }
    }
  } finally {
    await playground.close();
  }
  const streaming = [...streams].filter(([route]) => !route.includes('/console/'));
  // Feeds, a declaration, and two kinds of uploads.
  assert(streaming.length >= 6, streaming.map(([route]) => route).join(', '));
  assert.deepEqual(
    streaming.filter(([, isLimited]) => !isLimited),
    [],
  );
});
