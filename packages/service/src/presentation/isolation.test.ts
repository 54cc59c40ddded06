// Isolation of organisations: while one organisation is locked for long, requests of others are not delayed.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { OverloadedError } from '../database/errors.js';
import { FEED_LOCK } from '../database/locks.js';
import { openPostgresql } from '../database/postgresql.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { register } from '../registry/register.js';
import { DecisionCommits } from '../routing/commit-decisions.js';
import { postRoutingDecisions } from '../routing/post-routing-decisions.js';
import { readDecision } from '../routing/read-decision.js';
import { checkSignals } from '../testing/check-signals.js';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { makePresentConsignment, type PresentConsignment } from './present-consignment.js';

/** How long locks are held, in milliseconds. */
const HELD_MS = 10_000;

/** Maximum response time of requests that affect no locked organisation, in milliseconds. */
const MAX_RESPONSE_MS = 2000;

const HOUSES = 4;

const skip = (await testDatabases()).find(({ name }) => name === 'PostgreSQL')?.skip ?? false;

// The embedded database has one session, in which no transaction waits for another.
describe('presentations while organisations are locked, on PostgreSQL', { skip }, () => {
  let url: string;
  let drop: () => Promise<void>;
  let servers: { database: Database; watch: FeedWatch; present: PresentConsignment }[];
  let commits: DecisionCommits;

  before(async () => {
    ({ url, drop } = await createMigratedPostgresql());
    servers = [0, 1].map(() => {
      const database = openPostgresql(url);
      const watch = new FeedWatch(database);
      return { database, watch, present: makePresentConsignment(database, watch) };
    });
    commits = new DecisionCommits(server().database, server().watch);
  });
  after(async () => {
    for (const { watch, database } of servers) {
      watch.close();
      await database.close();
    }
    await drop();
  });

  const server = (index = 0) => servers[index] ?? assert.fail();
  const mrnOf = (number: number) => `26NO${String(number).padStart(14, '0')}`;
  const master = (number: number) => ({
    transportDocumentMasterLevel: { documentNumber: `M${number}`, type: 'N741' as const },
  });
  const house = (number: number, index = 0) => ({
    transportDocumentHouseLevel: { documentNumber: `${number}-H${index}`, type: 'N740' as const },
  });
  const organisation = (name: string) => organisationOf(server().database, `0192:${name}`);

  const declarationOf = (number: number, declarant: string) => ({
    mrn: mrnOf(number),
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: `0192:${declarant}`,
    houseConsignments: Array.from({ length: HOUSES }, (_, index) => ({
      ...house(number, index),
      ...master(number),
      routing: 'TO_ENTRY' as const,
    })),
  });
  const preNotify = (number: number, declarant: string) =>
    registerDeclaration(server().database, declarationOf(number, declarant));

  const decide = (number: number) =>
    postRoutingDecisions(
      commits,
      [{ ...house(number, 1), routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }].map(
        (one) => readDecision(one, 'standard'),
      ),
      {
        at: new Date(),
        origin: 'ENGINE',
        organisationId: 1,
        organisation: '0192:authority',
        clientId: 'authority',
        requestId: randomUUID(),
      },
    );

  const importAgain = (number: number, declarant: string) => {
    const { houseConsignments, ...declaration } = declarationOf(number, declarant);
    const changed = { ...declaration, carrier: `0192:${randomUUID()}` };
    return register(
      { database: server().database, audit: new AuditTrail(), newId: v7 },
      [{ mrn: mrnOf(number), declaration: changed, houses: houseConsignments, isComplete: true }],
      { at: new Date(), actor: undefined, requestId: randomUUID() },
      'large',
    );
  };

  /** Locks an organisation in a separate session, as a server does whose machine has failed. */
  const hold = async (held: number) => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`select pg_advisory_lock(${FEED_LOCK}, ${held})`);
    return () => client.end();
  };

  test('an organisation that is locked for 10 s delays no other, and is served when it is free', async () => {
    const { database, present } = server();
    const declarants = ['presented', 'decided', 'dead', 'gone', 'other-1', 'other-2'] as const;
    const ids = await Promise.all(declarants.map((name) => organisation(name)));
    const [presented = 0, , dead = 0, gone = 0] = ids;
    const agent = await organisation('agent');
    for (const [index, declarant] of declarants.entries()) await preNotify(index, declarant);
    // A large presentation and a decision take as long as with very many signals.
    await database.transact((transaction) =>
      transaction.run(`
        create function sleep_for() returns trigger language plpgsql as $$
          begin perform pg_sleep(${HELD_MS / 1000}); return new; end $$;
        create trigger slow_presentation before insert on validation_status
          for each row when (new.owner = ${presented} and new.entry like '%ENTRY_SUMMARY_DECLARATION%')
          execute function sleep_for();
        create trigger slow_decision before insert on routing_decision
          for each row when (new.reason = 'slow') execute function sleep_for();`),
    );
    const releaseDead = await hold(dead);
    const releaseGone = await hold(gone);
    const slow = [
      server(1).present(
        presentationRequest('entry-summary-declaration', presented, { mrn: mrnOf(0) }),
      ),
      postRoutingDecisions(
        new DecisionCommits(server(1).database, server(1).watch),
        [{ ...house(1), routing: 'TO_ENTRY', reason: 'slow' } as const].map((one) =>
          readDecision(one, 'standard'),
        ),
        {
          at: new Date(),
          origin: 'ENGINE',
          organisationId: 1,
          organisation: '0192:authority',
          clientId: 'authority',
          requestId: randomUUID(),
        },
      ),
    ];
    await delay(500);

    const began = performance.now();
    let released = 0;
    // The agent presents goods of the locked organisations, in each way.
    const waiting = [0, 1, 2].flatMap((number) => [
      present(presentationRequest('house-consignment', agent, house(number))),
      present(presentationRequest('house-consignment', agent, house(number, 1))),
      present(presentationRequest('master-consignment', ids[number] ?? 0, master(number))),
    ]);
    const waitingDecision = decide(2);
    const waitingImport = importAgain(2, 'dead');
    const settled = Promise.allSettled(waiting).then(() => {
      released = performance.now() - began;
    });
    const never = present(presentationRequest('house-consignment', agent, house(3)));
    const refusal = assert.rejects(never, OverloadedError);

    let slowest = 0;
    const completed: Record<string, number> = {};
    const measure = async (what: string, work: Promise<unknown>) => {
      const sent = performance.now();
      await work;
      slowest = Math.max(slowest, performance.now() - sent);
      completed[what] = (completed[what] ?? 0) + 1;
    };
    // Others continue meanwhile: the same agent with other goods, other organisations at every level, imports and
    // decisions.
    while (performance.now() - began < HELD_MS - 1500) {
      await Promise.all([
        measure('agent', present(presentationRequest('house-consignment', agent, house(4)))),
        measure(
          'house consignment',
          present(presentationRequest('house-consignment', ids[4] ?? 0, house(4, 2))),
        ),
        measure(
          'master consignment',
          present(presentationRequest('master-consignment', ids[5] ?? 0, master(5))),
        ),
        measure('import', importAgain(4, 'other-1')),
        measure('decision', decide(5)),
      ]);
      await delay(50);
    }
    assert(slowest < MAX_RESPONSE_MS, `another request took ${Math.round(slowest)} ms`);
    for (const [what, times] of Object.entries(completed)) assert(times > 5, `${what}: ${times}`);
    assert.equal(released, 0, 'no request of a locked organisation completes while it is locked');

    await Promise.all(slow);
    await releaseDead();
    const outcomes = await Promise.all(waiting);
    assert.deepEqual(
      outcomes.filter(({ accepted }) => !accepted),
      [],
    );
    await Promise.all([settled, waitingDecision, waitingImport]);
    // A request whose organisation is never released is refused, so that its client tries again.
    await refusal;
    await releaseGone();
    assert.deepEqual(await checkSignals(database), []);
  });

  test('two organisations that present each other’s master consignments a thousand times never deadlock', async () => {
    const { database } = server();
    const pairs = [
      { presenter: await organisation('low'), number: 101, declarant: 'high' },
      { presenter: await organisation('high'), number: 100, declarant: 'low' },
    ];
    await preNotify(100, 'low');
    await preNotify(101, 'high');
    const deadlocks = async () => {
      const [row] = await database.query<{ deadlocks: number }>({
        name: '',
        text: 'select deadlocks from pg_stat_database where datname = current_database()',
        values: [],
      });
      return row?.deadlocks ?? assert.fail();
    };
    const before = await deadlocks();
    const outcomes = await Promise.all(
      pairs.map(async ({ presenter, number }, index) => {
        let accepted = 0;
        for (let time = 0; time < 1000; time++) {
          const request = presentationRequest('master-consignment', presenter, master(number));
          if ((await server(index).present(request)).accepted) accepted++;
        }
        return accepted;
      }),
    );
    assert.deepEqual(outcomes, [1000, 1000]);
    // A PostgreSQL session reports its counters after it has been idle for a moment.
    await delay(1500);
    assert.equal(await deadlocks(), before);
  });
});
