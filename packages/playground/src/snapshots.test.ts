// Snapshots and resets return to exactly the data that was there, on both databases: all tables are compared, as the
// catalogue has them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Landfall } from '../../client/dist/index.js';
import type { Database } from '../../service/dist/assembly.js';
import { readConfig } from '../../service/dist/config.js';
import { createPartitionsAhead, dropPartitions } from '../../service/dist/database/partitions.js';
import { drawnDatabases } from '../../service/dist/testing/databases.js';
import { createPostgresql, whyNoPostgresql } from '../../service/dist/testing/postgresql.js';
import { findPort } from './find-port.js';
import type { Playground } from './playground.js';
import { servePlayground } from './serve-playground.js';
import { startPlayground } from './start-playground.js';
import { MAX_UNDO_ENTRIES } from './undo-queries.js';

const numbers = ['NO100000001MU', 'NO100000002MU'];
const parcel = (documentNumber: string) => ({
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber, type: 'N750' as const },
});

/** What servers write of themselves, at any time. */
const OF_SERVERS = ['server_figures', 'feed_access', 'migration'];

async function readAll(database: Database): Promise<Record<string, unknown>> {
  const query = (text: string) => database.query<{ value: string }>({ name: '', text, values: [] });
  const tables = await query(`
    select relname as value from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition order by 1`);
  const contents: Record<string, unknown> = {};
  for (const { value: table } of tables) {
    if (OF_SERVERS.includes(table)) continue;
    const rows = await query(`select t::text as value from public.${table} t order by 1`);
    contents[table] = rows.map(({ value }) => value);
  }
  contents.sequences = await query(`
    select sequencename || ' ' || coalesce(last_value, 0) as value from pg_sequences where schemaname = 'public' order by 1`);
  return contents;
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`snapshots on ${name}`, { skip }, () => {
    let playground: Playground;
    let database: Database;
    let carrier: Landfall;
    let authority: Landfall;
    before(async () => {
      const dataFolder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
      const config = readConfig({}, { dataFolder, logLevel: 'silent', rateLimit: 0 });
      const port = await findPort(config.host, 0);
      database = await open();
      playground = await servePlayground({ ...config, port }, database, {
        closed: () => rm(dataFolder, { recursive: true }),
      });
      carrier = new Landfall(playground.credentials('carrier'));
      authority = new Landfall(playground.credentials('authority'));
      await carrier.routingSignals();
    });
    after(() => playground.close());

    const run = (script: string) => database.transact((transaction) => transaction.run(script));

    /** What changes data; whether it is refused is of no interest. */
    const changes: Record<string, () => Promise<unknown>> = {
      present: () => carrier.presentHouseConsignment(parcel(numbers[0] ?? '')),
      'present another': () => carrier.presentHouseConsignment(parcel(numbers[1] ?? '')),
      block: async () => {
        const organisation = await authority.getOrganisation('0192:310000027');
        await authority.putOrganisation('0192:310000027', {
          ...organisation,
          blocked: !organisation.blocked,
        });
      },
      'a month passes': () => playground.setClock({ advance: 31 * 86_400 }),
      'fourteen months pass': () => playground.setClock({ advance: 425 * 86_400 }),
      'a late decision': async () => {
        playground.scenarios.add({ kind: 'late-decision', afterSeconds: 60, times: 1 });
        await carrier.presentHouseConsignment(parcel(numbers[1] ?? ''));
      },
      'rows without a key are repeated': () =>
        run('insert into consignment_event select * from consignment_event'),
      'rows without a key are changed': () =>
        run("update consignment_event set recorded_at = recorded_at + interval '1 second'"),
      'rows without a key are deleted': () => run('delete from consignment_event'),
      // More than is undone on a reset to the start, which copies then.
      'many rows are written': () =>
        run(`do $$ begin
          for count in 1..300 loop update organisation set name = left(name || '.', 40); end loop; end $$`),
      'a row is deleted and inserted': () =>
        run(`create temp table kept on commit drop as select * from house_consignment_container;
          delete from house_consignment_container; insert into house_consignment_container select * from kept;
          update organisation set name = name || '.'`),
    };

    /** Background work that comes between the reset and reading, such as retention, does not come twice. */
    async function resetTo(snapshot: string | undefined, contents: unknown): Promise<void> {
      await playground.reset(snapshot);
      if (isDeepStrictEqual(await readAll(database), contents)) return;
      await playground.reset(snapshot);
      assert.deepEqual(await readAll(database), contents);
    }

    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...Object.keys(changes)) },
      { weight: 2, arbitrary: fc.constantFrom('snapshot a', 'snapshot b', 'reset a', 'reset b') },
      { weight: 1, arbitrary: fc.constant('reset') },
    );

    test('all tables have what they had, whatever was done in between', async () => {
      await playground.reset();
      const start = await readAll(database);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          await playground.reset();
          let taken: { name: string; contents: unknown; clock: string; scenarios: unknown }[] = [];
          for (const each of [...steps, 'reset a', 'reset']) {
            const [what, snapshot] = each.split(' ');
            if (what === 'snapshot' && snapshot !== undefined) {
              await playground.snapshot(snapshot);
              taken = taken.filter((other) => other.name !== snapshot);
              const scenarios = playground.scenarios.list();
              const contents = await readAll(database);
              taken.push({
                name: snapshot,
                contents,
                clock: playground.clock.now().toISOString(),
                scenarios,
              });
            } else if (what === 'reset' && snapshot !== undefined) {
              const index = taken.findIndex((other) => other.name === snapshot);
              const expected = taken[index];
              if (expected === undefined) {
                await assert.rejects(playground.reset(snapshot), { code: 'UNKNOWN_SNAPSHOT' });
                continue;
              }
              await resetTo(snapshot, expected.contents);
              assert.deepEqual(playground.scenarios.list(), expected.scenarios);
              assert.ok(Date.parse(expected.clock) - playground.clock.now().getTime() < 1000);
              taken = taken.slice(0, index + 1);
              assert.deepEqual(
                playground.snapshots().map((each) => each.name),
                taken.map((each) => each.name),
              );
            } else if (each === 'reset') {
              await resetTo(undefined, start);
              taken = [];
            } else {
              await changes[each]?.().catch(() => undefined);
            }
          }
        }),
        { numRuns: 12, endOnFailure: true },
      );
    });

    test('a marker of the snapshot is known after the reset, a later one is not', async () => {
      await playground.reset();
      await carrier.presentHouseConsignment(parcel('NO100000001MU'));
      const [first] = (await carrier.routingSignals()).entries;
      await playground.snapshot('presented');
      await carrier.presentHouseConsignment(parcel('NO100000002MU'));
      const [, second] = (await carrier.routingSignals()).entries;
      assert(first !== undefined && second !== undefined);
      await playground.reset('presented');
      const marker = first.routingResult.id;
      assert.deepEqual((await carrier.routingSignals({ marker })).entries, []);
      await assert.rejects(carrier.routingSignals({ marker: second.routingResult.id }), {
        status: 400,
      });
      await carrier.presentHouseConsignment(parcel('NO100000002MU'));
      const again = (await carrier.routingSignals({ marker })).entries;
      assert.equal(again.length, 1);
      assert.notEqual(again[0]?.routingResult.id, second.routingResult.id);
    });

    test('a decision that was to come at the snapshot comes after the reset', async () => {
      await playground.reset();
      await playground.setClock({ running: false });
      playground.scenarios.add({ kind: 'late-decision', afterSeconds: 60 });
      await carrier.presentHouseConsignment(parcel('NO100000002MU'));
      await playground.snapshot('waits');
      for (let round = 0; round < 2; round++) {
        await playground.setClock({ advance: 60 });
        assert.equal((await carrier.routingSignals()).entries.length, 1);
        await playground.reset('waits');
        assert.deepEqual((await carrier.routingSignals()).entries, []);
      }
    });

    test('after more changes than are recorded, a snapshot is refused, and the start is not', async () => {
      await playground.reset();
      const start = await readAll(database);
      await carrier.presentHouseConsignment(parcel('NO100000001MU'));
      await playground.snapshot('old');
      await run(`select setval('playground.undo_position', ${MAX_UNDO_ENTRIES})`);
      playground.scenarios.add({ kind: 'late-decision', afterSeconds: 60 });
      await carrier.presentHouseConsignment(parcel('NO100000002MU'));
      const before = await readAll(database);
      await assert.rejects(playground.reset('old'), { code: 'SNAPSHOT_OUTDATED' });
      await assert.rejects(playground.snapshot('new'), { code: 'SNAPSHOT_OUTDATED' });
      assert.deepEqual(await readAll(database), before);
      assert.equal(playground.scenarios.list().length, 1);
      playground.deleteSnapshot('old');
      await playground.snapshot('new');
      await run('update organisation set name = left(name, 3)');
      await playground.reset('new');
      assert.deepEqual(await readAll(database), before);
      await playground.reset();
      assert.deepEqual(await readAll(database), start);
    });

    test('rows of partitions that retention would drop are there again', async () => {
      await playground.reset();
      const start = await readAll(database);
      await carrier.presentHouseConsignment(parcel('NO100000001MU'));
      const partitioned = {
        table: 'audit_record',
        column: 'recorded_at',
        interval: 'month',
      } as const;
      await createPartitionsAhead(database, partitioned, { now: new Date(), ahead: 1 });
      const before = await readAll(database);
      assert.ok(Array.isArray(before.audit_record) && before.audit_record.length > 0);
      await playground.snapshot('full');
      await dropPartitions(database, partitioned, new Date(Date.now() + 200 * 86_400_000));
      assert.deepEqual((await readAll(database)).audit_record, []);
      await playground.reset('full');
      assert.deepEqual(await readAll(database), before);
      await dropPartitions(database, partitioned, new Date(Date.now() + 200 * 86_400_000));
      await playground.reset();
      assert.deepEqual(await readAll(database), start);
    });

    test('names and their number have rules, and nothing is taken that breaks one', async () => {
      await playground.reset();
      for (const wrong of ['', '-a', 'a b', 'a'.repeat(61), "a'; drop table"]) {
        await assert.rejects(playground.snapshot(wrong), { code: 'VALIDATION_FAILED' });
      }
      for (let count = 0; count < 20; count++) await playground.snapshot(`s${count}`);
      await assert.rejects(playground.snapshot('one-more'), /not be more than 20/);
      await playground.snapshot('s3');
      assert.equal(playground.snapshots().at(-1)?.name, 's3');
      assert.equal(playground.deleteSnapshot('s4'), true);
      assert.equal(playground.deleteSnapshot('s4'), false);
    });
  });
}

test('a database user that may not undo gets no snapshots, and resets', {
  skip: await whyNoPostgresql(),
}, async () => {
  const { url, run, drop } = await createPostgresql();
  const role = `landfall_test_${randomUUID().replaceAll('-', '')}`;
  try {
    await run(`create role ${role} login password 'test'`);
    await run(`alter database ${new URL(url).pathname.slice(1)} owner to ${role}`);
    await run(`grant create on schema public to ${role}`);
    const own = new URL(url);
    own.username = role;
    own.password = 'test';
    await using playground = await startPlayground({ databaseUrl: own.href });
    await assert.rejects(playground.snapshot('none'), {
      code: 'SNAPSHOTS_UNAVAILABLE',
      message: /session_replication_role/,
    });
    const client = new Landfall(playground.credentials('carrier'));
    await client.presentHouseConsignment(parcel('NO100000001MU'));
    await playground.reset();
    assert.deepEqual((await client.routingSignals()).entries, []);
  } finally {
    await drop();
    const server = await createPostgresql();
    await server.run(`drop role if exists ${role}`);
    await server.drop();
  }
});
