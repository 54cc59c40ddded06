// The migrations after the base, with data: what was only in columns, or worked out from times, becomes rows of the record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyAudit } from '../audit/verify-audit.js';
import { feedKinds } from '../feed-kinds.js';
import { createPostgresql, whyNoPostgresql } from '../testing/postgresql.js';
import type { Database } from './database.js';
import { startEmbedded } from './embedded/embedded.js';
import { migrate } from './migrate.js';
import { readMigrations } from './migration-files.js';
import { openPostgresql } from './postgresql.js';

const house = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;
const request = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/** The base, with one house consignment for each way in which a decision came about, and one that came too late. */
const DATA = `
  insert into organisation (identifier) values ('0192:1'), ('0192:2');
  insert into registration (at, organisation_id, client_id, request_id) values
    ('2026-01-01T10:00:00Z', 1, 'registry', '${request(1)}'), ('2026-01-01T12:00:00Z', 1, 'registry', '${request(2)}');
  insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant)
    values ('26NO0000000000001A', 'NO351001', 1), ('26NO0000000000002A', 'NO351001', 1);
  insert into house_consignment (id, ens_id, document_number, document_type, master_document_number, master_document_type,
    receptacle_id, signal_head, routing, registration, registered_routing)
  select ('00000000-0000-7000-8000-00000000000' || number)::uuid, ens, 'H' || number, 'N740', master, 'N741', receptacle,
    '{"houseConsignmentId":"H' || number || '"', routing, registration, registered
  from (values
    (1, 1, 'M1', null, null, 1, null),
    (2, 1, 'M1', null, 'TO_CONTROL', 1, 'TO_CONTROL'),
    (3, 1, 'M1', null, 'TO_CONTROL', 1, 'TO_ENTRY'),
    (4, 1, 'M1', null, 'TO_ENTRY', 2, 'TO_ENTRY'),
    (5, 1, 'M1', null, 'TO_ENTRY', 1, null),
    (6, 1, 'M1', null, null, 2, null),
    (7, 2, 'M1', null, null, 2, null),
    (8, 2, 'M2', 'R1', null, 2, null),
    (9, 2, 'm\u200b 2', null, null, 2, null)
  ) given (number, ens, master, receptacle, routing, registration, registered);
  -- Two goods of one declaration that differ only in spelling, and one of another declaration.
  update house_consignment set document_number = case id when '${house(1)}' then 'h 1' when '${house(2)}' then 'H1'
    else 'H\u200b\u00a01' end where id in ('${house(1)}', '${house(2)}', '${house(7)}');
  insert into house_consignment_container values ('C1', '${house(9)}', 2);
  insert into routing_decision (house_consignment_id, number, decided_at, routing, organisation_id, client_id, request_id, profile)
  values
    ('${house(3)}', 1, '2026-01-01T11:00:00Z', 'TO_CONTROL', 2, 'engine', 'a', null),
    ('${house(4)}', 1, '2026-01-01T11:00:00Z', 'TO_CONTROL', 2, 'engine', 'b', null),
    ('${house(5)}', 1, '2026-01-01T10:00:00Z', 'TO_ENTRY', null, null, 'c', 'sampling');
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type) values
    (1, 2, '${request(3)}', '2026-01-01T11:30:00Z', 'ENTRY_SUMMARY_DECLARATION', '26NO0000000000001A', null),
    (2, 2, '${request(4)}', '2026-01-01T11:30:00Z', 'RECEPTACLE', 'R1', null),
    (2, 2, '${request(5)}', '2026-01-01T11:31:00Z', 'CONTAINER', 'C1', null),
    (2, 2, '${request(6)}', '2026-01-01T11:32:00Z', 'MASTER_CONSIGNMENT', 'M2', 'N740'),
    (2, 2, '${request(7)}', '2026-01-01T12:30:00Z', 'MASTER_CONSIGNMENT', 'M1', 'N741');
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, first_presented_at, office,
    awaits_decision)
  select h.id, 1, 2, '${request(3)}', '2026-01-01T11:30:00Z', 'NO351001', case when h.routing is null then true end
  from house_consignment h where h.registration = 1;`;

/** Goods whose keys were other ones before all capitals of `ß` were the same: two of one declaration, and two of another. */
const SPELLINGS = `
  insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant)
    values ('26NO0000000000003A', 'NO351001', 1), ('26NO0000000000004A', 'NO351001', 1);
  insert into house_consignment (id, ens_id, document_number, document_type, master_document_number, master_document_type,
    signal_head, registration)
  select ('10000000-0000-7000-8000-00000000000' || number)::uuid, e.id, document, 'N740', master, 'N741',
    '{"houseConsignmentId":"H"', 1
  from (values
    (1, 3, 'STRAßE', 'GROẞ'),
    (2, 3, 'STRASSE', 'M1'),
    (3, 4, 'Straße', 'M1'),
    (4, 4, 'H4', 'groß')
  ) given (number, declaration, document, master)
  join entry_summary_declaration e on e.mrn = '26NO000000000000' || declaration || 'A';
  select append_audit_record(3, '{"action":"test.done","details":{}}');`;

const databases = [
  // Without the snapshot, which has all migrations.
  { name: 'embedded', skip: false as const, open: () => startEmbedded({}) },
  {
    name: 'PostgreSQL',
    skip: await whyNoPostgresql(),
    open: async (): Promise<Database> => {
      const { url, drop } = await createPostgresql();
      const database = openPostgresql(url);
      const close = () => database.close().finally(drop);
      return { ...database, close };
    },
  },
];

for (const { name, skip, open } of databases) {
  test(`the record of the base becomes rows on ${name}`, { skip }, async () => {
    const database = await open();
    const read = <Row extends object>(text: string) =>
      database.query<Row>({ name: '', text, values: [] });
    try {
      const migrations = await readMigrations();
      await migrate(database, undefined, migrations.slice(0, 1));
      await database.transact((transaction) => transaction.run(DATA));
      const capitals = migrations.findIndex((migration) => migration.name.startsWith('0029'));
      await migrate(database, undefined, migrations.slice(0, capitals));
      await database.transact((transaction) => transaction.run(SPELLINGS));
      await migrate(database, undefined, migrations);

      const decisions = await read<Record<string, unknown>>(`
        select right(house_consignment_id::text, 1) as house, number, routing, origin, client_id as client,
          request_id as request, decided_at as at
        from routing_decision order by house_consignment_id, number`);
      const at = (hour: number) => new Date(`2026-01-01T${hour}:00:00Z`);
      const [registry, engine] = ['registry', 'engine'];
      assert.deepEqual(
        decisions.map((row) => Object.values(row)),
        [
          ['2', 0, 'TO_CONTROL', 'REGISTRATION', registry, request(1), at(10)],
          ['3', 0, 'TO_ENTRY', 'REGISTRATION', registry, request(1), at(10)],
          ['3', 1, 'TO_CONTROL', 'ENGINE', engine, 'a', at(11)],
          ['4', 1, 'TO_CONTROL', 'ENGINE', engine, 'b', at(11)],
          ['4', 2, 'TO_ENTRY', 'REGISTRATION', registry, request(2), at(12)],
          ['5', 1, 'TO_ENTRY', 'PROFILE', null, 'c', at(10)],
        ],
      );

      // Only what one of the references reaches, and what was registered after its presentation.
      const entered = await read<{ house: string; by: { requestId: string; level: string } }>(`
        select right(id::text, 1) as house, entered_after_presentation(id) as by from house_consignment
        where entered_after_presentation(id) is not null order by id`);
      assert.deepEqual(
        entered.map(({ house: each, by }) => [each, by.level, by.requestId]),
        [
          ['4', 'ENTRY_SUMMARY_DECLARATION', request(3)],
          ['6', 'ENTRY_SUMMARY_DECLARATION', request(3)],
          ['8', 'RECEPTACLE', request(4)],
          ['9', 'CONTAINER', request(5)],
        ],
      );

      // Nothing is lost: goods of one declaration with one key are found by their own spelling alone.
      const keys = await read<Record<string, unknown>>(`
        select right(id::text, 1) as house, document_key, master_document_key, only_spelling from house_consignment order by id`);
      assert.deepEqual(
        keys.map((row) => Object.values(row)),
        [
          ['1', 'H1', 'M1', 'h 1'],
          ['2', 'H1', 'M1', 'H1'],
          ...[3, 4, 5, 6].map((number) => [String(number), `H${number}`, 'M1', null]),
          ['7', 'H1', 'M1', null],
          ['8', 'H8', 'M2', null],
          ['9', 'H9', 'M2', null],
          ['1', 'STRASSE', 'GROSS', 'STRAßE'],
          ['2', 'STRASSE', 'M1', 'STRASSE'],
          ['3', 'STRASSE', 'M1', null],
          ['4', 'H4', 'GROSS', null],
        ],
      );
      const find = (text: string) =>
        read<{ houses: number; house: string | null }>(
          `select houses, right(house::text, 1) as house from find_house_consignment('26NO0000000000001A', '${text}', 'N740')`,
        );
      assert.deepEqual(await find('h 1'), [{ houses: 1, house: '1' }]);
      assert.deepEqual(await find('H1'), [{ houses: 1, house: '2' }]);
      assert.deepEqual(await find('h1'), [{ houses: 0, house: null }]);
      const reached = await read<{ house: string }>(
        `select right(house::text, 1) as house
        from reach_level('MASTER_CONSIGNMENT', 'M 2', 'N741', null, 1, false) order by 1`,
      );
      assert.deepEqual(
        reached.map((row) => row.house),
        ['8', '9'],
      );

      const { breaks } = await verifyAudit(database, feedKinds);
      assert.deepEqual(breaks, []);
      await read(`update routing_decision set reason = 'changed' where number = 2`);
      assert.notDeepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    } finally {
      await database.close();
    }
  });
}
