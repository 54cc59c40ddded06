// Whatever enters a whole that was presented is flagged, whichever way it enters and whoever is first.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { PreNotifiedHouseConsignment, PresentationPath } from '@landfall/contract';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import { listHouseConsignments } from '../consignments/list-house-consignments.js';
import type { Database, Transaction } from '../database/database.js';
import { AUDIT_LOCK, REFERENCE_LOCK } from '../database/locks.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import {
  makePresentConsignment,
  type PresentConsignment,
} from '../presentation/present-consignment.js';
import { checkRelease } from '../routing/check-release.js';
import { testDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { DeclarationTurns } from './declaration-locks.js';
import { putEntrySummaryDeclaration } from './put-entry-summary-declaration.js';

const house = (documentNumber: string) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
});
const ONE = '26NO00000000000001';
const OTHER = '26NO00000000000002';
const EMPTY = '26NO00000000000003';
const master = { transportDocumentMasterLevel: { documentNumber: 'M1', type: 'N741' as const } };
const receptacle = { receptacleId: 'GBLALADEFRAAACN60123001100251' };
const container = { containerId: ['JARU0000010'] };

/** The levels at which goods of several declarations can be reached. */
const levels: [PresentationPath, object, object, string][] = [
  ['master-consignment', master, { ...master, mrn: ONE }, 'M1'],
  ['container', container, { containerId: 'JARU0000010' }, 'JARU0000010'],
  ['receptacle', receptacle, receptacle, receptacle.receptacleId],
];

for (const { name, skip, open } of await testDatabases()) {
  describe(`what enters a presented whole, on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    let present: PresentConsignment;
    let agent: number;

    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
      present = makePresentConsignment(database, watch);
      agent = await organisationOf(database, '0192:agent');
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    const preNotify = (mrn: string, houseConsignments: PreNotifiedHouseConsignment[]) =>
      registerDeclaration(database, {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000086',
        houseConsignments,
      });
    const presentAs = async (path: PresentationPath, reference: object) => {
      const request = presentationRequest(path, agent, reference);
      assert((await present(request)).accepted);
      return request.submission.requestId;
    };
    const flagOf = async (mrn: string, documentNumber: string) => {
      const { body } = await listHouseConsignments(database, { mrn, documentNumber });
      const [found] = JSON.parse(body);
      return found.addedAfterPresentation?.requestId;
    };
    const release = async (identifier: string, organisation?: number) => {
      const { body } = await checkRelease(database, identifier, organisation);
      const { outcome, complete } = JSON.parse(body);
      return { outcome, complete };
    };

    /** Runs the work while a transaction holds the lock of a reference, as a presentation does. */
    const holding = (reference: string, work: (transaction: Transaction) => Promise<void>) =>
      database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `select lock_references(${REFERENCE_LOCK}, array[$1], false)`,
          values: [reference],
        });
        await work(transaction);
      });
    const countHouses = async (mrn: string) => {
      const { body } = await listHouseConsignments(database, { mrn });
      return JSON.parse(body).length;
    };

    for (const [path, members, reference, identifier] of levels) {
      test(`${path}: a line, an amendment and goods of another declaration`, async () => {
        const first = { ...house(`${path}-1`), ...members, routing: 'TO_ENTRY' as const };
        await preNotify(ONE, [first, house(`${path}-2`)]);
        const requestId = await presentAs(path, reference);
        assert.deepEqual(await release(identifier, agent), { outcome: 'TO_ENTRY', complete: true });

        await preNotify(ONE, [first, { ...house(`${path}-2`), ...members }]);
        assert.equal(await flagOf(ONE, `${path}-2`), requestId);
        assert.deepEqual(await release(identifier, agent), {
          outcome: 'UNDECIDED',
          complete: false,
        });

        // One that leaves it again is not flagged, and one that enters it again is.
        await preNotify(ONE, [first, house(`${path}-2`)]);
        assert.equal(await flagOf(ONE, `${path}-2`), undefined);
        assert.deepEqual(await release(identifier, agent), { outcome: 'TO_ENTRY', complete: true });
        await preNotify(ONE, [first]);
        await preNotify(ONE, [first, { ...house(`${path}-2`), ...members }]);
        assert.equal(await flagOf(ONE, `${path}-2`), requestId);

        await preNotify(OTHER, [{ ...house(`${path}-3`), ...members }]);
        // A master consignment is one of a declaration, if the presentation names it.
        const expected = path === 'master-consignment' ? undefined : requestId;
        assert.equal(await flagOf(OTHER, `${path}-3`), expected);

        for (const [mrn, number] of [
          [ONE, `${path}-1`],
          [ONE, `${path}-2`],
        ] as const)
          await presentAs('house-consignment', { ...house(number), mrn });
        assert.equal(await flagOf(ONE, `${path}-2`), undefined);
        // Both declarations begin anew for the next level.
        await database.transact((transaction) =>
          transaction.run(`truncate signal_recipient, house_consignment_container, house_consignment cascade;
            delete from entered_house_consignment`),
        );
      });
    }

    test('a declaration that was presented while it was empty', async () => {
      await preNotify(EMPTY, []);
      const requestId = await presentAs('entry-summary-declaration', { mrn: EMPTY });
      await presentAs('entry-summary-declaration', { mrn: EMPTY });
      await preNotify(EMPTY, [house('E1')]);
      assert.equal(await flagOf(EMPTY, 'E1'), requestId);
      assert.deepEqual(await release(EMPTY, agent), { outcome: 'UNKNOWN', complete: false });
    });

    test('a presentation and a registration at the same time: one of them sees the other', async () => {
      for (let round = 0; round < 40; round++) {
        const mrn = `26NO${String(round).padStart(14, '5')}`;
        const receptacleId = `GBLALADEFRAAACN6${String(2000 + round)}001100251`;
        const packed = (number: string) => ({ ...house(number), receptacleId });
        await preNotify(mrn, [packed(`R${round}-1`)]);
        const later = OTHER.replace('26NO', '26SE').slice(0, -3) + String(round).padStart(3, '0');
        await Promise.all([
          presentAs('receptacle', { receptacleId }),
          setTimeout(round % 8).then(() => preNotify(later, [packed(`R${round}-2`)])),
        ]);
        const { body } = await listHouseConsignments(database, { mrn: later });
        const [found] = JSON.parse(body);
        const isPresented = found.presented !== undefined;
        const isFlagged = found.addedAfterPresentation !== undefined;
        assert.notEqual(isPresented, isFlagged, `round ${round}: ${body}`);
      }
    });

    test('a registration waits for a presentation that holds its reference for longer than a lock is waited for', async () => {
      const mrn = '26NO00000000000051';
      await preNotify(mrn, [house('PATIENT-1')]);
      let registered: Promise<unknown> | undefined;
      await holding('JARU0000010', async () => {
        registered = putEntrySummaryDeclaration(
          {
            database,
            audit: new AuditTrail(),
            newId: v7,
            turns: new DeclarationTurns(database),
          },
          mrn,
          {
            mrn,
            customsOfficeOfFirstEntry: 'NO351001',
            declarant: '0192:310000086',
            houseConsignments: [
              house('PATIENT-1'),
              { ...house('PATIENT-2'), containerId: ['JARU0000010'] },
            ],
          },
          () => true,
          { at: undefined, actor: undefined, requestId: randomUUID() },
          'any',
        );
        // Longer than the session may wait.
        await setTimeout(2500);
      });
      assert.deepEqual(await registered, {
        mrn,
        status: 'CHANGED',
        houseConsignments: { added: 1, changed: 0, removed: 0, unchanged: 1 },
      });
    });

    test('a registration of very many changes takes the locks of references before those of the audit trail', async () => {
      const mrn = '26NO00000000000052';
      await preNotify(
        mrn,
        Array.from({ length: 1001 }, (_, index) => house(`MANY-${index}`)),
      );
      let registered: Promise<void> | undefined;
      await holding('JARU0000010', async (transaction) => {
        registered = preNotify(mrn, [{ ...house('MANY-NEW'), containerId: ['JARU0000010'] }]);
        await setTimeout(1000);
        const chains = await transaction.query({
          name: '',
          text: `
            select from pg_locks
            where locktype = 'advisory' and classid = ${AUDIT_LOCK}
              and database = (select oid from pg_database where datname = current_database())`,
          values: [],
        });
        assert.equal(chains.length, 0);
      });
      await registered;
      assert.equal(await countHouses(mrn), 1);
    });
  });
}
