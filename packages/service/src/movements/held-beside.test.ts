// Two who do not see each other: one of them is held inside its transaction, after it has read what the other changes, and the
// other goes on beside it. PostgreSQL alone, because the embedded database runs one transaction at a time.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { HELD_IN_TEST_LOCK } from '../database/locks.js';
import { feedKinds } from '../feed-kinds.js';
import { expireConsignments } from '../retention/end-movements.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

/** The carrier of the transports, which reports their arrivals. */
const carrier = 'NO310000124';
const REPORTER = 'haulier';

type Message = { state: string; message: unknown };

/** The tables at which somebody can be held, each with a number of its own within the lock that tests hold. */
const HELD_TABLES = { house_consignment: 1, signal_recipient: 2 } as const;

/** How long one that waits for what is held has time to begin. */
const BESIDE_MS = 400;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  if (name === 'embedded') continue;
  describe(`one is held while another goes on, on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
      await database.query({
        name: '',
        text: `
          create function hold() returns trigger language plpgsql as $$
          begin perform pg_advisory_xact_lock_shared(${HELD_IN_TEST_LOCK}, tg_argv[0]::integer); return new; end $$`,
        values: [],
      });
      for (const [table, number] of Object.entries(HELD_TABLES)) {
        await database.query({
          name: '',
          text: `create trigger hold before insert on ${table} for each row execute function hold(${number})`,
          values: [],
        });
      }
    });
    after(async () => {
      assert.deepEqual(await checkSignals(database), []);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await playground.close();
    });

    /** Begins `first`, holds it when it inserts into the table, runs `beside`, and lets `first` go on. */
    const holdAt = async <First>(
      table: keyof typeof HELD_TABLES,
      first: () => Promise<First>,
      beside: () => Promise<unknown>,
    ): Promise<First> => {
      let begun: Promise<First> | undefined;
      await database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `select pg_advisory_xact_lock(${HELD_IN_TEST_LOCK}, ${HELD_TABLES[table]})`,
          values: [],
        });
        begun = first();
        begun.catch(() => undefined);
        for (let tries = 0; ; tries++) {
          const [row] = await transaction.query<{ waits: boolean }>({
            name: '',
            text: `
              select exists (
                select from pg_locks where locktype = 'advisory' and classid = ${HELD_IN_TEST_LOCK} and not granted
              ) as waits`,
            values: [],
          });
          if (row?.waits) break;
          assert(tries < 200, 'nothing was held');
          await delay(20);
        }
        await beside();
      }, 'maintenance');
      return begun ?? assert.fail('it was not begun');
    };
    const partiesOf = async (mrn: string) => {
      const [row] = await database.query<{ parties: number }>({
        name: '',
        text: `
          select count(*)::integer as parties from declaration d join house_consignment h on h.ens_id = d.id
          join signal_recipient c on c.house_consignment_id = h.id where d.mrn = $1`,
        values: [mrn],
      });
      return row?.parties;
    };
    const lodgeTransport = (means: string, houses: readonly string[]) =>
      movements.lodge('transport', transportMessage(means, { houses, carrier }), 'carrier');
    const lodgeDirect = (documentNumber: string, as: string) =>
      movements.lodge(
        'house-consignment',
        houseMessage(documentNumber, { isDirect: true, carrier }),
        as,
      );
    const arrive = async (mrn: string) => {
      const { status } = await movements.arrive(mrn, REPORTER);
      assert.equal(status, 'SUCCESS');
    };

    test('goods whose lodging began before an arrival and ended after it are presented before its response', async () => {
      const transport = await lodgeTransport('HB1', ['HB1-1']);
      const mrn = await holdAt(
        'house_consignment',
        () => lodgeDirect('HB1-1', 'forwarder'),
        () => arrive(transport),
      );
      assert.equal(await partiesOf(mrn), 2);
    });

    test('goods that were lodged while an arrival was about to end are presented before its response', async () => {
      const transport = await lodgeTransport('HB2', ['HB2-1', 'HB2-2']);
      const reached = await lodgeDirect('HB2-1', 'express');
      let mrn = '';
      await holdAt(
        'signal_recipient',
        () => arrive(transport),
        async () => {
          mrn = await lodgeDirect('HB2-2', 'forwarder');
          assert.equal(await partiesOf(mrn), 0);
        },
      );
      assert.deepEqual([await partiesOf(reached), await partiesOf(mrn)], [2, 2]);
    });

    const receptacles = (number: string) => [`HBR-${number}`];
    /** What must not be done to a master consignment of somebody else while goods under it are presented. */
    const changes: Record<string, (mrn: string, number: string) => Promise<unknown>> = {
      'is cancelled': (mrn) =>
        movements.carryOut('DELETE', `master-consignment/${mrn}`, {}, 'express'),
      'loses its receptacle': (mrn, number) =>
        movements.carryOut(
          'PUT',
          `master-consignment/${mrn}`,
          masterMessage(`HBM-${number}`),
          'express',
        ),
      expires: async () => {
        const context = { database, audit: new AuditTrail(), clock: () => new Date() };
        const ended = expireConsignments(context, new Date(Date.now() + 3_600_000));
        for await (const _ of ended);
      },
    };
    for (const [index, [what, change]] of Object.entries(changes).entries()) {
      test(`no master consignment ${what} beside the presentation of goods under it`, async () => {
        const number = String(index);
        const message = masterMessage(`HBM-${number}`, { receptacles: receptacles(number) });
        const master = await movements.lodge('master-consignment', message, 'express');
        const [receptacle = ''] = receptacles(number);
        await movements.lodge(
          'house-consignment',
          houseMessage(`HBH-${number}`, { receptacle }),
          'forwarder',
        );
        const read = async () => {
          const path = `/api/movement/road/v2/master-consignment/${master}`;
          const { state, message } = (await playground.get(path, 'express')).body as Message;
          return { state, message };
        };
        const before = await read();
        assert.equal(before.state, 'CURRENT');
        let changed: Promise<unknown> = Promise.resolve();
        const presented = await holdAt(
          'signal_recipient',
          () =>
            playground.present('house-consignment', 'forwarder', {
              transportDocumentHouseLevel: roadDocument(`HBH-${number}`),
            }),
          async () => {
            changed = change(master, number);
            changed.catch(() => undefined);
            await Promise.race([changed, delay(BESIDE_MS)]);
          },
        );
        assert.equal(presented.status, 202, presented.text);
        await changed;
        assert.deepEqual(await read(), before);
      });
    }
  });
}
