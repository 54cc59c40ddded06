// Health and metrics over a real socket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';

test('health is OK, and metrics count the requests by route and status', async () => {
  const playground = await TestPlayground.start(await openInMemory());
  assert.equal((await playground.call('/livez')).text, 'OK');
  assert.equal((await playground.call('/livez')).text, 'OK');
  assert.equal((await playground.call('/readyz')).text, 'OK');
  const first = await playground.call('/metrics');
  assert.match(
    first.text,
    /landfall_http_requests_total\{method="GET",route="\/livez",status="200"\} 2\n/,
  );
  assert.match(first.text, /landfall_background_failures_total\{task="audit-checkpoint"\} 0\n/);
  assert.match(first.text, /process_resident_memory_bytes \d+/);
  await playground.call('/livez');
  const second = await playground.call('/metrics');
  assert.match(second.text, /route="\/livez",status="200"\} 3\n/);
  await playground.close();
});
