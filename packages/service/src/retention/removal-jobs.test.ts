// Every job that removes data: none believes the clock of one server, and none removes while its server is not ready.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { makeApp } from '../app.js';
import { AuditPartitions } from '../audit/audit-partitions.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { exportMonths } from '../audit/export-months.js';
import { readConfig } from '../config.js';
import { SessionCleanup } from '../console/session-cleanup.js';
import type { Database } from '../database/database.js';
import { followClock, makeRemovalClock, type RemovalClock } from '../database/removal-clock.js';
import { expireGoodsItems } from '../goods-items/expire-events.js';
import { UnmetConditionError } from '../http/readiness-conditions.js';
import { FailedRequests } from '../metrics/failed-requests.js';
import { CallerCounts } from '../metrics/request-counts.js';
import { FigureRecorder } from '../monitoring/record-figures.js';
import { drawnDatabases } from '../testing/databases.js';
import { setFeedStates } from '../testing/feed-states.js';
import { statements } from '../testing/statements.js';
import { retainedKinds } from './retained-kinds.js';
import { Retention } from './retention.js';

const DAY_MS = 86_400_000;
/** As long as a busy machine may take between two steps. */
const BUSY_MS = 300_000;

/** What each kind is kept for, and how old its rows are by the database's clock. */
const KEPT_DAYS = 200;
const OLD_DAYS = 900;
const YOUNG_DAYS = 100;

const everything = {
  statusRetention: KEPT_DAYS,
  signalRetention: KEPT_DAYS,
  consignmentRetention: KEPT_DAYS,
  unpresentedRetention: KEPT_DAYS,
  goodsItemRetention: KEPT_DAYS,
  documentRetention: KEPT_DAYS,
  transportExpiry: KEPT_DAYS * 24,
  consignmentExpiry: KEPT_DAYS * 24,
  movementClosing: KEPT_DAYS,
  messageRetention: KEPT_DAYS,
};

const unexpected = (error: unknown) => assert.ifError(error);

/** A job that removes, and a statement that names the rows that are left of those that it may remove. */
type RemovalJob = {
  run(database: Database, clock: RemovalClock, report: (error: unknown) => void): Promise<void>;
  left: string;
  /** The statements with which it removes, by their names in `docs/sql`. */
  deletes: readonly string[];
};

const retention = (
  table: string,
  rowName: string,
  days: Partial<typeof everything>,
  deletes: readonly string[],
): RemovalJob => ({
  run: async (database, clock, report) => {
    const none = {
      statusRetention: 0,
      signalRetention: 0,
      consignmentRetention: 0,
      unpresentedRetention: 0,
      goodsItemRetention: 0,
      documentRetention: 0,
      transportExpiry: 0,
      consignmentExpiry: 0,
      movementClosing: 0,
      messageRetention: 0,
    };
    const kinds = retainedKinds(
      { ...none, ...days },
      { database, audit: new AuditTrail(), clock: () => new Date() },
      (before) => expireGoodsItems(database, before, async () => Number.MAX_SAFE_INTEGER),
      async () => [],
    );
    const job = new Retention(database, kinds, clock, report);
    await job.run();
    await job.close();
  },
  left: `select ${rowName} as name from ${table} order by 1`,
  deletes,
});

const months = (retained: 'auditRetention' | 'feedAccessRetention', table: string): RemovalJob => ({
  run: async (database, clock, report) => {
    const kept = { auditRetention: 0, feedAccessRetention: 0, [retained]: KEPT_DAYS };
    const job = new AuditPartitions(database, kept, clock, report);
    await job.run().catch(report);
    await job.close();
  },
  left: `select case when recorded_at < now() - interval '${KEPT_DAYS} days' then 'old' else 'young' end as name
    from ${table} where recorded_at < now() - interval '1 day' group by 1 order by 1`,
  deletes: [],
});

const cleanup = (table: string, rowName: string, deletes: readonly string[]): RemovalJob => ({
  run: async (database, clock, report) => {
    const job = new SessionCleanup(database, clock, report, { idleMs: KEPT_DAYS * DAY_MS });
    await job.run().catch(report);
    await job.close();
  },
  left: `select ${rowName} as name from ${table} order by 1`,
  deletes,
});

const jobs: Record<string, RemovalJob> = {
  statuses: retention(
    'validation_status',
    `substring(id::text, 36)`,
    { statusRetention: KEPT_DAYS },
    ['expire-validation_status', 'expire-validation_status-relayed'],
  ),
  'movement statuses': retention(
    'movement_status',
    `substring(id::text, 36)`,
    { statusRetention: KEPT_DAYS },
    ['expire-movement_status', 'expire-movement_status-relayed'],
  ),
  signals: retention('routing_signal', `substring(id::text, 36)`, { signalRetention: KEPT_DAYS }, [
    'expire-routing_signal',
    'expire-routing_signal-relayed',
  ]),
  'goods items': retention(
    'goods_item_event',
    `substring(id::text, 36)`,
    { goodsItemRetention: KEPT_DAYS },
    ['expire-goods-item-events'],
  ),
  'goods that were never presented': retention(
    `house_consignment where document_type = 'N703'`,
    'document_number',
    { unpresentedRetention: KEPT_DAYS },
    ['delete-unpresented-houses'],
  ),
  'declarations without goods': retention(
    `entry_summary_declaration where customs_office_of_first_entry = 'NONE'`,
    'mrn',
    { unpresentedRetention: KEPT_DAYS },
    ['delete-empty-unpresented'],
  ),
  'house consignments': retention(
    `house_consignment where document_type = 'N740'`,
    'document_number',
    { consignmentRetention: KEPT_DAYS },
    [
      'delete-expired-houses',
      'delete-empty-declarations',
      'delete-expired-withdrawn-houses',
      'delete-expired-withdrawn-declarations',
      'delete-expired-references',
    ],
  ),
  'transports that did not arrive': retention(
    `movement where document_type = 'T' and state is null`,
    'document_number',
    { transportExpiry: KEPT_DAYS * 24 },
    ['end-expired-transport'],
  ),
  'consignments that no transport reaches': retention(
    `movement where document_type = 'M' and state is null`,
    'document_number',
    { consignmentExpiry: KEPT_DAYS * 24 },
    ['end-expired-master-consignment', 'end-expired-house-consignment'],
  ),
  'messages to close': retention(
    `movement where document_type = 'A' and state is null`,
    'document_number',
    { movementClosing: KEPT_DAYS },
    ['end-closed-transport', 'end-closed-master-consignment', 'end-closed-house-consignment'],
  ),
  'texts of messages': retention(
    `movement join movement_text using (declaration_id) where document_type = 'X'`,
    'document_number',
    { messageRetention: KEPT_DAYS },
    ['remove-movement-texts'],
  ),
  'closed messages': retention(
    `movement where document_type = 'C'`,
    'document_number',
    { consignmentRetention: KEPT_DAYS },
    ['delete-closed-movements'],
  ),
  registrations: retention(
    'registration where id < 100',
    'id::text',
    { consignmentRetention: KEPT_DAYS },
    ['expire-registrations'],
  ),
  'routing runs': retention('routing_run', 'reason', { consignmentRetention: KEPT_DAYS }, [
    'delete-expired-routing-run',
  ]),
  documents: retention('document', 'file_name', { documentRetention: KEPT_DAYS }, [
    'delete-expired-documents',
  ]),
  'audit records': months('auditRetention', 'audit_record'),
  'feed accesses': months('feedAccessRetention', 'feed_access'),
  'sessions of the console': cleanup('console_session', 'name', ['delete-ended-console-sessions']),
  'logout tokens': cleanup('console_logout', 'token_id', ['delete-ended-console-logouts']),
  'figures of servers': {
    run: async (database, clock, report) => {
      const startedAt = new Date();
      const measured = {
        measures: [],
        requests: { counts: () => [] },
        backgroundFailures: new Map(),
        readProcess: () => ({ processorSeconds: 0, memoryBytes: 1 }),
      };
      const server = { name: () => 'now', version: '', startedAt, measured };
      const recorder = new FigureRecorder(
        database,
        { ...server, callers: new CallerCounts(), failedRequests: new FailedRequests() },
        clock,
        report,
      );
      await recorder.write(new Date());
    },
    left: `select server as name from server_figures where server <> 'now' order by 1`,
    deletes: ['insert-server-figures'],
  },
};

/** What requests and migrations remove, and records of what is under way: it depends on no time. */
const withoutTime = [
  'delete-all-console-sessions',
  'delete-awaited-documents',
  'delete-backfill-progress',
  'delete-console-session',
  'delete-console-session-of',
  'delete-console-sessions-of-provider-session',
  'delete-console-sessions-of-subject',
  'delete-containers',
  'delete-customs-offices',
  'delete-entered-houses',
  'delete-found-documents',
  'delete-movement-references',
  'delete-oldest-console-sessions',
  'delete-unlo-code-groups',
  'delete-withdrawn-houses',
  'end-movement',
  'flag-for-presenters',
  'forget-attached',
  'forget-detaching',
  'forget-relayed-views',
  'insert-subscription-attempt',
  'keep-clients',
  'keep-controls',
  'push-store-steps',
  'relay-forget',
  'remove-goods-items',
  'remove-goods-items-of-events',
  'remove-other-clients',
  'remove-other-numbers',
  'remove-subscription',
  'rotate-subscription-secret',
  'remove-other-scopes',
  'withdraw-houses',
];

async function run(database: Database, script: string): Promise<void> {
  await database.transact((transaction) => transaction.run(script));
}

/** Rows of each kind that are old, and young ones, by the clock of the database. */
async function addRows(database: Database, folder: string): Promise<void> {
  const old = `now() - interval '${OLD_DAYS} days'`;
  const young = `now() - interval '${YOUNG_DAYS} days'`;
  const now = Date.now();
  // As if the partitions had been created at these times.
  for (const days of [OLD_DAYS, OLD_DAYS - 40, YOUNG_DAYS + 100, YOUNG_DAYS + 40, YOUNG_DAYS, 0]) {
    await new AuditPartitions(
      database,
      { auditRetention: 0, feedAccessRetention: 0 },
      followClock(() => new Date(now - days * DAY_MS)),
      unexpected,
    ).run();
  }
  const entries = (time: string) => `
    select 1, position, ('00000000-0000-0000-0000-00000000000' || position)::uuid, ${time}
    from (values (1, ${old}), (2, ${young}), (3, now())) as entry (position, at)`;
  const house = (name: string, number: number, at: string) => `
    insert into entry_summary_declaration (id, mrn, customs_office_of_first_entry, declarant)
    overriding system value values (${number}, '${name}', '', 1);
    insert into house_consignment (id, ens_id, document_number, document_type, signal_head, routing)
    values ('00000000-0000-0000-0000-00000000000${number}', ${number}, '${name}', 'N740', '', 'TO_ENTRY');
    insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, first_presented_at)
    values ('00000000-0000-0000-0000-00000000000${number}', 1, 1, gen_random_uuid(), ${at});
    insert into routing_decision (house_consignment_id, number, decided_at, routing, request_id)
    values ('00000000-0000-0000-0000-00000000000${number}', 1, ${at}, 'TO_ENTRY', '');`;
  const unpresented = (
    name: string,
    number: number,
    registration: number,
    arrival: string,
    decidedAt: string,
  ) => `
    insert into entry_summary_declaration (id, mrn, customs_office_of_first_entry, declarant, estimated_time_of_arrival, version)
    overriding system value values (${number}, '${name}', '', 1, ${arrival}, ${registration});
    insert into house_consignment (id, ens_id, document_number, document_type, signal_head, routing, registration)
    values ('00000000-0000-0000-0000-00000000000${number}', ${number}, '${name}', 'N703', '', 'TO_ENTRY', ${registration});
    insert into routing_decision (house_consignment_id, number, decided_at, routing, request_id)
    values ('00000000-0000-0000-0000-00000000000${number}', 1, ${decidedAt}, 'TO_ENTRY', '');`;
  let numbers = 100;
  const movement = (
    type: string,
    level: string,
    columns: Partial<
      Record<'state' | 'estimated_at' | 'arrival_recorded_at' | 'lodged_at' | 'ended_at', string>
    >,
    name: string,
  ) => {
    const number = numbers++;
    const { lodged_at = old, ...rest } = columns;
    return `
    insert into declaration (id, mrn, kind, declarant) overriding system value values (${number}, 'M${number}', 'TRANSPORT', 1);
    insert into movement (declaration_id, level, mode, submitter, key, request_id, lodged_at, document_number, document_type,
        listed, reasons${Object.keys(rest)
          .map((column) => `, ${column}`)
          .join('')})
    values (${number}, '${level}', 'road', 1, '${number}', gen_random_uuid(), ${lodged_at}, '${name}', '${type}',
        '{}', '{}'${Object.values(rest)
          .map((value) => `, ${value}`)
          .join('')});
    insert into movement_text (declaration_id, body) values (${number}, '{}');`;
  };
  const movements = Object.entries({ old, young }).flatMap(([age, at]) => [
    movement('T', 'TRANSPORT', { estimated_at: at }, age),
    movement('M', 'MASTER_CONSIGNMENT', { lodged_at: at }, age),
    movement('M', 'HOUSE_CONSIGNMENT', { lodged_at: at }, age),
    movement('A', 'TRANSPORT', { arrival_recorded_at: at }, age),
    movement('X', 'TRANSPORT', { state: `'CANCELLED'`, ended_at: at }, age),
    movement('C', 'MASTER_CONSIGNMENT', { state: `'CLOSED'`, ended_at: at }, age),
  ]);
  await run(
    database,
    `
    insert into organisation (id, identifier) overriding system value values (1, 'NO1');
    insert into validation_status (owner, position, id, failed, entry)
      select owner, position, id, false, json_build_object('notificationDate', at)::text
      from (${entries('at')}) as e (owner, position, id, at);
    insert into movement_status (owner, position, id, failed, entry)
      select owner, position, id, false, json_build_object('notificationDate', at)::text
      from (${entries('at')}) as e (owner, position, id, at);
    insert into routing_signal (owner, position, id, entry)
      select owner, position, id, json_build_object('routingResult', json_build_object('documentIssueDate', at))::text
      from (${entries('at')}) as e (owner, position, id, at);
    insert into goods_item_event (owner, position, id, topic, published_at, entry)
      select 0, position, id, '', at, '{"data":{},"metadata":{}}' from (${entries('at')}) as e (owner, position, id, at);
    ${setFeedStates}
    ${house('old', 1, old)}
    ${house('young', 2, young)}
    insert into registration (id, at, request_id) overriding system value values
      (1, ${old}, gen_random_uuid()), (2, ${old}, gen_random_uuid()), (3, ${young}, gen_random_uuid());
    select setval(pg_get_serial_sequence('registration', 'id'), 1000);
    update house_consignment set registration = 1 where document_number = 'young';
    ${unpresented('lost', 3, 1, old, old)}
    ${unpresented('to arrive', 4, 1, young, old)}
    ${unpresented('decided', 5, 1, old, young)}
    ${unpresented('lodged', 6, 3, old, old)}
    insert into entry_summary_declaration (id, mrn, customs_office_of_first_entry, declarant, estimated_time_of_arrival, version)
    overriding system value values (7, 'empty', 'NONE', 1, ${old}, 1), (8, 'to arrive empty', 'NONE', 1, ${young}, 1),
      (9, 'lodged empty', 'NONE', 1, null, 3);
    insert into routing_run (id, created_at, state, version, state_changed_at, reason, origin, organisation_id, client_id,
        request_id, house_consignments)
      select gen_random_uuid(), at, 'COMPLETED', 1, at, name, 'OFFICER', 1, '', '', 0
      from (values ('old', ${old}), ('young', ${young})) as run (name, at);
    insert into document (organisation_id, declaration_id, id, document_type, file_name, kind, size, sha256, content,
        uploaded_at, client_id, request_id)
      select 1, '', gen_random_uuid(), '', name, 'txt', 1, convert_to(name, 'UTF8'), '', at, '', ''
      from (values ('old', ${old}), ('young', ${young})) as document (name, at);
    ${movements.join('')}
    insert into console_session (digest, subject, name, organisation, scopes, assignments, started_at, used_at, ends_at)
    values ('\\x01', '', 'ended', '', '{}', '[]', ${old}, now(), ${young}),
      ('\\x02', '', 'idle', '', '{}', '[]', ${old}, ${old}, now() + interval '${YOUNG_DAYS} days'),
      ('\\x03', '', 'young', '', '{}', '[]', now(), ${young}, now() + interval '${YOUNG_DAYS} days');
    insert into console_logout values ('old', ${old}), ('young', now() + interval '${YOUNG_DAYS} days');
    insert into server_figures values (${old}, 'old', now(), '', true, '{}', '[]'),
      (now() - interval '1 day', 'young', now(), '', true, '{}', '[]');
    insert into feed_access (chain, position, index, kind, owner, client_id, first_position, last_position, at, recorded_at)
    values (1, 1, 1, 2, 1, '', 1, 1, now(), ${old}), (1, 2, 1, 2, 1, '', 1, 1, now(), ${young});
  `,
  );
  for (const time of [old, young]) {
    await database.transact((transaction) =>
      new AuditTrail().record(transaction, {
        at: new Date(),
        actor: undefined,
        requestId: undefined,
        action: 'test.done',
        details: {},
      }),
    );
    await run(
      database,
      `update audit_record set recorded_at = ${time} where recorded_at > now() - interval '1 hour'`,
    );
  }
  await exportMonths(database, { folder, before: new Date(), now: new Date() });
}

test('every statement that deletes is of one of these jobs, or depends on no time', () => {
  const deleting = Object.entries(statements)
    .filter(([file]) => !file.startsWith('playground/'))
    .flatMap(([, listed]) => listed)
    .filter(({ text }) => /\b(?:delete from|drop table|truncate)\b/.test(text))
    .map(({ name }) => name);
  const known = Object.values(jobs).flatMap(({ deletes }) => deletes);
  assert.deepEqual([...new Set(deleting)].sort(), [...known, ...withoutTime].sort());
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`jobs that remove data on ${name}`, { skip }, () => {
    let database: Database;
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'landfall-removal-'));
      database = await open();
      await addRows(database, folder);
    });
    afterEach(async () => {
      await database.close();
      await rm(folder, { recursive: true });
    });

    const readAll = async () => {
      const left: Record<string, string[]> = {};
      for (const [job, { left: text }] of Object.entries(jobs)) {
        const rows = await database.query<{ name: string }>({ name: '', text, values: [] });
        left[job] = rows.map((row) => row.name);
      }
      return left;
    };
    const runAll = async (clock: RemovalClock) => {
      const errors: unknown[] = [];
      for (const job of Object.values(jobs)) {
        await job.run(database, clock, (error) => errors.push(error));
      }
      return errors;
    };
    const serverClock = (days: number) =>
      makeRemovalClock(database, { clock: () => Date.now() + days * DAY_MS });
    const young = {
      statuses: ['2', '3'],
      'movement statuses': ['2', '3'],
      signals: ['2', '3'],
      'goods items': ['2', '3'],
      'house consignments': ['young'],
      'transports that did not arrive': ['young'],
      'consignments that no transport reaches': ['young', 'young'],
      'messages to close': ['young'],
      'texts of messages': ['young'],
      'closed messages': ['young'],
      'routing runs': ['young'],
      documents: ['young'],
      registrations: ['1', '3'],
      'goods that were never presented': ['decided', 'lodged', 'to arrive'],
      'declarations without goods': ['lodged empty', 'to arrive empty'],
      'audit records': ['young'],
      'feed accesses': ['young'],
      'sessions of the console': ['young'],
      'logout tokens': ['young'],
      'figures of servers': ['young'],
    };

    for (const days of [400, -400]) {
      test(`with the clock of the server ${days} days off, what the database knows to be young stays`, async () => {
        assert.deepEqual(await runAll(serverClock(days)), []);
        const left = await readAll();
        const expected =
          days > 0
            ? young
            : {
                ...young,
                // It ended after this server's time, so the server does not know that it has ended.
                'sessions of the console': ['ended', 'young'],
              };
        assert.deepEqual(left, expected);
      });
    }

    test('nothing is removed, and each job says so, while the server is not ready', async () => {
      const before = await readAll();
      const clock = makeRemovalClock(database, { findPause: () => 'the clock is off' });
      const errors = await runAll(clock);
      assert.deepEqual(await readAll(), before);
      // Figures are written nevertheless.
      assert(errors.length >= Object.keys(jobs).length - 1);
      for (const error of errors)
        assert.match(String(error), /nothing is removed now: the clock is off/);
    });

    test('a server that is not ready when it starts removes nothing', async () => {
      const start = async (isReady: boolean) => {
        const { app, catchUp } = await makeApp({
          config: readConfig({ LANDFALL_LOG_LEVEL: 'silent' }, everything),
          database,
          baseUrl: 'http://localhost:1',
          keysFolder: join(folder, 'keys'),
          identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
          conditions: [
            {
              task: 'clock',
              message: 'the clock is off',
              runbook: 'CLOCK',
              check: async () => {
                if (!isReady) throw new UnmetConditionError('the clock is off');
              },
            },
          ],
        });
        // After the run that the start has begun.
        await catchUp();
        await app.close();
      };
      const before = await readAll();
      await start(false);
      const { 'figures of servers': _, ...left } = await readAll();
      const { 'figures of servers': __, ...expected } = before;
      assert.deepEqual(left, expected);
      await start(true);
      assert.notDeepEqual((await readAll()).statuses, before.statuses);
    });

    test('a server that becomes unready ends what it has begun after the step', async () => {
      let steps = 0;
      const clock = makeRemovalClock(database, {
        findPause: () => (steps > 1 ? 'the clock is off' : undefined),
      });
      const errors: unknown[] = [];
      const kind = {
        name: 'endless',
        days: 1,
        expire: async function* () {
          for (;;) yield ++steps;
        },
      };
      const job = new Retention(database, [kind], clock, (error) => errors.push(error));
      await job.run();
      await job.close();
      assert.equal(steps, 2);
      assert.match(String(errors), /nothing is removed now/);
    });

    test('when all clocks have jumped, the time of removal stays, and approaches them gradually', async () => {
      const clock = serverClock(0);
      const ageOf = async () => Date.now() - (await clock.cutoff(0)).getTime();
      assert(Math.abs(await ageOf()) < BUSY_MS);
      // The clock was read 400 days ago, as if it had been right then.
      await run(
        database,
        `update removal_time set time = time - interval '400 days', read_at = read_at - interval '400 days'`,
      );
      assert(Math.abs((await ageOf()) - 400 * DAY_MS) < BUSY_MS);
      await runAll(clock);
      assert.deepEqual((await readAll())['house consignments'], ['young']);
      // An hour later, it has approached the clock by a day.
      await run(database, `update removal_time set read_at = read_at - interval '1 hour'`);
      assert(Math.abs((await ageOf()) - 399 * DAY_MS) < 24 * BUSY_MS);
      // A clock that is set back is followed at once.
      await run(
        database,
        `update removal_time set time = time + interval '800 days', read_at = read_at + interval '800 days'`,
      );
      assert(Math.abs(await ageOf()) < BUSY_MS);
    });

    test('no month is exported that has not ended by the clock of the database', async () => {
      const clock = serverClock(400);
      const end = new Date(Date.now() + 1000 * DAY_MS);
      const more = await exportMonths(database, {
        folder: join(folder, 'ahead'),
        before: end,
        now: await clock.cutoff(0),
      });
      const [row] = await database.query<{ until: Date }>({
        name: '',
        text: 'select max(until) as until from audit_export',
        values: [],
      });
      assert(more > 0 && row && row.until.getTime() < Date.now());
    });
  });
}
