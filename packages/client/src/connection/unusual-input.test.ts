// What a caller, a hook or a peer gives in a form that nobody expects.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError, LandfallError } from '../errors/landfall-error.js';
import type { Fetch } from '../http/send-request.js';
import { Landfall } from '../landfall.js';
import * as operations from '../operations/operations.js';
import { startPeer } from '../testing/hostile-peer.js';
import { formBody } from './body-form.js';
import { Connection } from './connection.js';
import { Lines } from './lines.js';
import type { Operation } from './operation.js';
import { linesResult } from './result-form.js';

const tokens = { getToken: async () => 'token', discard: () => undefined };
const peer = await startPeer();
// The cast is true because the module exports operations only.
const all = Object.values(operations) as Operation[];

for (const operation of all.filter(({ path }) => path.includes('{'))) {
  test(`${operation.operationId}: an identifier does not lead to another address`, async () => {
    const connection = new Connection({ baseUrl: peer.url, tokens, retry: false });
    peer.received.length = 0;
    for (const segment of ['.', '..']) {
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const parameters = Object.fromEntries(names.map((name) => [name, segment]));
      await assert.rejects(
        connection.call(operation, { parameters, body: [{}] }),
        ConfigurationError,
      );
    }
    assert.deepEqual(peer.received, []);
  });
}

test('an address that no path can follow is refused, and nothing is sent', () => {
  for (const end of ['?', '#', '?key=secret', '/#part', '/api?x=1#y']) {
    for (const make of [
      () => new Landfall({ baseUrl: `${peer.url}${end}`, tokens }),
      () => new Connection({ baseUrl: `${peer.url}${end}`, tokens: 'cookie' }),
    ]) {
      assert.throws(make, (error) => {
        assert(error instanceof ConfigurationError);
        assert.match(error.message, /must not have a query or a fragment/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    }
  }
});

test('a time limit that is no number is refused before anything is sent', async () => {
  for (const ms of [Number.NaN, 0, -1]) {
    const landfall = new Landfall({ baseUrl: peer.url, tokens, retry: false });
    const limited = new Landfall({ baseUrl: peer.url, tokens, retry: false, timeoutMs: ms });
    peer.received.length = 0;
    await assert.rejects(landfall.getLiveness({ timeoutMs: ms }), /timeoutMs must be above 0/);
    await assert.rejects(limited.getLiveness(), ConfigurationError);
    assert.deepEqual(peer.received, []);
  }
});

test('an outcome that may be determined for no time is unknown', async () => {
  peer.respond = (request) => request.socket.destroy();
  const landfall = new Landfall({ baseUrl: peer.url, tokens, retry: false });
  const parcel = { customsOfficeOfPresentation: 'NO351001', containerId: 'JARU0000010' };
  for (const settleWithinMs of [Number.NaN, -1]) {
    await assert.rejects(landfall.presentContainer(parcel, { settleWithinMs }), {
      name: 'PresentationUnknownError',
    });
  }
});

test('a name below localhost is not this machine', () => {
  assert.throws(
    () => new Landfall({ baseUrl: 'http://customs.localhost', tokens }),
    ConfigurationError,
  );
});

test('a traceparent that is none is left out', async () => {
  const sent: (string | null)[] = [];
  const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  for (const value of [good, 'x\ny', `${good}-1`, '', 'ø', 1, null]) {
    const fetch: Fetch = async (_, init) => {
      sent.push(new Headers(init?.headers).get('traceparent'));
      return new Response('OK');
    };
    // The cast is what a program without types does.
    const traceparent = () => value as string;
    const landfall = new Landfall({ baseUrl: peer.url, tokens, fetch, hooks: { traceparent } });
    await landfall.getLiveness();
  }
  assert.deepEqual(sent, [good, null, null, null, null, null, null]);
});

const bodies = [
  'null',
  '1',
  '[]',
  '{}',
  '{"summary":null}',
  '{"summary":{"lines":null}}',
  '[null]',
  '{"validationErrors":[null]}',
  '{"validationErrors":[{"field":1}]}',
  '{"validationErrors":{}}',
];
for (const body of bodies) {
  test(`${body} with any status is a result or an error of the library`, async () => {
    for (const status of [200, 400, 500]) {
      const fetch: Fetch = async () =>
        new Response(`${body}\n`, { status, headers: { 'preference-applied': 'summary' } });
      const connection = new Connection({ baseUrl: peer.url, tokens, fetch, retry: false });
      for (const operation of all) {
        const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        const parameters = Object.fromEntries(names.map((name) => [name, 'x']));
        try {
          const body = operation.body === formBody ? { grant_type: 'x' } : [{}];
          const result = await connection.call(operation, { parameters, body });
          if (result instanceof Lines) await result.toArray();
          assert(status === 200);
          // The end mark is missing.
          assert(operation.result !== linesResult, operation.operationId);
        } catch (error) {
          assert(error instanceof LandfallError, `${operation.operationId}: ${error}`);
        }
      }
      const landfall = new Landfall({ baseUrl: peer.url, tokens, fetch, retry: false });
      const document = { documentNumber: 'X', type: 'N740' } as const;
      const wait = landfall.waitForRouting([{ transportDocumentHouseLevel: document }], {
        marker: 'x',
        withinMs: 20,
      });
      await assert.rejects(wait.toArray(), LandfallError);
    }
  });
}

test('an abort while the body of an error drips throws the reason', async () => {
  const reason = new RangeError('of the caller');
  const controller = new AbortController();
  peer.respond = (_, response) => {
    response.writeHead(400).write('{"title":');
    setTimeout(() => controller.abort(reason), 20);
  };
  const landfall = new Landfall({ baseUrl: peer.url, tokens, retry: false });
  await assert.rejects(
    landfall.getLiveness({ signal: controller.signal }),
    (error) => error === reason,
  );
  // Without it, the status is enough.
  await assert.rejects(landfall.getLiveness({ timeoutMs: 300 }), ApiError);
});

test('the first request of a program has no time limits of the platform', () => {
  const url = new URL('../http/platform-fetch.js', import.meta.url);
  const program = `
    const { platformFetch } = await import('${url}');
    Object.defineProperty(globalThis, 'fetch', { value: (_, init) => console.log('dispatcher' in init) });
    platformFetch('http://peer', {});`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
  assert.equal(String(printed), 'true\n');
});
