// After a playground is closed, each of its functions says so or still works; and it says what it no longer has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlayground } from './index.js';

test('every function of a closed playground works, or says that it is closed', async () => {
  const playground = await startPlayground();
  const { id } = playground.scenarios.add({ kind: 'delay', milliseconds: 1 });
  await playground.close();
  const given: Record<string, unknown[]> = {
    credentials: ['carrier'],
    setClock: [{ advance: 1 }],
    add: [{ kind: 'delay', milliseconds: 1 }],
    delete: [id],
  };
  const refused: string[] = [];
  const functions = [...Object.entries(playground), ...Object.entries(playground.scenarios)];
  for (const [name, member] of functions) {
    if (typeof member !== 'function') continue;
    try {
      await member(...(given[name] ?? []));
    } catch (error) {
      assert(error instanceof Error);
      assert.equal(error.message, 'the playground is closed: start another one', name);
      refused.push(name);
    }
  }
  const changing = [
    'add',
    'dataset',
    'putIdentity',
    'removeIdentity',
    'reset',
    'setClock',
    'snapshot',
    'space',
    'verify',
  ];
  assert.deepEqual(refused.sort(), changing);
});

test('how many exchanges were dropped is said, in the process and over HTTP', async () => {
  await using playground = await startPlayground();
  assert.equal(playground.droppedRequests, 0);
  for (let count = 0; count < 520; count++) await fetch(`${playground.baseUrl}/livez`);
  const recorded = playground.requests().length;
  assert(recorded > 0 && recorded <= 500, `${recorded}`);
  assert.equal(playground.droppedRequests, 520 - recorded);
  const response = await fetch(`${playground.baseUrl}/playground/requests`);
  // The cast is true for this address.
  const { requests, dropped } = (await response.json()) as { requests: unknown[]; dropped: number };
  assert.deepEqual([requests.length, dropped], [recorded, playground.droppedRequests]);
  playground.clearRequests();
  assert.equal(playground.droppedRequests, 0);
});
