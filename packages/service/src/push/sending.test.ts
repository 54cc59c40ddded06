// Who sends, when and to whom: with several servers, receivers that hang, and data and access that end.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { FeedAccess } from '../feed/feed.js';
import { FeedViews } from '../feed/feed-views.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { newId } from '../new-id.js';
import { routingSignals } from '../routing/signal-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { type Answer, confirm, TestReceiver } from '../testing/receiver.js';
import { appendSignals, readSignalIds } from '../testing/signal-writer.js';
import { until } from '../testing/until.js';
import { deliveryLimits, RunningDeliveries } from './choose-deliveries.js';
import { ReceiverConnections } from './post-to-receiver.js';
import { PushJob } from './push-job.js';
import { insertSubscription, updateSubscription } from './queries.js';
import type { FindRestriction } from './read-entries.js';
import { makeResolveName } from './resolve-receiver.js';
import { storeSteps } from './sending-queries.js';
import { makeKey } from './sign-delivery.js';

const unexpected = (error: unknown) => assert.ifError(error);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`sending on ${name}`, { skip }, () => {
    let database: Database;
    let receiver: TestReceiver;
    let servers: { watch: FeedWatch; job: PushJob }[] = [];
    let organisations = 0;
    let accesses: FeedAccess[] = [];
    before(async () => {
      database = await open();
    });
    after(() => database.close());
    afterEach(async () => {
      for (const { job, watch } of servers) {
        await job.close();
        watch.close();
      }
      servers = [];
      accesses = [];
      await receiver.close();
      await run('delete from push_subscription');
    });
    const run = <Row extends object>(text: string, ...values: unknown[]) =>
      database.query<Row>({ name: '', text, values });

    const serve = (findRestriction: FindRestriction = async () => undefined) => {
      const watch = new FeedWatch(database);
      const connections = new ReceiverConnections('any', makeResolveName());
      const job = new PushJob(
        {
          database,
          audit: new AuditTrail(),
          views: new FeedViews(database),
          watch,
          connections,
          sendDelivery: (_delivery, send) => send(),
          findRestriction,
          recordAccess: (access) => accesses.push(access),
          clock: () => new Date(),
          log: { info: () => undefined },
        },
        unexpected,
      );
      job.start();
      const server = { watch, job };
      servers.push(server);
      return server;
    };

    /** The number of a new organisation that may read signals. */
    const addOrganisation = async () => {
      const owner = await organisationOf(database, `push:${++organisations}`);
      await run(
        `insert into organisation_scope (organisation_id, scope) values ($1, 'movement/entry') on conflict do nothing`,
        owner,
      );
      return owner;
    };

    /** A subscription that is verified already. */
    const subscribe = async (organisationId: number, path: string, position = 0) => {
      const id = newId();
      const [, marker] =
        position === 0
          ? []
          : [0, (await readSignalIds(database, organisationId))[position - 1] ?? assert.fail()];
      await database.transact(async (transaction) => {
        await transaction.query(
          insertSubscription(
            {
              id,
              organisationId,
              clientId: 'client',
              kind: routingSignals.number,
              owner: organisationId,
              url: receiver.url(path),
              signature: 'v1',
              position,
              marker,
              key: makeKey(),
            },
            undefined,
          ),
        );
      });
      await run(
        `update push_progress set state = 'ACTIVE', is_verified = true where subscription_id = $1`,
        id,
      );
      return id;
    };
    const read = async (id: string) => {
      const [row] = await run<{
        state: string;
        reason: string | null;
        position: number;
        failures: number;
      }>(
        'select state, reason, position, failures from push_progress where subscription_id = $1',
        id,
      );
      return row ?? assert.fail('the subscription has ended');
    };
    const untilConfirmed = (id: string, position: number) =>
      until(async () => (await read(id)).position === position);
    const positionsAt = (path: string) =>
      receiver.entriesAt(path).map(({ position }) => Number(position));
    const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

    test('several servers share the work, and a subscription has one sender at a time', async () => {
      receiver = await TestReceiver.start();
      const open = new Map<string, number>();
      let overlaps = 0;
      receiver.answer = (received, response) => {
        const count = (open.get(received.path) ?? 0) + 1;
        open.set(received.path, count);
        if (count > 1) overlaps++;
        setTimeout(() => {
          open.set(received.path, (open.get(received.path) ?? 0) - 1);
          confirm(received, response);
        }, 5);
      };
      const [first, second] = [serve(), serve()];
      const organisation = await addOrganisation();
      const ids = await Promise.all(
        Array.from({ length: 10 }, (_, number) => subscribe(organisation, `/shared/${number}`)),
      );
      for (let round = 0; round < 20; round++) {
        const { watch } = round % 2 === 0 ? first : second;
        await appendSignals(database, organisation, 15, watch);
      }
      for (const id of ids) await untilConfirmed(id, 300);
      assert.equal(overlaps, 0);
      for (const [number] of ids.entries()) {
        assert.deepEqual(positionsAt(`/shared/${number}`), upTo(300));
      }
    });

    test('what a server has begun, another one repeats as it was when the lease has ended', async () => {
      receiver = await TestReceiver.start();
      const organisation = await addOrganisation();
      await appendSignals(database, organisation, 30);
      const id = await subscribe(organisation, '/begun');
      await run(
        `update push_progress set sent_to = 7, sent_at = '2026-01-01', sender = $2, leased_until = now() + interval '4 s'
         where subscription_id = $1`,
        id,
        randomUUID(),
      );
      serve();
      await new Promise((resolve) => setTimeout(resolve, 2500));
      assert.equal(receiver.received.length, 0);
      await untilConfirmed(id, 30);
      const [first, second] = receiver.deliveriesTo('/begun');
      assert.equal(first?.body.timestamp, '2026-01-01T00:00:00.000Z');
      assert.equal(first?.body.data?.length, 7);
      assert.notEqual(second?.id, first?.id);
      assert.deepEqual(positionsAt('/begun'), upTo(30));
    });

    test('receivers that hang delay no other, of another organisation or of their own', async () => {
      receiver = await TestReceiver.start();
      let hanging = 0;
      receiver.answer = (received, response) => {
        if (received.path.startsWith('/hangs')) hanging++;
        else confirm(received, response);
      };
      const { watch } = serve();
      const [hung, other] = [await addOrganisation(), await addOrganisation()];
      // Proven before, so that they take as much as they can.
      const proven = await subscribe(hung, '/same');
      const others = await subscribe(other, '/other');
      for (const organisation of [hung, other])
        await appendSignals(database, organisation, 1, watch);
      await untilConfirmed(proven, 1);
      await untilConfirmed(others, 1);
      for (let number = 0; number < 100; number++) await subscribe(hung, `/hangs/${number}`);
      await until(() => hanging >= deliveryLimits.unproven.organisation);
      const delays: number[] = [];
      for (let round = 2; round < 12; round++) {
        const began = performance.now();
        await appendSignals(database, other, 1, watch);
        await appendSignals(database, hung, 1, watch);
        await until(
          () => positionsAt('/other').includes(round) && positionsAt('/same').includes(round),
        );
        delays.push(performance.now() - began);
      }
      assert.ok(Math.max(...delays) < 2000, delays.join());
      assert.ok(hanging <= 2 * deliveryLimits.unproven.organisation, `${hanging}`);
    });

    test('a subscription is suspended when its access has ended, and nothing is sent', async () => {
      receiver = await TestReceiver.start();
      const { watch } = serve();
      const ends = [
        ['update organisation set blocked = true where id = $1', 'blocked'],
        ['delete from organisation_scope where organisation_id = $1', 'revoked'],
        [`insert into removed_client values ($1, 'client')`, 'removed'],
        [
          `insert into client (organisation_id, client_id, blocked) values ($1, 'CLIENT', true)`,
          'client',
        ],
      ] as const;
      for (const [end, path] of ends) {
        const organisation = await addOrganisation();
        const id = await subscribe(organisation, `/${path}`);
        await appendSignals(database, organisation, 1, watch);
        await untilConfirmed(id, 1);
        await run(end, organisation);
        await appendSignals(database, organisation, 1, watch);
        await until(async () => (await read(id)).state === 'SUSPENDED');
        assert.equal((await read(id)).reason, 'ACCESS_ENDED');
        assert.deepEqual(positionsAt(`/${path}`), [1], path);
        await run(`delete from client where client_id = 'CLIENT'`);
        await run(`delete from removed_client where client_id = 'client'`);
      }
    });

    test('access that ends while much is sent ends sending with the next delivery', async () => {
      receiver = await TestReceiver.start();
      const organisation = await addOrganisation();
      await appendSignals(database, organisation, 1000);
      receiver.answer = async (received, response) => {
        if (receiver.received.length === 2) {
          await run('update organisation set blocked = true where id = $1', organisation);
        }
        confirm(received, response);
      };
      const id = await subscribe(organisation, '/busy');
      serve();
      await until(async () => (await read(id)).state === 'SUSPENDED');
      assert.deepEqual(positionsAt('/busy'), upTo(200));
      assert.equal((await read(id)).position, 200);
    });

    test('entries that are missing suspend a subscription, and are never passed over', async () => {
      receiver = await TestReceiver.start();
      const organisation = await addOrganisation();
      await appendSignals(database, organisation, 20);
      // Retention has removed what was not delivered yet.
      const begun = await subscribe(organisation, '/late', 3);
      const unread = await subscribe(organisation, '/unread');
      const current = await subscribe(organisation, '/current', 10);
      const other = await subscribe(organisation, '/other', 12);
      const ids = await readSignalIds(database, organisation);
      await run('delete from routing_signal where owner = $1 and position <= 10', organisation);
      await run(
        'update feed_state set removed_position = 10, removed_id = $2 where kind = 2 and owner = $1',
        organisation,
        ids[9],
      );
      // The data are others than before.
      await run(
        'update push_progress set marker = $2 where subscription_id = $1',
        other,
        randomUUID(),
      );
      serve();
      await untilConfirmed(current, 20);
      for (const [id, reason] of [
        [begun, 'MARKER_EXPIRED'],
        [unread, 'MARKER_EXPIRED'],
      ] as const) {
        await until(async () => (await read(id)).state === 'SUSPENDED');
        assert.equal((await read(id)).reason, reason);
      }
      await until(async () => (await read(other)).state === 'SUSPENDED');
      assert.equal((await read(other)).reason, 'UNKNOWN_MARKER');
      assert.deepEqual(
        receiver.received.filter(({ path }) => path !== '/current'),
        [],
      );
    });

    test('a subscription whose entries were all removed before the first delivery is suspended', async () => {
      receiver = await TestReceiver.start();
      const organisation = await addOrganisation();
      const id = await subscribe(organisation, '/never');
      await appendSignals(database, organisation, 5);
      await run('delete from routing_signal where owner = $1', organisation);
      await run(
        'update feed_state set removed_position = 5 where kind = 2 and owner = $1',
        organisation,
      );
      serve();
      await until(async () => (await read(id)).state === 'SUSPENDED');
      assert.equal((await read(id)).reason, 'MARKER_EXPIRED');
    });

    test('a subscriber that may see some entries gets those, and the rest when it may see all', async () => {
      receiver = await TestReceiver.start();
      const organisation = await addOrganisation();
      const id = await subscribe(organisation, '/some');
      const reader = new FeedViews(database);
      let isRestricted = true;
      // Every third entry is for it, and the last ones are not.
      const findRestriction: FindRestriction = async (feed) =>
        isRestricted
          ? {
              id: 'some',
              readPage: async (after, limit, framing, upTo) => {
                const whole = await (await reader.take(feed)).readPage(after, 100, framing);
                const entries = (JSON.parse(whole.body) as { position: number }[])
                  .filter(({ position }) => position % 3 === 1 && position <= (upTo ?? 1e9))
                  .slice(0, limit);
                const markers = await readSignalIds(database, organisation);
                const last = entries.at(-1);
                return {
                  entries: entries.length,
                  more: false,
                  position: whole.position,
                  marker: last && markers[Number(last.position) - 1],
                  body: JSON.stringify(entries),
                };
              },
            }
          : undefined;
      const { watch } = serve(findRestriction);
      await appendSignals(database, organisation, 6);
      watch.wake(routingSignals, [organisation]);
      await untilConfirmed(id, 6);
      assert.deepEqual(positionsAt('/some'), [1, 4]);
      isRestricted = false;
      await appendSignals(database, organisation, 2);
      watch.wake(routingSignals, [organisation]);
      await untilConfirmed(id, 8);
      assert.equal((await read(id)).state, 'ACTIVE');
      assert.deepEqual(positionsAt('/some'), [1, 4, 5, 6, 7, 8]);
    });

    // The embedded database runs one transaction at a time.
    if (name !== 'embedded') {
      test('an address that changes while the last one is verified is not verified by it', async () => {
        receiver = await TestReceiver.start();
        const organisation = await addOrganisation();
        const id = await subscribe(organisation, '/first');
        const sender = randomUUID();
        await run(
          `update push_progress set state = 'VERIFYING', is_verified = false, sender = $2 where subscription_id = $1`,
          id,
          sender,
        );
        const step = {
          ...{ id, address: 1, attempt: undefined, confirmed: undefined, isVerified: true },
          ...{ waitS: undefined, beginTo: undefined },
        };
        const changed = {
          ...{ clientId: 'client', url: receiver.url('/second') },
          ...{ state: 'VERIFYING' as const, isVerified: false },
        };
        let storing: Promise<unknown> = Promise.resolve();
        await database.transact(async (transaction) => {
          await transaction.query(updateSubscription(id, changed, undefined));
          storing = database.query(
            storeSteps(sender, [step], new Map([[2, ['movement/entry']]]), 1),
          );
          await new Promise((resolve) => setTimeout(resolve, 300));
        });
        await storing;
        assert.equal((await read(id)).state, 'VERIFYING');
        const [row] = await run<{ is_verified: boolean }>(
          'select is_verified from push_progress where subscription_id = $1',
          id,
        );
        assert.equal(row?.is_verified, false);
      });
    }

    test('what may have arrived is recorded as read whatever was answered, and what was not sent is not', async () => {
      receiver = await TestReceiver.start();
      const closed = await TestReceiver.start();
      const nobody = closed.url('/nobody');
      await closed.close();
      serve();
      const answers: Record<string, Answer> = {
        '/confirmed': confirm,
        '/refused': (_, response) => response.writeHead(500).end(),
        '/cut': (_, response) => response.socket?.destroy(),
      };
      receiver.answer = (received, response) => answers[received.path]?.(received, response);
      const others = [nobody, receiver.url('/no-tls').replace('http:', 'https:')];
      const read: Record<string, number[][]> = {};
      for (const url of [...Object.keys(answers).map((path) => receiver.url(path)), ...others]) {
        const owner = await addOrganisation();
        await appendSignals(database, owner, 3);
        const id = await subscribe(owner, '/');
        await run('update push_subscription set url = $2 where id = $1', id, url);
        await until(async () => {
          const [row] = await run<{ attempts: number }>(
            'select attempts from push_progress where subscription_id = $1',
            id,
          );
          return Number(row?.attempts) > 0;
        });
        const own = accesses.filter(({ feed }) => feed.owner === owner);
        read[new URL(url).pathname] = own.map(({ first, last }) => [first, last]);
      }
      const all = [[1, 3]];
      assert.deepEqual(read, {
        '/confirmed': all,
        '/refused': all,
        '/cut': all,
        '/nobody': [],
        '/no-tls': [],
      });
    });

    test('failures are tried again, later as the receiver asks, and end after three days', async () => {
      receiver = await TestReceiver.start();
      receiver.answer = (received, response) =>
        received.path === '/slow'
          ? response.writeHead(503, { 'retry-after': '600' }).end()
          : response.writeHead(500).end();
      const organisation = await addOrganisation();
      const slow = await subscribe(organisation, '/slow');
      const old = await subscribe(organisation, '/old');
      await run(
        `update push_progress set failing_since = now() - interval '3 days 1 s', failures = 70 where subscription_id = $1`,
        old,
      );
      const { watch } = serve();
      await appendSignals(database, organisation, 1, watch);
      await until(async () => (await read(slow)).failures === 1);
      const [wait] = await run<{ seconds: number }>(
        'select extract(epoch from next_attempt_at - now())::integer as seconds from push_progress where subscription_id = $1',
        slow,
      );
      assert.ok(
        wait !== undefined && wait.seconds > 550 && wait.seconds <= 600,
        `${wait?.seconds}`,
      );
      await until(async () => (await read(old)).state === 'SUSPENDED');
      assert.equal((await read(old)).reason, 'NOT_CONFIRMED');
      const records = await run<{ entry: string }>(
        `select entry from audit_record where entry like '%subscription.suspend%'`,
      );
      assert.ok(records.some(({ entry }) => entry.includes(old)));
    });
  });
}

test('of an organisation and to a host, a part of what a server sends is sent', () => {
  const running = new RunningDeliveries();
  const fill = (
    make: (number: number) => { organisationId: number; host: string },
    isUnproven: boolean,
  ) => {
    let count = 0;
    for (let number = 0; number < 1000; number++) {
      const delivery = { id: randomUUID(), isUnproven, ...make(number) };
      if (!running.hasRoomFor(delivery)) continue;
      running.add(delivery);
      count++;
    }
    return count;
  };
  const ofOne = (number: number) => ({ organisationId: 1, host: `${number}` });
  const toOne = (number: number) => ({ organisationId: 100 + number, host: 'one' });
  const ofMany = (number: number) => ({ organisationId: 5000 + number, host: `h${number}` });
  const { all, unproven } = deliveryLimits;
  assert.equal(fill(ofOne, true), unproven.organisation);
  assert.equal(fill(ofOne, false), all.organisation - unproven.organisation);
  assert.equal(fill(toOne, true), unproven.host);
  assert.equal(fill(toOne, false), all.host - unproven.host);
  const unprovenLeft = unproven.all - unproven.organisation - unproven.host;
  assert.equal(fill(ofMany, true), unprovenLeft);
  assert.equal(fill(ofMany, false), all.all - all.organisation - all.host - unprovenLeft);
  assert.equal(running.size, all.all);
});
