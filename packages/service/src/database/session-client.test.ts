// A session whose server accepts it and then sends nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { DatabaseUnavailableError } from './errors.js';
import { OpenSessions } from './open-sessions.js';
import type { SessionKind } from './session.js';
import { SessionClient } from './session-client.js';

/** AuthenticationOk and ReadyForQuery. */
const ACCEPTED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** Far above the limit for opening a session. */
const MINUTE_MS = 60_000;

test('A session that is accepted and gets no response is given up, whatever its statements may take', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(ACCEPTED));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // The cast is true because the server listens on a port.
  const { port } = server.address() as AddressInfo;
  try {
    for (const kind of ['probe', 'maintenance', 'large', 'pool'] satisfies SessionKind[]) {
      const session = new SessionClient({
        kind,
        sessions: new OpenSessions(async (backends) => backends),
        connectionString: `postgresql://somebody@127.0.0.1:${port}/any`,
      });
      const opened = assert.rejects(session.open(), DatabaseUnavailableError, kind);
      await once(session, 'connect');
      assert.equal(session.isOverdue(performance.now() + 1000), false, kind);
      assert.equal(session.isOverdue(performance.now() + MINUTE_MS), true, kind);
      session.destroy();
      await opened;
    }
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
