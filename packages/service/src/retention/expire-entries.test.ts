// Old statuses and signals leave their feeds at the beginning; readers continue, or get a clear error.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Problem, RoutingSignal, ValidationStatus } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { routingSignals } from '../routing/signal-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import type { ReceivedResponse } from '../testing/openapi-responses.js';
import { TestPlayground } from '../testing/playground-client.js';
import type { ExpiringKind } from './entry-queries.js';
import { expireFeed } from './expire-entries.js';

const STATUSES = '/api/movement/presentation/v1/validation-status';
const SIGNALS = '/api/movement/routing/v1/house-consignment';
const RECEPTACLE = 'GBASFZMLBKONAUN30001001019999';

/** The ids of a page, or the code of its error. */
function idsOf({ status, body }: ReceivedResponse): string[] | string | undefined {
  if (status !== 200) return (body as Problem).validationErrors?.[0]?.code;
  return (body as (RoutingSignal | ValidationStatus)[]).map((entry) =>
    'requestId' in entry ? entry.requestId : entry.routingResult.id,
  );
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`retention of statuses and signals on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let signals: string[];
    /** Of how many feeds the last removal kept what is not relayed. */
    let waiting = 0;
    const requests: string[] = Array.from({ length: 6 }, () => randomUUID());
    const read = async (path: string, query = '') =>
      idsOf(await playground.get(`${path}${query}`, 'carrier'));
    const presentReceptacle = (requestId: string) =>
      playground.present('receptacle', 'carrier', { receptacleId: RECEPTACLE }, requestId);
    const expire = async (feed: ExpiringKind, before: Date, relayedTo?: string) => {
      const context = { database, audit: new AuditTrail(), clock: () => new Date() };
      let removed = 0;
      waiting = 0;
      const relay = relayedTo && {
        to: [relayedTo],
        reportWaiting: (feeds: number) => {
          waiting += feeds;
        },
      };
      for await (const step of expireFeed(context, feed, before, relay || undefined)) {
        removed += step;
      }
      return removed;
    };
    const count = async (table: string) => {
      const [row] = await database.query<{ rows: number }>({
        name: '',
        text: `select count(*)::integer as rows from ${table}`,
        values: [],
      });
      return row?.rows;
    };
    /** Makes the first entries of a feed an hour older, as if they had been added then. */
    const age = async (table: string, upTo: number, member: string) => {
      await database.query({
        name: '',
        text: `update ${table} set entry = regexp_replace(entry, '("${member}":")[^"]*"', '\\1' || $1 || '"')
          where position <= $2`,
        values: [new Date(Date.now() - 3_600_000).toISOString(), upTo],
      });
    };
    const halfAnHourAgo = () => new Date(Date.now() - 1_800_000);
    const verify = () => verifyAudit(database, feedKinds);

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, {
        statusRetention: 1,
        signalRetention: 1,
      });
      const [first, ...others] = requests;
      await playground.present(
        'house-consignment',
        'carrier',
        { transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' } },
        first,
      );
      for (const requestId of others) await presentReceptacle(requestId);
      for (const reference of [
        { mrn: '23NO00000000000003' },
        { mrn: '23NO00000000000004' },
        { mrn: '23NO00000000000005' },
      ]) {
        await playground.present('entry-summary-declaration', 'carrier', reference);
      }
      requests.push(...((await read(STATUSES)) as string[]).slice(6));
      signals = (await read(SIGNALS)) as string[];
      assert.deepEqual([requests.length, signals.length], [9, 8]);
    });
    after(() => playground.close());

    test('what was added since a time stays', async () => {
      assert.equal(await expire(validationStatuses, halfAnHourAgo()), 0);
      assert.equal(await expire(routingSignals, halfAnHourAgo()), 0);
      assert.deepEqual(await read(STATUSES), requests);
    });

    test('older statuses leave, with their rows for declarations, and without a marker the rest is read', async () => {
      await read(STATUSES, '?limit=5');
      await age('validation_status', 4, 'notificationDate');
      assert.equal(await count('validation_status_ens'), 10);
      assert.equal(await expire(validationStatuses, halfAnHourAgo()), 4);
      assert.equal(await count('validation_status_ens'), 4);
      assert.deepEqual(await read(STATUSES), requests.slice(4));
      // A page that was read before is not served again.
      assert.deepEqual(await read(STATUSES, '?limit=5'), requests.slice(4));
      assert.deepEqual(await read(STATUSES, '?mrn=23NO00000000000001'), requests.slice(4, 6));
      assert.equal((await playground.get(`${STATUSES}/${requests[3]}`, 'carrier')).status, 404);
      assert.equal((await playground.get(`${STATUSES}/${requests[4]}`, 'carrier')).status, 200);
    });

    test('a requestId is refused while its status is kept, and new afterwards', async () => {
      const refused = await presentReceptacle(requests[4] ?? '');
      assert.equal((refused.body as Problem).validationErrors?.[0]?.code, 'REQUEST_ID_REUSED');
      assert.equal((await presentReceptacle(requests[1] ?? '')).status, 202);
      requests.push(requests[1] ?? '');
      assert.deepEqual(await read(STATUSES, `?marker=${requests[8]}`), [requests[1]]);
      assert.deepEqual(await read(STATUSES, `?marker=${requests[1]}`), []);
    });

    test('a marker of statuses is good while every entry after it is kept', async () => {
      assert.deepEqual(await read(STATUSES, `?marker=${requests[3]}`), requests.slice(4));
      assert.deepEqual(await read(STATUSES, `?marker=${requests[4]}`), requests.slice(5));
      assert.equal(await read(STATUSES, `?marker=${requests[2]}`), 'MARKER_EXPIRED');
      // It may have been removed: only ids that are kept are known.
      assert.equal(await read(STATUSES, `?marker=${randomUUID()}`), 'MARKER_EXPIRED');
      assert.equal(await read(STATUSES, '?marker=none'), 'FORMAT');
      // Another organisation has lost nothing.
      const other = await playground.get(`${STATUSES}?marker=${requests[2]}`, 'forwarder');
      assert.equal(idsOf(other), 'UNKNOWN_MARKER');
    });

    test('what the relay has not stored yet stays', async () => {
      await age('routing_signal', 3, 'documentIssueDate');
      const relay = (position: number) =>
        database.query({
          name: '',
          text: `insert into relay_position (stream, owner, position, sequence)
            select distinct 'SIGNALS', owner, $1::bigint, $1::bigint from routing_signal where position = 8
            on conflict (stream, owner) do update set position = excluded.position`,
          values: [position],
        });
      assert.equal(await expire(routingSignals, halfAnHourAgo(), 'SIGNALS'), 0);
      assert.equal(waiting, 2);
      await relay(1);
      // Both organisations that have the goods have their first signal there.
      assert.equal(await expire(routingSignals, halfAnHourAgo(), 'SIGNALS'), 2);
      assert.deepEqual(await read(SIGNALS), signals.slice(1));
    });

    test('an expired marker of signals differs from one that was never issued', async () => {
      await age('routing_signal', 3, 'documentIssueDate');
      assert.equal(await expire(routingSignals, halfAnHourAgo()), 4);
      assert.deepEqual(await read(SIGNALS), signals.slice(3));
      assert.deepEqual(await read(SIGNALS, `?marker=${signals[2]}`), signals.slice(3));
      assert.equal(await read(SIGNALS, `?marker=${signals[1]}`), 'MARKER_EXPIRED');
      const forged = signals[5]?.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
      assert.equal(await read(SIGNALS, `?marker=${forged}`), 'UNKNOWN_MARKER');
    });

    test('streams of events and readers that wait get the error too', async () => {
      const events = await playground.get(SIGNALS, 'carrier', {
        accept: 'text/event-stream',
        'last-event-id': signals[0] ?? '',
      });
      assert.equal(events.status, 400);
      assert.match(events.text, /start again from the oldest signal/);
      const waiting = await playground.get(`${STATUSES}?marker=${requests[2]}`, 'carrier', {
        prefer: 'wait=20',
      });
      assert.equal(idsOf(waiting), 'MARKER_EXPIRED');
    });

    test('the audit trail shows what was removed, and finds entries that are missing otherwise', async () => {
      assert.deepEqual((await verify()).breaks, []);
      const [record] = await database.query<{ entry: string }>({
        name: '',
        text: `select entry from audit_record where entry like '%"feed-entries.expired"%' and entry like '%"1/%'`,
        values: [],
      });
      assert.match(record?.entry ?? '', /"removed":\["1\/\d+\/1-4"\]/);
      await database.query({
        name: '',
        text: `create table kept as select * from routing_signal where position = 5`,
        values: [],
      });
      await database.query({
        name: '',
        text: 'delete from routing_signal where position = 5',
        values: [],
      });
      assert((await verify()).breaks.length > 0);
      // Whoever deletes them cannot make it look like retention.
      const move = (by: number) =>
        database.query({
          name: '',
          text: 'update feed_state set removed_position = removed_position + $1 where kind = 2',
          values: [by],
        });
      await move(2);
      assert.deepEqual(
        (await verify()).breaks
          .filter(({ code }) => code !== 'ROW_CHANGED')
          .map(({ code, problem }) => [code, /feed 2\/\d+ up to position 5/.test(problem)]),
        [
          ['REMOVAL_UNKNOWN', true],
          ['REMOVAL_UNKNOWN', true],
        ],
      );
      await move(-2);
      await database.query({
        name: '',
        text: 'insert into routing_signal select * from kept',
        values: [],
      });
    });

    test('the last entry of a feed always stays, and its feed continues after it', async () => {
      assert((await expire(validationStatuses, new Date(Date.now() + 60_000))) > 0);
      assert((await expire(routingSignals, new Date(Date.now() + 60_000))) > 0);
      assert.deepEqual(await read(STATUSES), requests.slice(-1));
      assert.deepEqual(await read(SIGNALS), signals.slice(-1));
      const next = randomUUID();
      await presentReceptacle(next);
      assert.deepEqual(await read(STATUSES, `?marker=${requests.at(-1)}`), [next]);
    });
  });
}
