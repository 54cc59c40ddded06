// Two servers on one PostgreSQL: a feed has one order, no gap and no doubles, and wakes readers on either.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RoutingSignal } from '@landfall/contract';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import {
  makePresentConsignment,
  type PresentConsignment,
} from '../presentation/present-consignment.js';
import { readSubmission } from '../presentation/submission.js';
import { register } from '../registry/register.js';
import { routingSignals } from '../routing/signal-feed.js';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { readPage } from './read-feed.js';
import { FeedWatch } from './watch-feeds.js';

const HOUSES = 300;
const MRN = '26NO00000000000001';
const [, { skip } = { skip: false }] = await testDatabases();

/** What one server is made of, as far as presenting and waiting go. */
type Server = { database: Database; watch: FeedWatch; present: PresentConsignment };

function startServer(url: string): Server {
  const database = openPostgresql(url);
  // Longer than any test: only an announcement wakes whoever waits.
  const watch = new FeedWatch(database, { pollInterval: 3_600_000 });
  return { database, watch, present: makePresentConsignment(database, watch) };
}

async function untilBothListen(database: Database): Promise<void> {
  for (let tries = 0; ; tries++) {
    const listening = await database.query({
      name: '',
      text: `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
      values: [],
    });
    if (listening.length === 2) return;
    assert(tries < 600, 'the two servers do not listen to announcements');
    await delay(50);
  }
}

describe('two servers on one PostgreSQL', { skip }, () => {
  let servers: Server[];
  let drop: () => Promise<void>;
  let organisations: number[];

  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    servers = [startServer(created.url), startServer(created.url)];
    const [first] = servers;
    assert(first);
    await untilBothListen(first.database);
    const declaration = {
      mrn: MRN,
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: '0192:1',
    };
    const houses = Array.from({ length: HOUSES }, (_, number) => ({
      transportDocumentHouseLevel: { documentNumber: `H${number}`, type: 'N740' as const },
      routing: 'TO_ENTRY' as const,
    }));
    await register(
      { database: first.database, audit: new AuditTrail(), newId: v7 },
      [{ mrn: MRN, declaration, houses, isComplete: true }],
      { at: new Date(), actor: undefined, requestId: randomUUID() },
    );
    const rows = await first.database.query<{ id: number }>({
      name: '',
      text: `
        with made as (insert into organisation (identifier) values ('0192:2'), ('0192:3'), ('0192:4') returning id)
        select id from made union all select id from organisation where identifier = '0192:1' order by id`,
      values: [],
    });
    organisations = rows.map(({ id }) => id);
  });

  after(async () => {
    for (const { watch, database } of servers) {
      watch.close();
      await database.close();
    }
    await drop();
  });

  const present = async (server: number, organisation: number, house: number) => {
    const body = {
      requestId: randomUUID(),
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel: { documentNumber: `H${house}`, type: 'N740' },
    };
    const outcome = await servers[server]?.present({
      organisationId: organisation,
      actor: { organisation: 'test', client: 'test' },
      submission: readSubmission('house-consignment', body, () => true),
    });
    assert(outcome?.accepted);
  };

  test('whoever waits on one server is woken by what the other presents', async () => {
    const [organisation = 0] = organisations;
    const watcher = servers[0]?.watch.watch({ kind: routingSignals, owner: organisation });
    assert(watcher);
    const woken = watcher.next(20_000);
    await present(1, organisation, 0);
    assert.equal(await woken, true, 'no announcement came');
    const page = await readPage(
      servers[0]?.database ?? assert.fail(),
      { kind: routingSignals, owner: organisation },
      0,
      10,
      'json',
    );
    assert.equal(page.entries, 1);
    watcher.stop();
  });

  test('a reader with markers sees every signal once and in the final order while both write', async () => {
    let writing = true;
    const readAll = async (owner: number) => {
      const feed = { kind: routingSignals, owner };
      const database = servers[owner % 2]?.database ?? assert.fail();
      const read: string[] = [];
      for (let position = 0, last = false; ; ) {
        const page = await readPage(database, feed, position, 7, 'json');
        const signals = JSON.parse(page.body) as RoutingSignal[];
        read.push(...signals.map(({ routingResult }) => routingResult.id));
        position = page.position;
        if (page.entries === 0 && last) return read;
        last = !writing;
      }
    };
    const readers = organisations.map(readAll);
    await Promise.all(
      organisations.flatMap((organisation) =>
        [0, 1].flatMap((server) =>
          Array.from({ length: HOUSES }, (_, house) => present(server, organisation, house)),
        ),
      ),
    );
    writing = false;
    for (const [index, reader] of readers.entries()) {
      const owner = organisations[index] ?? 0;
      const page = await readPage(
        servers[0]?.database ?? assert.fail(),
        { kind: routingSignals, owner },
        0,
        1000,
        'json',
      );
      const signals = JSON.parse(page.body) as RoutingSignal[];
      const ids = signals.map(({ routingResult }) => routingResult.id);
      assert.deepEqual(await reader, ids);
      assert.equal(page.entries, HOUSES);
      assert.equal(page.position, HOUSES, 'positions are without a gap');
      const documents = signals.map((signal) => signal.transportDocumentHouseLevel.documentNumber);
      assert.equal(new Set(documents).size, HOUSES);
    }
  });
});
