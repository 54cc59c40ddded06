// Reading from standbys: no response shows that there are any, whatever happens to them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { operations } from '@landfall/contract';
import pg from 'pg';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import { messageOf } from '../native-error.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { expireFeed } from '../retention/expire-entries.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import type { ReceivedResponse } from '../testing/openapi-responses.js';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { TestPlayground } from '../testing/playground-client.js';
import { readEvents } from '../testing/read-events.js';

const STATUS = operations.listValidationStatuses.path;
const HOUSES = operations.listHouseConsignments.path;
const CURRENT_ITEMS = operations.listCurrentGoodsItems.path;

describe('a primary and a standby that is read from', { skip: whyNoOwnPostgresql() }, () => {
  let primary: OwnPostgresql;
  let standby: OwnPostgresql;
  let database: Database;
  let playground: TestPlayground;
  const failures: string[] = [];
  before(async () => {
    primary = await makeOwnPostgresql();
    await primary.start();
    standby = await primary.makeReplica();
    await standby.start();
    const address = `postgresql://postgres@${[primary, standby].map(({ url }) => new URL(url).host)}/postgres`;
    // Each is named in both settings, so that they can change roles.
    database = openPostgresql(address, { standbys: address });
    await migrate(database);
    playground = await TestPlayground.start(database, { rateLimit: 0 });
    database.standbys?.onFailure((error) => failures.push(messageOf(error)));
  });
  after(async () => {
    try {
      // First, while there is a primary: closing waits 10 s for one.
      await playground?.close();
    } finally {
      await standby?.remove();
      await primary?.remove();
    }
  });

  const measure = async (name: string, server?: OwnPostgresql): Promise<number> => {
    const found = database.measures.find((one) => one.name === `landfall_standby_${name}`);
    assert(found && 'read' in found);
    const value = await found.read();
    if (typeof value !== 'object') return value ?? 0;
    const host = server && new URL(server.url).host;
    const of = value.find(({ labels }) => host === undefined || labels.standby === host);
    return of?.value ?? 0;
  };
  const readsTaken = (server = standby) => measure('reads_total', server);
  const isUsable = async (server = standby) => (await measure('usable', server)) === 1;
  const untilUsable = (server?: OwnPostgresql) => until(() => isUsable(server));

  const present = async (requestId: string = randomUUID()) => {
    const { status, text } = await playground.present(
      'container',
      'carrier',
      { containerId: 'JARU0000010' },
      requestId,
    );
    assert.equal(status, 202, text);
    return requestId;
  };

  const read = async (path: string, as = 'carrier', headers: Record<string, string> = {}) => {
    const response = await playground.get(path, as, headers);
    assert.equal(response.status, 200, response.text);
    return response;
  };

  /** The requestIds of a page of statuses. */
  const page = async (query = '', headers: Record<string, string> = {}): Promise<string[]> => {
    const { body } = await read(`${STATUS}?${query}`, 'carrier', headers);
    assert(Array.isArray(body));
    return body.map(({ requestId }) => requestId);
  };

  /** Publishes a goods item; gives the id of its event. */
  const publish = async () => {
    const message = makeMessage();
    const { path } = operations.publishGoodsItems;
    const { status, text } = await playground.post(path, 'authority', message);
    assert.equal(status, 202, text);
    return message.metadata.eventId;
  };

  /** A house consignment that was presented and decided. */
  const houseConsignment = async () => {
    const { body } = await read(`${HOUSES}?state=SIGNALLED&limit=1`, 'authority');
    assert(Array.isArray(body) && body[0]);
    return body[0];
  };

  /** Whatever happens to the standby, the last of these requests can be seen by whoever made it. */
  const assertVisible = async (requestIds: readonly string[]) => {
    const last = requestIds.at(-1);
    await read(`${STATUS}/${last}`);
    assert.deepEqual((await page(`limit=1000`)).slice(-requestIds.length), requestIds);
    assert.deepEqual(await page(`marker=${last}`), []);
  };

  test('pages, statuses, findings, histories and current items come from the standby, and are those of the primary', async () => {
    const requestIds = [await present(), await present(), await present()];
    await publish();
    const { id } = await houseConsignment();
    const paths = [
      [`${STATUS}?marker=${requestIds[0]}`, 'carrier'],
      [`${STATUS}/${requestIds[2]}`, 'carrier'],
      [operations.readRoutingSignals.path, 'carrier'],
      [operations.listGoodsItems.path, 'statistics'],
      [CURRENT_ITEMS, 'statistics'],
      [`${HOUSES}?state=SIGNALLED`, 'authority'],
      [`${operations.searchHouseConsignments.path}?identifier=JARU`, 'authority'],
      [`${HOUSES}/${id}`, 'authority'],
      [`${HOUSES}/${id}/history`, 'authority'],
    ] as const;
    await untilUsable();
    const fromStandby = new Map<string, unknown>();
    for (const [path, as] of paths) {
      const before = await readsTaken();
      await until(async () => {
        fromStandby.set(path, withoutReads(await read(path, as)));
        return (await readsTaken()) > before;
      });
    }
    await standby.stop();
    const before = await readsTaken();
    for (const [path, as] of paths)
      assert.deepEqual(withoutReads(await read(path, as)), fromStandby.get(path));
    assert.equal(await readsTaken(), before);
    assert.equal(await readsTaken(primary), 0);
    await standby.start();
    await untilUsable();
  });

  test('a standby that is behind gives full pages, and the primary what it lacks: own requests, and what readers were woken for', async () => {
    const [first = '', second] = await page('limit=2');
    const house = await houseConsignment();
    await untilUsable();
    await standby.run('select pg_wal_replay_pause()');
    await until(async () => {
      const [row] = await rows(standby, 'select pg_get_wal_replay_pause_state() as state');
      return row?.state === 'paused';
    });
    const requestIds = [await present()];
    await assertVisible(requestIds);
    const following = readEvents(playground, `${STATUS}?marker=${requestIds[0]}`, 'carrier', 1);
    const waiting = page(`marker=${requestIds[0]}`, { prefer: 'wait=60' });
    requestIds.push(await present());
    // It was woken before the standby has anything.
    assert.deepEqual(await waiting, requestIds.slice(1));
    const [event] = await following;
    assert.equal(event?.id, requestIds[1]);
    await assertVisible(requestIds);

    const marker = await publish();
    const items = await read(CURRENT_ITEMS, 'statistics');
    assert.equal(items.headers.get('landfall-marker'), marker);
    const { entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel } = house;
    const decided = await playground.post(operations.postRoutingDecisions.path, 'authority', [
      { mrn, transportDocumentHouseLevel, routing: 'TO_ENTRY', reason: 'a tip' },
    ]);
    assert.match(decided.text, /"status":"DECIDED"/);
    const history = await read(`${HOUSES}/${house.id}/history`, 'authority');
    assert.match(history.text, /"reason": ?"a tip"/);

    failures.length = 0;
    const wasUsable = await isUsable();
    const takenBefore = await readsTaken();
    assert.deepEqual(await page(`marker=${first}&limit=1`), [second]);
    const taken = (await readsTaken()) - takenBefore;
    // Unless this machine was so slow that the standby is too far behind already.
    const isUndisturbed = wasUsable && (await isUsable()) && failures.length === 0;
    if (isUndisturbed) assert.equal(taken, 2);

    await until(async () => !(await isUsable()) && failures.some((one) => /behind/.test(one)));
    assert.ok((await measure('lag_seconds', standby)) > 5);
    requestIds.push(await present());
    await assertVisible(requestIds);

    await standby.run('select pg_wal_replay_resume()');
    await untilUsable();
    const reads = await readsTaken();
    await until(async () => {
      await assertVisible(requestIds);
      return (await readsTaken()) > reads;
    });
  });

  test('what the primary has not acknowledged is not given, though the standby has it', async () => {
    const acknowledged = [await present()];
    const marker = await publish();
    await read(CURRENT_ITEMS, 'statistics');
    await untilUsable();
    const setSynchronous = (names: string) =>
      primary.run(
        `alter system set synchronous_standby_names = '${names}'`,
        'select pg_reload_conf()',
      );
    await setSynchronous('missing');
    const commits: Promise<void>[] = [];
    await until(async () => {
      commits.push(primary.run(`select pg_logical_emit_message(true, 'test', '')`));
      const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
      return (await rows(primary, waiting)).length > 0;
    });
    const requestId = randomUUID();
    const published = publish();
    const presented = present(requestId);
    try {
      await until(async () => {
        const [row] = await rows(
          standby,
          `select (select count(*) from validation_status where id = '${requestId}')
             + (select count(*) from goods_item_event where position > (
               select position from goods_item_event where id = '${marker}')) as entries`,
        );
        return row?.entries === '2';
      });
      const items = await read(CURRENT_ITEMS, 'statistics');
      assert.equal(items.headers.get('landfall-marker'), marker);
      assert.deepEqual((await page('limit=1000')).slice(-1), acknowledged);
      assert.equal((await playground.get(`${STATUS}/${requestId}`, 'carrier')).status, 404);
    } finally {
      await setSynchronous('');
    }
    acknowledged.push(await presented);
    await Promise.all([published, ...commits]);
    await assertVisible(acknowledged);
  });

  test('a standby that stops responding is given up in seconds, and used again when it responds', async () => {
    const requestIds = [await present()];
    await untilUsable();
    const processes = await rows(
      standby,
      `select pid from pg_stat_activity where application_name = 'landfall' and pid <> pg_backend_pid()
       union all select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer`,
    );
    failures.length = 0;
    for (const { pid } of processes) process.kill(pid, 'SIGSTOP');
    try {
      requestIds.push(await present());
      await until(async () => {
        await assertVisible(requestIds);
        return !(await isUsable());
      });
      await assertVisible(requestIds);
    } finally {
      for (const { pid } of processes) process.kill(pid, 'SIGCONT');
    }
    assert.ok(failures.some((one) => one.startsWith(new URL(standby.url).host)));
    await untilUsable();
    await assertVisible(requestIds);
  });

  test('a marker that the standby does not have yet is good, also after older entries were removed', async () => {
    await untilUsable();
    const context = { database, audit: new AuditTrail(), clock: () => new Date() };
    const later = new Date(Date.now() + 60_000);
    for await (const _ of expireFeed(context, validationStatuses, later));
    await until(
      async () =>
        (await rows(standby, 'select from feed_state where removed_position > 0')).length > 0,
    );
    // Not before the standby has the removal: it would be an entry that is gone a moment later.
    const [kept] = await page();
    await standby.run('select pg_wal_replay_pause()');
    try {
      const requestId = await present();
      assert.deepEqual(await page(), [kept, requestId]);
      assert.deepEqual(await page(`marker=${requestId}`), []);
      const unknown = await playground.get(`${STATUS}?marker=${randomUUID()}`, 'carrier');
      assert.match(unknown.text, /MARKER_EXPIRED/);
    } finally {
      await standby.run('select pg_wal_replay_resume()');
    }
  });

  test('after a failover, a server that has more than the new primary is not read from', async () => {
    await untilUsable();
    await standby.stop();
    const lost = await present();
    const position = (await page('limit=1000')).length;
    await primary.stop('SIGQUIT');
    await standby.start();
    await standby.run('select pg_promote()');
    await until(async () => (await playground.call('/readyz')).status === 200);
    const next = await present();

    // The old primary returns as a standby of nothing: it has an entry that the feed no longer has.
    await primary.makeStandby();
    await primary.start();
    failures.length = 0;
    await until(async () => {
      assert.deepEqual((await page(`limit=${position}`)).at(-1), next);
      return failures.some((one) => /is not a standby of this primary/.test(one));
    });
    assert.equal(await isUsable(primary), false);
    assert.equal((await playground.get(`${STATUS}/${lost}`, 'carrier')).status, 404);
  });
});

/** The body without the feed accesses of a history: they are recorded some time after a read. */
function withoutReads({ body }: ReceivedResponse): unknown {
  return Array.isArray(body) ? body.filter(({ event }) => event !== 'READ') : body;
}

/** Runs a query on a server; gives its rows. */
async function rows(server: OwnPostgresql, query: string) {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a condition is fulfilled; fails after 60 s. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'the condition was not fulfilled within 60 s');
    await delay(20);
  }
}
