// Headers of every request: who sends it, those of the options, and those of a call.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import type { Fetch } from '../http/send-request.js';
import { getLiveness } from '../operations/operations.js';
import { VERSION } from '../version.js';
import { Connection } from './connection.js';

let sent = new Headers();
const fetch: Fetch = async (_, init) => {
  sent = new Headers(init?.headers);
  return new Response('OK');
};
const baseUrl = 'https://customs.example';

test('requests name the library and its version', async () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  assert.equal(VERSION, version);
  await new Connection({ baseUrl, fetch }).call(getLiveness, {});
  assert.equal(sent.get('user-agent'), `landfall-client/${version}`);
});

test('headers of the options are in every request, and those of a call replace them', async () => {
  const headers = { 'X-Gateway': 'a', 'User-Agent': 'Example/1' };
  const connection = new Connection({ baseUrl, fetch, headers });
  await connection.call(getLiveness, {});
  assert.deepEqual([sent.get('x-gateway'), sent.get('user-agent')], ['a', 'Example/1']);
  await connection.call(getLiveness, {}, { headers: { 'x-gateway': 'b' } });
  assert.deepEqual([sent.get('x-gateway'), sent.get('accept')], ['b', 'text/plain']);
  const wrong = new Connection({ baseUrl, fetch, headers: { 'x-gateway': 'a\nb' } });
  await assert.rejects(wrong.call(getLiveness, {}), ConfigurationError);
});
