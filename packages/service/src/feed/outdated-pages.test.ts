// A failover to a standby that lacks the last entries: nothing that was read of them before is sent afterwards.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { operations, type ValidationStatus } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { TestPlayground } from '../testing/playground-client.js';
import { until } from '../testing/until.js';

const STATUS = operations.listValidationStatuses.path;

describe('after a failover that has lost entries', { skip: whyNoOwnPostgresql() }, () => {
  let primary: OwnPostgresql;
  let standby: OwnPostgresql;
  let database: Database;
  let playground: TestPlayground;
  before(async () => {
    primary = await makeOwnPostgresql();
    await primary.start();
    standby = await primary.makeReplica();
    await standby.start();
    const hosts = [primary, standby].map(({ url }) => new URL(url).host);
    database = openPostgresql(`postgresql://postgres@${hosts}/postgres`);
    await migrate(database);
    playground = await TestPlayground.start(database, { rateLimit: 0 });
  });
  after(async () => {
    await standby?.remove();
    await primary?.remove();
    await playground?.close();
  });

  const tryToPresent = async (requestId: string = randomUUID()) => {
    const reference = { containerId: 'JARU0000010' };
    const { status } = await playground.present('container', 'carrier', reference, requestId);
    return status === 202 ? requestId : undefined;
  };
  const present = async () => (await tryToPresent()) ?? assert.fail('not presented');
  const read = async (query: string) => {
    const { body, status, text } = await playground.get(`${STATUS}?${query}`, 'carrier');
    assert.equal(status, 200, text);
    return (body as ValidationStatus[]).map(({ requestId }) => requestId);
  };

  test('pages are read again, and streams and reads that wait begin again', async () => {
    const kept = [await present(), await present()];
    const last = kept.at(-1);
    const flushed = async () => {
      const [row] = await database.query<{ at: string }>({
        name: '',
        text: 'select pg_current_wal_flush_lsn()::text as at',
        values: [],
      });
      return row?.at;
    };
    const at = await flushed();
    await until(() =>
      standby.run(`do $$ begin assert pg_last_wal_replay_lsn() >= '${at}'; end $$`).then(
        () => true,
        () => false,
      ),
    );
    await standby.stop();
    const lost = [await present(), await present()];
    const page = `marker=${last}&limit=1`;
    assert.deepEqual(await read(page), lost.slice(0, 1));
    // The first pages, without a marker, are cached too.
    assert.deepEqual(await read('limit=3'), [...kept, ...lost].slice(0, 3));
    const waiting = playground.get(`${STATUS}?marker=${lost[1]}`, 'carrier', { prefer: 'wait=50' });
    const stream = await fetch(`${playground.playground.baseUrl}${STATUS}?marker=${last}`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${await playground.token('carrier')}`,
      },
    });
    let streamed = '';
    const streaming = (async () => {
      for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        streamed += part;
      }
    })();
    const events = () => [...streamed.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
    await until(() => events().length === 2);

    await primary.stop('SIGQUIT');
    await standby.start();
    await standby.run('select pg_promote()');
    let first: string | undefined;
    await until(async () => {
      first = await tryToPresent();
      return first !== undefined;
    });
    const next = [first, await present()];
    assert.deepEqual(await read(page), next.slice(0, 1));
    assert.deepEqual(await read('limit=3'), [...kept, ...next].slice(0, 3));
    // The stream has ended, so the client comes again and gets an error instead of a gap.
    await streaming;
    assert.deepEqual(events(), lost);
    const { status, text } = await waiting;
    assert.equal(status, 400, text);
    assert.match(text, /UNKNOWN_MARKER/);
  });
});
