// Relations beside what happens at the same time: the same pair at two servers, an arrival, and a server that stops before it
// has presented what it has related.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MovementStatus } from '@landfall/contract';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { ReachedGoods } from '../presentation/present-reached.js';
import { DeclarationTurns } from '../registry/declaration-locks.js';
import { checkSignals } from '../testing/check-signals.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import {
  houseMessage,
  masterMessage,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { whyNoPostgresql } from '../testing/postgresql.js';
import { lodgeRelation } from './lodge-relation.js';
import type { MovementRequest } from './movement-request.js';

/** The carrier of the transports, and the identity that is it. */
const carrier = 'NO310000124';
const REPORTER = 'haulier';

const ROUNDS = 30;

/** By how much more one of two requests begins before the other in each round, in milliseconds. */
const HEAD_START_MS = 10;

describe('relations beside others', { skip: await whyNoPostgresql() }, () => {
  let database: Database;
  /** Another server on the same database, which presents nothing of what it has related. */
  let other: Database;
  let drop: () => Promise<void>;
  let playground: TestPlayground;
  let movements: TestMovements;
  let watch: FeedWatch;
  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    database = openPostgresql(created.url);
    other = openPostgresql(created.url);
    playground = await TestPlayground.start(database);
    movements = new TestMovements(playground);
    watch = new FeedWatch(other);
  });
  after(async () => {
    assert.deepEqual(await checkSignals(database), []);
    assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    await watch.close();
    await other.close();
    await playground.close();
    await drop();
  });

  let made = 0;
  const next = (text: string) => `${text}-${made++}`;
  const lodgeTransport = () =>
    movements.lodge('transport', transportMessage(next('R'), { carrier }), 'carrier');
  const lodgeHouse = () => movements.lodge('house-consignment', houseMessage(next('H')));

  /** Relates at the other server, and gives the requestId. */
  const relateThere = async (
    parent: readonly [type: string, mrn: string],
    child: readonly [type: string, mrn: string],
    as = 'forwarder',
  ) => {
    const { organisation } = playground.credentials(as);
    const owner = await organisationOf(database, organisation);
    const requestId = randomUUID();
    const request: MovementRequest<'relation'> = {
      mode: 'road',
      level: 'relation',
      requestId,
      owner,
      submitter: { id: owner, identifier: organisation },
      context: { actor: { organisationId: owner, organisation, client: 'test' }, requestId },
    };
    const turns = new DeclarationTurns(other);
    const context = { database: other, turns, watch, movedClock: undefined, country: 'NO' };
    const body = {
      parentObjectType: parent[0],
      parentObjectReference: parent[1],
      childObjectType: child[0],
      childObjectReference: child[1],
    };
    const recorded = await lodgeRelation(context, request, body);
    assert.equal(recorded, 'recorded');
    return requestId;
  };
  const statusOf = async (requestId: string, as = 'forwarder') => {
    const { body } = await playground.get(
      `/api/movement/road/status/v2/relation/validation-status/${requestId}`,
      as,
    );
    return body as MovementStatus;
  };
  /** How many organisations goods are presented for. */
  const connectionsOf = async (mrn: string) => {
    const [row] = await database.query<{ connections: number }>({
      name: '',
      text: `
        select count(*)::integer as connections
        from declaration d join house_consignment h on h.ens_id = d.id
        join signal_recipient c on c.house_consignment_id = h.id where d.mrn = $1`,
      values: [mrn],
    });
    return row?.connections;
  };

  test('of two servers that relate a pair at once, one has made the relation, and the other is told so', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const parent = ['TRANSPORT', await lodgeTransport()] as const;
      const child = ['HOUSE_CONSIGNMENT', await lodgeHouse()] as const;
      const [here, there] = await Promise.all([
        movements.tryRelate(parent, child, 'forwarder'),
        relateThere(parent, child).then((requestId) => statusOf(requestId)),
      ]);
      const [made, refused] = here.status === 'SUCCESS' ? [here, there] : [there, here];
      assert.deepEqual([made.status, refused.status], ['SUCCESS', 'FAILURE']);
      const [error] = refused.validationErrorList ?? [];
      assert.equal(error?.code, 'DUPLICATE');
      assert.ok(error.description.endsWith(`: ${made.mrn}`), error.description);
    }
  });

  test('what a server has related and not presented, because it stopped, another one presents', async () => {
    const lorry = ['TRANSPORT', await lodgeTransport()] as const;
    const document = next('M');
    const master = await movements.lodge(
      'master-consignment',
      masterMessage(document, { carrier }),
      'express',
    );
    const parcels = ['MASTER_CONSIGNMENT', master] as const;
    const under = await movements.lodge(
      'house-consignment',
      houseMessage(next('H'), { master: document, carrier }),
    );
    const [direct, below, apart] = [await lodgeHouse(), await lodgeHouse(), await lodgeHouse()];
    assert.equal((await movements.arrive(lorry[1], REPORTER)).status, 'SUCCESS');
    // Not within the minute by which searches overlap: they find the relations, and not the messages or the arrival once more.
    await database.transact(async (transaction) => {
      await transaction.query({
        name: '',
        text: `update movement set lodged_at = lodged_at - interval '1 h',
            arrival_recorded_at = arrival_recorded_at - interval '1 h'
          where declaration_id in (select id from declaration where mrn = any ($1))`,
        values: [[lorry[1], parcels[1], under, direct, below, apart]],
      });
      await transaction.query({
        name: '',
        text: `select append_audit_record(3, '{"action":"test","details":{}}')`,
        values: [],
      });
    });
    const reported: unknown[] = [];
    const reached = new ReachedGoods(
      {
        database,
        watch,
        expectedOnly: false,
        movedClock: undefined,
        notePresented: () => undefined,
      },
      (error) => reported.push(error),
    );
    // What was there before is looked through now, and later only what came since.
    await reached.catchUp();
    await relateThere(lorry, ['HOUSE_CONSIGNMENT', direct]);
    await relateThere(parcels, ['HOUSE_CONSIGNMENT', below]);
    const all = [direct, under, below, apart];
    assert.deepEqual(await Promise.all(all.map(connectionsOf)), [0, 0, 0, 0]);
    await relateThere(lorry, parcels);
    assert.deepEqual(await Promise.all(all.map(connectionsOf)), [0, 0, 0, 0]);
    await reached.catchUp();
    assert.deepEqual(await Promise.all(all.map(connectionsOf)), [2, 3, 3, 0]);
    await reached.close();
    assert.deepEqual(reported, []);
  });

  test('of a cancellation beside an arrival, one is first: what was presented by the relation keeps it', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const lorry = await lodgeTransport();
      const goods = await lodgeHouse();
      const mrn = await movements.relate(['TRANSPORT', lorry], ['HOUSE_CONSIGNMENT', goods]);
      // One in turn begins earlier, by more and more: so they meet everywhere, and each of them is first in the end.
      const [arrivesAfter, cancelledAfter] =
        round % 2 === 0 ? [0, HEAD_START_MS * round] : [HEAD_START_MS * round, 0];
      const [arrival, cancelled] = await Promise.all([
        delay(arrivesAfter).then(() => movements.arrive(lorry, REPORTER)),
        delay(cancelledAfter).then(() => movements.unrelate(mrn)),
      ]);
      assert.equal(arrival.status, 'SUCCESS');
      const codes = cancelled.validationErrorList?.map(({ code }) => code) ?? [];
      const isPresented = (await connectionsOf(goods)) !== 0;
      assert.deepEqual(codes, isPresented ? ['PRESENTED'] : [], `round ${round}`);
      seen.add(cancelled.status);
    }
    assert.equal(seen.size, 2, [...seen].join());
  });
});
