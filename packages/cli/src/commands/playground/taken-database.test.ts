// A playground whose database another one has taken ends with a sentence, for people and for programs.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SESSION_LOCKS } from '../../../../service/dist/database/locks.js';
import { takeSessionLock } from '../../../../service/dist/testing/take-session-lock.js';
import { createPostgresql, whyNoPostgresql } from '../../testing/postgresql.js';
import { startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const message =
  'another playground took the database while the connection to it was lost, so this one has ended: give each one a database of its own';

for (const { words, ready, error } of [
  { words: [], ready: /Landfall is running/, error: new RegExp(`^error: ${message}$`, 'm') },
  { words: ['--json'], ready: /"baseUrl"/, error: new RegExp(`"message":"${message}"`) },
]) {
  const name = ['landfall', 'playground', ...words].join(' ');
  it(`${name} says that another has taken its database, and fails`, {
    skip: await whyNoPostgresql(),
  }, async () => {
    const { url, drop } = await createPostgresql();
    try {
      const playground = startLandfall(
        ['playground', '--port', '0', ...words],
        { LANDFALL_PLAYGROUND_DATABASE_URL: url },
        await makeTemporaryFolder(),
      );
      await playground.printed(ready);
      const other = await takeSessionLock(url, SESSION_LOCKS.playground);
      const { code, stderr } = await playground.ended;
      assert.equal(code, 1);
      assert.match(stderr, error);
      assert.doesNotMatch(stderr, /unexpected|\n\s+at /);
      await other.end();
    } finally {
      await drop();
    }
  });
}
