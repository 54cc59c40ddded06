// Which server is the primary, and how long one is waited for after the last one was lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailableError } from './errors.js';
import { PrimaryServer } from './primary-server.js';

const SERVERS = ['postgresql://a', 'postgresql://b'] as const;

/** Two servers of which none takes writes until `promote` is called. */
function makeServers(waitMs?: number) {
  let primary: string | undefined;
  let probes = 0;
  const server = new PrimaryServer(
    SERVERS,
    (address) => {
      probes++;
      const isPrimary = address === primary;
      const result = isPrimary ? Promise.resolve() : Promise.reject(new Error('a standby'));
      return { result, cancel: () => undefined };
    },
    () => undefined,
    waitMs,
  );
  const open = () =>
    server.open(async () => {
      if (server.address === primary) return primary;
      server.lose(server.address);
      throw new Error('refused');
    });
  return {
    open,
    probes: () => probes,
    promote: (address: string) => {
      primary = address;
    },
  };
}

test('a new primary is waited for: who opens a session meanwhile gets one, and nobody fails', async () => {
  const { open, probes, promote } = makeServers();
  const sessions = [open()];
  // Others come after the first search without a result, and while the next one is waited for.
  while (probes() < 2) await new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  sessions.push(open(), open());
  promote(SERVERS[1]);
  assert.deepEqual(await Promise.all(sessions), [SERVERS[1], SERVERS[1], SERVERS[1]]);
});

test('after the limit everything that needs a primary fails at once, until there is one', async () => {
  const { open, promote } = makeServers(0);
  const expected = (error: unknown) => {
    assert(error instanceof DatabaseUnavailableError);
    assert.match(error.message, /none of the servers in DATABASE_URL takes writes/);
    return true;
  };
  await assert.rejects(open(), expected);
  await assert.rejects(open(), expected);
  promote(SERVERS[1]);
  for (;;) {
    // Servers are searched at most four times a second.
    const session = await open().catch(() => undefined);
    if (session !== undefined) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test('each loss is waited for anew', async () => {
  const waitMs = 2000;
  const { open, promote } = makeServers(waitMs);
  // The time is counted from the loss, not from the start.
  while (performance.now() <= waitMs) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const address of [SERVERS[1], SERVERS[0]]) {
    promote('');
    const session = open();
    await new Promise((resolve) => setImmediate(resolve));
    promote(address);
    assert.equal(await session, address);
  }
});
