// A start during which the database goes away, at any moment: the server either serves, or ends with one line that says why.
// One that does neither would not be started again by what watches it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { drawCases } from '../../../../contract/dist/testing/drawn-cases.js';
import { startBreakableConnection } from '../../testing/breakable-connection.js';
import {
  type ExternalIdentityProvider,
  startExternalIdentityProvider,
} from '../../testing/external-identity-provider.js';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../testing/postgresql.js';
import { productionEnvironment } from '../../testing/production-environment.js';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

/** How many moments of a start are tried: all of them, or some in a run of all tests. */
const MOMENTS = Array.from({ length: 40 }, (_, index) => index / 40);

/** A server that neither serves nor ends for longer does not end by itself, in milliseconds. */
const END_MS = 30_000;

const folder = await makeTemporaryFolder();

describe('a start during which the database goes away', { skip: await whyNoPostgresql() }, () => {
  let provider: ExternalIdentityProvider;
  let database: TestPostgresql;
  let environment: NodeJS.ProcessEnv;
  /** How many parts a whole start sends to the database. */
  let whole: number;

  before(async () => {
    [provider, database] = await Promise.all([startExternalIdentityProvider(), createPostgresql()]);
    environment = productionEnvironment(database, provider, join(folder, 'keys'));
    assert.equal((await runLandfall(['admin', 'migrate'], { environment })).code, 0);
    const connection = await startBreakableConnection(database.url);
    const started = startLandfall(['serve', '--port', '0'], {
      ...environment,
      DATABASE_URL: connection.url,
    });
    await started.printed(/^serving /m);
    whole = connection.passed();
    started.process.kill('SIGKILL');
    await started.ended;
    await connection.interrupt();
  });
  after(async () => {
    provider?.close();
    await database?.drop();
  });

  for (const moment of drawCases('interrupted starts', MOMENTS, 4)) {
    it(`after ${Math.round(moment * 100)} % of it`, async () => {
      const parts = 1 + Math.floor(moment * whole);
      const connection = await startBreakableConnection(database.url, parts);
      const server = startLandfall(['serve', '--port', '0'], {
        ...environment,
        DATABASE_URL: connection.url,
        LANDFALL_DRAIN_TIME: '0',
      });
      const late = setTimeout(() => server.process.kill('SIGKILL'), END_MS);
      try {
        const served = server.printed(/^serving /m).then(
          () => server.process.kill('SIGTERM'),
          // It has ended before.
          () => undefined,
        );
        const { code, stderr } = await server.ended;
        await served;
        assert.notEqual(code, null, `it neither served nor ended: ${stderr}`);
        if (code !== 0) assert.match(stderr, /^error: [^\n]+$/m);
        assert.doesNotMatch(stderr, /unexpected error|\n {4}at /);
      } finally {
        clearTimeout(late);
        await connection.interrupt();
      }
    });
  }
});
