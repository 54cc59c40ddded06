// Presentations above the house level take long, so an organisation has one of their sessions at a time, however many it
// sends: those of others are not held up by them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { PresentationPath } from '@landfall/contract';
import pg from 'pg';
import { type Database, LEVEL_SESSIONS } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { organisationOf } from '../testing/organisation-of.js';
import { whyNoPostgresql } from '../testing/postgresql.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { until } from '../testing/until.js';
import { makePresentConsignment } from './present-consignment.js';

/** Far longer than a presentation takes on a busy machine, in milliseconds. */
const LATE_MS = 20_000;

/** A table on whose lock the presentations of one organisation wait, as if they had very much to read. */
const GATE = 'gate';

type Goods = { mrn: string; number: string; receptacleId: string; containerId: string };
/** Goods of each, so that neither needs a lock that the other one holds. */
const goodsOfBusy: Goods = {
  mrn: '26NO00000000000001',
  number: '1',
  receptacleId: 'GBLALADEFRAAACN60123001100251',
  containerId: 'CSQU3054383',
};
const goodsOfOther: Goods = {
  mrn: '26NO00000000000002',
  number: '2',
  receptacleId: 'SEMMAASEOSLBAUN12345600010001',
  containerId: 'MSKU1234565',
};

/** Each level above that of a house consignment, and how a presentation names the goods. */
const references: [PresentationPath, (goods: Goods) => object][] = [
  ['entry-summary-declaration', ({ mrn }) => ({ mrn })],
  ['master-consignment', (goods) => ({ transportDocumentMasterLevel: masterOf(goods) })],
  ['container', ({ containerId }) => ({ containerId })],
  ['receptacle', ({ receptacleId }) => ({ receptacleId })],
];

function masterOf({ number }: Goods) {
  return { documentNumber: `M${number}`, type: 'N741' as const };
}

const declare = (database: Database, goods: Goods) =>
  registerDeclaration(database, {
    mrn: goods.mrn,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: `0192:declarant-${goods.number}`,
    houseConsignments: [
      {
        transportDocumentHouseLevel: { documentNumber: `H${goods.number}`, type: 'N740' },
        transportDocumentMasterLevel: masterOf(goods),
        receptacleId: goods.receptacleId,
        containerId: [goods.containerId],
      },
    ],
  });

const skip = await whyNoPostgresql();

test('an organisation that presents much keeps the sessions of others free', { skip }, async () => {
  const { url, drop } = await createMigratedPostgresql();
  const database = openPostgresql(url);
  const watch = new FeedWatch(database);
  const present = makePresentConsignment(database, watch);
  const holder = new pg.Client(url);
  try {
    await declare(database, goodsOfBusy);
    await declare(database, goodsOfOther);
    const busy = await organisationOf(database, '0192:busy');
    const other = await organisationOf(database, '0192:other');
    await holder.connect();
    await holder.query(`
      create table ${GATE} ();
      create function wait_for_gate() returns trigger language plpgsql as $$
        begin lock table ${GATE} in share mode; return new; end $$;
      create trigger busy before insert on validation_status
        for each row when (new.owner = ${busy}) execute function wait_for_gate()`);
    await holder.query(`begin; lock table ${GATE}`);

    let ended = 0;
    const many = references.flatMap(([path, refer]) =>
      Array.from({ length: LEVEL_SESSIONS }, () =>
        present(presentationRequest(path, busy, refer(goodsOfBusy))).finally(() => ended++),
      ),
    );
    const outcomes = Promise.all(many);
    outcomes.catch(() => undefined);
    await until(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where relation = '${GATE}'::regclass and not granted`,
      );
      return rows.length > 0;
    });
    for (const [path, refer] of references) {
      const presented = present(presentationRequest(path, other, refer(goodsOfOther)));
      const first = await Promise.race([presented, delay(LATE_MS, 'late', { ref: false })]);
      assert.notEqual(first, 'late', `${path} waits for the sessions of the busy organisation`);
    }
    assert.equal(ended, 0, 'the sessions were kept meanwhile');

    await holder.query('commit');
    assert((await outcomes).every(({ accepted }) => accepted));
  } finally {
    await holder.end();
    watch.close();
    await database.close();
    await drop();
  }
});
