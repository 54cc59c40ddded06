// Every column of every table of the database is altered, each table gets a row and loses one, and verification finds it. The
// tables and columns are read from the database: a new one is in this test, or in a list below that says why not.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { v7 } from 'uuid';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { loadDataset } from '../../../playground/dist/dataset.js';
import type { Database, Transaction } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { makeLodgeMovement } from '../movements/lodge-movement.js';
import { makePresentConsignment } from '../presentation/present-consignment.js';
import { readSubmission } from '../presentation/submission.js';
import { DecisionCommits } from '../routing/commit-decisions.js';
import { drawnDatabases } from '../testing/databases.js';
import { AuditCheckpoints } from './audit-checkpoints.js';
import { AuditTrail } from './audit-trail.js';
import { FeedAccessLog } from './feed-access-log.js';
import { verifyAudit } from './verify-audit.js';

/** Tables that the trail does not cover, and why. */
const notCovered: Readonly<Record<string, string>> = {
  audit_export: 'says which months may be removed; the files have the digests of their months',
  audit_verification: 'the result of the last verification, which any operator can repeat',
  audited_table: 'what migrations have covered; not read after that',
  console_logout: 'sessions',
  console_session: 'sessions',
  detached_partition: 'work in progress of the maintenance of partitions',
  database_backup: 'when backups were made, which the job that makes them says',
  feed_timeline:
    'by which markers of before a restoration are recognised; records say when each began',
  feed_timeline_end: 'where feeds ended when the database was restored, which decides nothing',
  goods_item: 'the current items, made of the events of publishers',
  goods_item_event: 'the events of publishers, which decide nothing',
  goods_item_expired: 'what is kept of the events of publishers',
  migration: 'which migrations were applied; a changed one is refused',
  migration_progress: 'work in progress of migrations',
  primary_history: 'tokens by which standbys are recognised',
  push_attempt: 'attempts to reach receivers, which decide nothing',
  push_progress: 'how far receivers are; records say what was requested, and why one was suspended',
  push_secret: 'secrets, of which the trail says when they were replaced',
  relay_position: 'where relaying continues; the stream decides',
  removal_time: 'a clock',
  server_figures: 'key figures of a day',
  used_grant: 'identifiers of grants that may still be valid',
};

/** Columns that the trail does not cover, and why. */
const columnsNotCovered: Readonly<Record<string, string>> = {
  'audit_record.recorded_at': 'not covered yet: decides when retention removes the record',
  'audit_chain_end.recorded_at': 'only keeps the times of a chain in order',
  'feed_state.removed_id': 'not covered yet: the marker of an entry that was removed',
};

/** Tables that have no row to alter here, and why. */
const noRows: Readonly<Record<string, string>> = {
  audit_removal: 'audit-months.test.ts removes months and alters what is said of them',
};

type Column = {
  table: string;
  column: string;
  type: string;
  identity: boolean;
  unique: boolean;
  nullable: boolean;
};

/** Other values of a column, as SQL expressions; the first that the constraints allow is used. */
function otherValues({ column, type }: Column): string[] {
  const value = `"${column}"`;
  const [first = '', ...further] = {
    'timestamp with time zone': [
      `coalesce(${value}, now()) + interval '1 ms'`,
      `'2020-01-01T00:00:00Z'`,
    ],
    ARRAY: [`coalesce(${value}, '{}') || ${value}[1:1] || '{7}'`],
    bigint: [`coalesce(${value}, 0) + 1000`, `coalesce(${value}, 0) + 1`],
    boolean: [`not coalesce(${value}, false)`, `case when ${value} then null else true end`],
    bytea: [`sha256(${value})`],
    date: [`coalesce(${value}, '2020-01-01') + 1`],
    integer: [`coalesce(${value}, 0) + 1000`, `coalesce(${value}, 0) + 1`],
    jsonb: [`'[1]'`],
    numeric: [`coalesce(${value}, 0) + 1`],
    uuid: ['gen_random_uuid()'],
  }[type] ?? [
    `coalesce(${value}, '') || 'x'`,
    ...[
      'TO_CONTROL',
      'TO_ENTRY',
      'ON_ENTRY',
      'AFTER_ENTRY',
      'OFFICER',
      'ENGINE',
      'foreign',
      'PAUSED',
      'REFUSED',
      'TRANSPORT',
      'HOUSE_CONSIGNMENT',
      'CANCELLED',
      'air',
      'VALID',
      'INVALID',
      'N820',
      'pdf',
      'v1',
      'v1a',
    ].map((word) => `nullif('${word}', ${value})`),
  ];
  return [first, ...further];
}

/** Ends the transaction of an alteration. */
class RollBack extends Error {}

const unexpected = (error: unknown) => assert.ifError(error);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`rows that were altered on ${name}`, { skip }, () => {
    let database: Database;
    let columns: Column[];
    const audit = new AuditTrail();

    before(async () => {
      database = await open();
      await writeEverywhere();
      columns = await database.query<Column>({
        name: '',
        text: `select c.table_name as table, column_name as column, data_type as type, is_identity = 'YES' as identity, is_nullable = 'YES' as nullable,
            exists (
              select from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
              where indrelid = c.table_name::regclass and indisunique and attname = column_name
            ) as unique
          from information_schema.columns c
          join information_schema.tables t using (table_schema, table_name)
          where table_schema = 'public' and table_type = 'BASE TABLE'
            and not (select relispartition from pg_class where oid = c.table_name::regclass)
          order by c.table_name, ordinal_position`,
        values: [],
      });
    });
    after(() => database.close());

    /** Operations that together write rows of every table that is covered. */
    async function writeEverywhere(): Promise<void> {
      const watch = new FeedWatch(database);
      await loadDataset(database, new Date(), () => v7());
      const present = makePresentConsignment(database, watch);
      const presentAt = (path: 'house-consignment' | 'entry-summary-declaration', body: object) =>
        present({
          organisationId: 1,
          actor: { organisation: '0192:310000019', client: 'playground-carrier' },
          submission: readSubmission(
            path,
            { requestId: randomUUID(), customsOfficeOfPresentation: 'NO351001', ...body },
            () => true,
          ),
        });
      const document = { documentNumber: 'HC001', type: 'N740' } as const;
      await presentAt('house-consignment', { transportDocumentHouseLevel: document });
      await presentAt('entry-summary-declaration', { mrn: '23NO00000000000004' });
      const decide = (routing: 'TO_CONTROL' | 'TO_ENTRY') =>
        new DecisionCommits(database, watch).commit({
          decisions: [{ transportDocumentHouseLevel: document, routing, reason: 'because' }],
          context: {
            at: new Date(),
            organisationId: 1,
            organisation: '0192:310000019',
            clientId: 'officer',
            requestId: randomUUID(),
            origin: 'OFFICER',
          },
          onlyUndecided: false,
        });
      const lodge = makeLodgeMovement({
        database,
        watch,
        newId: v7,
        country: 'NO',
        movedClock: undefined,
      });
      const requestId = randomUUID();
      await lodge({
        requestId,
        owner: 1,
        submitter: { id: 1, identifier: '0192:310000019' },
        context: { actor: undefined, requestId },
        mode: 'road',
        level: 'house-consignment',
        message: {
          mode: 'road',
          level: 'house-consignment',
          text: '{}',
          key: 'k',
          reasons: ['INCOMPLETE_DOCUMENTATION'],
          listed: {},
          representative: undefined,
          carrier: undefined,
          parties: { representative: undefined, carrier: undefined },
          references: [{ kind: 'RECEPTACLE', reference: 'R1', type: undefined }],
          estimatedAt: undefined,
          office: 'NO371001',
          weight: undefined,
          facts: {
            importProcedure: 'COLLECTIVE_RELEASE',
            outgoingProcedure: 'TRA',
            consignorCountry: 'SE',
          },
          house: { transportDocumentHouseLevel: { documentNumber: 'L1', type: 'N730' } },
          awaited: [{ kind: 'CUDE', reference: '1' }],
        },
      });
      await decide('TO_CONTROL');
      await decide('TO_ENTRY');
      watch.close();
      await database.transact(async (transaction) => {
        await transaction.run(`
          insert into organisation (identifier) values ('0192:919999999');
          insert into organisation_scope (organisation_id, scope) select 1, 'a' on conflict do nothing;
          insert into client (organisation_id, client_id, scopes, certificates)
            values (1, 'somebody', '{a}', '{b}');
          insert into removed_client values (1, 'nobody');
          insert into organisation_number values ('DE1', 1);
          insert into customs_office values ('NO351001', 'Oslo', '2020-01-01', '2030-01-01', 'OSLO');
          insert into code_list_import values ('cl141', now(), 1);
          insert into reference_document values ('VOEC', '1', 'VALID', now(), now());
          insert into movement_relation
            select '26NO0000000000R0T1', m.declaration_id, m.declaration_id, 1, gen_random_uuid(), now(), null
            from movement m;
          insert into unlo_code_group values ('NOO', '{NOOSL}', '{Oslo}', '{OSLO}');
          insert into routing_profile values ('p', 1, now(), '{}', now());
          insert into routing_run (id, created_at, state, version, state_changed_at, selection, reason, origin,
              organisation_id, client_id, request_id, house_consignments)
            values (gen_random_uuid(), now(), 'RUNNING', 1, now(), '{}', 'r', 'OFFICER', 1, 'c', 'r', 1);
          insert into routing_run_result (run_id, house_consignment_id, status)
            select id, gen_random_uuid(), 'DECIDED' from routing_run;
          insert into document values
            (1, 'd', gen_random_uuid(), 'invoice', 'a.txt', 'txt', 1, '\\x01', '\\x61', now(), 'c', 'r');
          insert into validation_status_ens select owner, ens_id, position from validation_status
            where ens_id is not null;
          insert into push_subscription values
            (gen_random_uuid(), 1, 'c', 2, 1, 'https://receiver.example/', 'v1', now());
          insert into removed_status_ens select id, 1 from entry_summary_declaration;
          insert into withdrawn_house_consignment (id, ens_id, document_number, document_key, document_type, signal_head, withdrawal)
            select gen_random_uuid(), id, 'w 1', 'W1', 'N740', '{}', 1 from entry_summary_declaration limit 1;
          insert into goods_item_view values (1, 1, '{"chapters":["22"]}', now(), '0192:310000019', 'c');
          insert into kept_control values ('W1', 'N740', 'PARTY 1', '', gen_random_uuid(), now());
          insert into entered_house_consignment
            select house.id, p.number from house_consignment house cross join presented_reference p limit 2;
          insert into house_consignment_container
            select 'C', id, ens_id from house_consignment on conflict do nothing;`);
        await audit.record(
          transaction,
          {
            at: new Date(),
            actor: undefined,
            requestId: undefined,
            action: 'test.done',
            details: {},
          },
          [{ houseConsignmentId: randomUUID(), action: 'changed' }],
        );
      });
      await database.transact((transaction) =>
        transaction.run(`
          insert into audited_row_base values ('nothing', 'a', 1), ('nothing', 'b', -1);
          select record_audited_row_base();
          delete from audited_row_base where digest = 'b';
          update audited_row_base set digest = 'c';
          select record_audited_row_base()`),
      );
      const log = new FeedAccessLog(database, { failed: unexpected, dropped: unexpected });
      log.add({
        kind: 2,
        owner: 1,
        organisation: 'o',
        clientId: 'c',
        first: 1,
        last: 2,
        at: new Date(),
      });
      await log.close();
      await new AuditCheckpoints(database, unexpected).write(new Date());
    }

    /** Whether it is not the row of the base that was made for this test. */
    const isOfAlteration = ({ problem }: { problem: string }) =>
      !problem.startsWith('a row of nothing that it has');
    const breaksOf = async (queryable: Parameters<typeof verifyAudit>[0]) =>
      (await verifyAudit(queryable, feedKinds)).breaks.filter(isOfAlteration);

    /** What is found after an alteration, which is undone. Constraints and triggers are off, as for an intruder. */
    const findAfter = async (alter: (transaction: Transaction) => Promise<unknown>) =>
      (
        await verifyAfter(async (transaction) => {
          await transaction.run('set local session_replication_role = replica');
          await alter(transaction);
        })
      ).problems;

    /** What is found, and how many rows of which table were accepted last, after what is undone. */
    async function verifyAfter(
      work: (transaction: Transaction) => Promise<unknown>,
    ): Promise<{ problems: string[]; accepted: object | undefined }> {
      let found: { problems: string[]; accepted: object | undefined } | undefined;
      await assert.rejects(
        database.transact(async (transaction) => {
          await work(transaction);
          const { breaks, accepted } = await verifyAudit(transaction, feedKinds);
          const problems = breaks.filter(isOfAlteration).map(({ problem }) => problem);
          found = { problems, accepted: accepted.at(-1)?.tables };
          throw new RollBack();
        }, 'maintenance'),
        RollBack,
      );
      return found ?? assert.fail();
    }

    const coveredTables = () =>
      [...new Set(columns.map(({ table }) => table))].filter(
        (table) => !(table in notCovered) && !(table in noRows),
      );

    test('what was not altered has no break', async () => {
      assert.deepEqual(await breaksOf(database), []);
    });

    test('the lists of exceptions name tables and columns that exist', () => {
      const names = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]));
      const exceptions = { ...notCovered, ...columnsNotCovered, ...noRows };
      assert.deepEqual(
        Object.keys(exceptions).filter((one) => !names.has(one)),
        [],
      );
    });

    test('a changed value of any column is found', async () => {
      const missed: string[] = [];
      for (const column of drawCases('altered columns', columns, 80)) {
        const { table } = column;
        const name = `${table}.${column.column}`;
        if (!coveredTables().includes(table) || name in columnsNotCovered) continue;
        const attempts = otherValues(column).map(
          (value) => `
            if not done then
              begin
                update ${table} set "${column.column}" = ${value}
                where (tableoid, ctid) = (select tableoid, ctid from ${table} order by ctid desc limit 1);
                done := found;
              exception when others then null;
              end;
            end if;`,
        );
        const allow = column.identity
          ? `alter table ${table} alter column "${column.column}" drop identity;`
          : '';
        const problems = await findAfter((transaction) =>
          transaction.run(`${allow}
            do $$ declare done boolean := false; begin ${attempts.join('')}
              if not done then raise exception '${name} cannot be altered'; end if;
            end $$`),
        );
        if (problems.length === 0) missed.push(name);
      }
      assert.deepEqual(missed, []);
    });

    /** The settings by which the functions of the database know of each other, and those functions that anybody may call. */
    const waysAround = async () => {
      const settings = await database.query<{ name: string }>({
        name: '',
        text: `select distinct (regexp_matches(prosrc, 'landfall\\.[a-z_]+', 'g'))[1] as name from pg_proc
          where pronamespace = 'public'::regnamespace order by name`,
        values: [],
      });
      const functions = await database.query<{ name: string }>({
        name: '',
        text: `select proname || '()' as name from pg_proc
          where pronamespace = 'public'::regnamespace and pronargs = 0 and prorettype = 'void'::regtype order by name`,
        values: [],
      });
      assert(settings.length >= 2 && functions.length >= 2);
      const set = (value: string) =>
        settings.map(({ name }) => `select set_config('${name}', ${value}, true)`);
      const nothing = 'select';
      const calls = [
        nothing,
        ...set('now()::text'),
        ...functions.map(({ name }) => `select ${name}`),
      ];
      const otherValues = ["''", "'x'", 'pg_current_xact_id()::text'].flatMap(set);
      return [
        ...calls.flatMap((before) => calls.map((after) => ({ before, after }))),
        ...otherValues.map((before) => ({ before, after: nothing })),
        ...otherValues.map((after) => ({ before: nothing, after })),
      ];
    };

    const alteration = `update routing_decision set reason = 'another one'
      where (house_consignment_id, number) = (select house_consignment_id, number from routing_decision limit 1)`;

    test('a change is found whatever a transaction sets and calls before and after it', async () => {
      const missed: object[] = [];
      for (const way of await waysAround()) {
        const found = await verifyAfter((transaction) =>
          transaction.run(`${way.before}; ${alteration}; ${way.after}`),
        ).catch((error: { code?: string }) => {
          // A value that is no time is refused, and nothing was changed.
          assert.equal(error.code, '22007');
        });
        if (found === undefined) continue;
        const { problems, accepted } = found;
        // Whoever accepts changes is in the report, with each row once: as it was, and as it is.
        const isReported =
          way.after.includes('accept_audited_rows') &&
          (accepted as { routing_decision?: number })?.routing_decision === 2;
        if (problems.length === 0 && !isReported) missed.push(way);
      }
      assert.deepEqual(missed, []);
    });

    test('a changed row of any table is found if its transaction pretends to have appended a record', async () => {
      const missed: string[] = [];
      for (const table of coveredTables()) {
        const attempts = columns
          .filter((column) => column.table === table && !column.identity)
          .flatMap((column) =>
            otherValues(column).map(
              (value) => `
            if not done then
              begin
                update ${table} set "${column.column}" = ${value}
                where (tableoid, ctid) = (select tableoid, ctid from ${table} order by ctid desc limit 1);
                done := found;
              exception when others then null;
              end;
            end if;`,
            ),
          );
        const { problems } = await verifyAfter((transaction) =>
          transaction.run(`set local landfall.audit_time = '2026-01-01';
            do $$ declare done boolean := false; begin ${attempts.join('')} end $$`),
        );
        if (problems.length === 0) missed.push(table);
      }
      assert.deepEqual(missed, []);
    });

    test('a removed row of any table is found', async () => {
      const missed: string[] = [];
      for (const table of coveredTables()) {
        const problems = await findAfter((transaction) =>
          transaction.run(`delete from ${table}
            where (tableoid, ctid) = (select tableoid, ctid from ${table} limit 1)`),
        );
        if (problems.length === 0) missed.push(table);
      }
      assert.deepEqual(missed, []);
    });

    test('a record that no chain has is found, though its digest is that of a chain of its own', async () => {
      const copy = (chain: string, after: string) => `
        insert into audit_record (chain, position, digest, entry, recorded_at)
        select ${chain}, ${after}.position + 1, sha256(${after}.digest || convert_to(r.entry, 'UTF8')), r.entry, r.recorded_at
        from (select * from audit_record where entry not like '%rowDigests%' order by chain, position limit 1) r
        cross join lateral (${
          after === 'e'
            ? 'select position, digest from audit_chain_end where chain = r.chain'
            : "select 0::bigint as position, ''::bytea as digest"
        }) ${after}`;
      for (const insert of [
        copy('99', 'nothing'),
        copy('(select chain from audit_chain_end where position = 0 limit 1)', 'nothing'),
        copy('r.chain', 'e'),
      ]) {
        const problems = await findAfter((transaction) => transaction.run(insert));
        assert.match(problems.join('\n'), /no chain has it|after the end of its chain/, insert);
      }
    });

    test('an added row of any table is found', async () => {
      const missed: string[] = [];
      for (const table of coveredTables()) {
        const own = columns.filter((column) => column.table === table);
        // A copy with other keys, or with another value of one column.
        const copies = [
          own.map((one) => (one.unique ? otherValues(one)[0] : `"${one.column}"`)),
          own.map((one) =>
            one.unique ? otherValues(one)[0] : one.nullable ? 'null' : `"${one.column}"`,
          ),
          ...own.flatMap((changed) =>
            otherValues(changed).map((value) =>
              own.map((one) => (one === changed ? value : `"${one.column}"`)),
            ),
          ),
        ];
        const attempts = copies.map(
          (values) => `
            if not done then
              begin
                insert into ${table} (${own.map(({ column }) => `"${column}"`).join(', ')})
                overriding system value select ${values.join(', ')} from ${table} limit 1;
                done := found;
              exception when others then null;
              end;
            end if;`,
        );
        const problems = await findAfter((transaction) =>
          transaction.run(`
            do $$ declare done boolean := false; begin ${attempts.join('')}
              if not done then raise exception 'no row can be added to ${table}'; end if;
            end $$`),
        );
        if (problems.length === 0) missed.push(table);
      }
      assert.deepEqual(missed, []);
    });
  });
}
