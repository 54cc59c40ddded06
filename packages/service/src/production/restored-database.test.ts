// A database that is restored to a second ago, by PostgreSQL's own recovery: what readers, clients, publishers and the audit
// trail say of what was lost.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type GoodsItemMessage,
  operations,
  type Problem,
  type RoutingSignal,
  type ValidationStatus,
} from '@landfall/contract';
import type { NamedEnd } from '../audit/read-record.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import { feedKinds } from '../feed-kinds.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { TestPlayground } from '../testing/playground-client.js';
import { until } from '../testing/until.js';
import { declareRestored } from './begin-timeline.js';

const STATUS = operations.listValidationStatuses.path;
const SIGNALS = operations.readRoutingSignals.path;
const ITEMS = operations.listGoodsItems.path;

const holds = (server: OwnPostgresql, condition: string) =>
  server.run(`do $$ begin assert ${condition}; end $$`).then(
    () => true,
    () => false,
  );

describe('a database that was restored to an earlier second', {
  skip: whyNoOwnPostgresql(),
}, () => {
  let archive: string;
  let original: OwnPostgresql;
  let restored: OwnPostgresql;
  let database: Database;
  let playground: TestPlayground;
  /** What was acknowledged before the second, and after it. */
  const kept: string[] = [];
  const lost: string[] = [];
  const keptItem = makeMessage();
  const lostItem = makeMessage();
  let lostSignal: string;
  let signalsKept: number;
  let timeline: string;
  let ends: NamedEnd[];

  const present = async (container: string, requestId: string = randomUUID()) => {
    const reference = { containerId: container };
    const { status, text } = await playground.present(
      'container',
      'forwarder',
      reference,
      requestId,
    );
    assert.equal(status, 202, text);
    return requestId;
  };
  const publish = (message: GoodsItemMessage) => playground.post(ITEMS, 'authority', message);
  const read = async (path: string, query = '', as = 'forwarder') => {
    const response = await playground.get(`${path}?${query}`, as);
    return { ...response, timeline: response.headers.get('landfall-timeline') ?? '' };
  };
  const idsOf = async (query: string) => {
    const { status, text, body } = await read(STATUS, query);
    assert.equal(status, 200, text);
    return (body as ValidationStatus[]).map(({ requestId }) => requestId);
  };
  const refused = async (path: string, query: string, as?: string) => {
    const { status, text, body } = await read(path, query, as);
    assert.equal(status, 400, text);
    const [error] = (body as Problem).validationErrors ?? [];
    assert.equal(error?.code, 'UNKNOWN_MARKER');
    return error?.error ?? '';
  };
  const readSignals = async () => (await read(SIGNALS)).body as RoutingSignal[];

  before(async () => {
    archive = await mkdtemp(join(tmpdir(), 'landfall-archive-'));
    await chmod(archive, 0o777);
    original = await makeOwnPostgresql();
    await original.start({ archive_mode: 'on', archive_command: `cp "%p" "${archive}/%f"` });
    database = openPostgresql(original.url);
    await migrate(database);
    restored = await original.makeReplica();
    playground = await TestPlayground.start(database, { rateLimit: 0 });
    kept.push(await present('JARU0000010'), await present('JARU0000010'));
    assert.equal((await publish(keptItem)).status, 202);
    signalsKept = (await readSignals()).length;
    const [row] = await database.query<{ time: string }>({
      name: '',
      text: 'select clock_timestamp()::text as time',
      values: [],
    });
    lost.push(await present('JARU0000026'), await present('JARU0000026'));
    assert.equal((await publish(lostItem)).status, 202);
    lostSignal = (await readSignals()).at(-1)?.routingResult.id ?? '';
    ({ timeline } = await read(STATUS));
    ends = (await verifyAudit(database, feedKinds)).ends;
    const [switched] = await database.query<{ wal: string }>({
      name: '',
      text: 'select pg_walfile_name(pg_switch_wal()) as wal',
      values: [],
    });
    const isArchived = `(select last_archived_wal >= '${switched?.wal}' from pg_stat_archiver)`;
    await until(() => holds(original, isArchived));
    await playground.close();
    await original.stop('SIGQUIT');

    await restored.recoverTo(row?.time ?? '', archive);
    await restored.start();
    await until(() => holds(restored, 'not pg_is_in_recovery()'));
    database = openPostgresql(restored.url);
    await declareRestored({ databaseUrl: restored.url });
    playground = await TestPlayground.start(database, { rateLimit: 0 });
  });
  after(async () => {
    await playground?.close();
    await restored?.remove();
    await original?.remove();
    await rm(archive, { recursive: true, force: true });
  });

  test('has what was acknowledged before it, and nothing else', async () => {
    assert.deepEqual((await idsOf('')).slice(-2), kept);
    assert.equal((await readSignals()).length, signalsKept);
    assert.equal((await playground.get(`${STATUS}/${lost[0]}`, 'forwarder')).status, 404);
  });

  test('refuses markers of what was lost, and names the one to continue after', async () => {
    const error = await refused(STATUS, `marker=${lost[1]}`);
    assert.match(error, /the database was restored at 2\d{3}-/);
    assert.match(error, new RegExp(`Continue after ${kept[1]}`));
    await refused(SIGNALS, `marker=${lostSignal}`);
    const { eventId } = lostItem.metadata;
    assert.match(
      await refused(ITEMS, `marker=${eventId}`, 'statistics'),
      new RegExp(`Continue after ${keptItem.metadata.eventId}`),
    );
    assert.deepEqual(await idsOf(`marker=${kept[1]}`), []);
    assert.deepEqual(await idsOf(`marker=${kept[1]}&timeline=${timeline}`), []);
  });

  test('takes no marker of before for another entry at its position, or with its id', async () => {
    // Somebody else is first, and then the client sends again what was lost.
    const other = await present('JARU0000010');
    assert.equal(await present('JARU0000026', lost[1]), lost[1]);
    await refused(SIGNALS, `marker=${lostSignal}`);
    const after = `timeline=${timeline}&marker=${lost[1]}`;
    assert.match(await refused(STATUS, after), new RegExp(`Continue after ${kept[1]}`));
    const stream = await playground.get(`${STATUS}?${after}`, 'forwarder', {
      accept: 'text/event-stream',
    });
    assert.equal(stream.status, 400, stream.text);
    const since = await read(STATUS, `timeline=${timeline}&marker=${kept[1]}&limit=1`);
    assert.deepEqual(
      (since.body as ValidationStatus[]).map(({ requestId }) => requestId),
      [other],
    );
    assert.notEqual(since.timeline, timeline);
    // The link goes on in the timeline of its marker.
    const next = /<[^?]*\?([^>]*)>/.exec(since.headers.get('link') ?? '')?.[1] ?? '';
    assert.match(next, new RegExp(`timeline=${since.timeline}`));
    assert.deepEqual(await idsOf(next), [lost[1]]);
    assert.deepEqual(await idsOf(`timeline=${since.timeline}&marker=${lost[1]}`), []);
  });

  test('refuses a timeline that it never had', async () => {
    const query = `timeline=${randomUUID()}&marker=${kept[1]}`;
    assert.match(await refused(STATUS, query), /read again from the start/);
  });

  test('has an audit trail that is intact, and of which an earlier list of ends says what is missing', async () => {
    assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    const { breaks } = await verifyAudit(database, feedKinds, { expected: ends });
    assert.notEqual(breaks.length, 0);
    for (const { code, problem } of breaks) {
      assert.equal(code, 'RECORD_MISSING');
      assert.match(
        problem,
        /^(this record is|\d+ records up to position \d+ are) lost: the database was restored/,
      );
    }
  });
});
