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
import { drawnDatabases } from '../testing/databases.js';
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

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
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
        /** The same by what was presented, and by the declaration that the agent may see. */
        const assertRelease = async (expected: object) => {
          for (const scanned of [identifier, ONE]) {
            assert.deepEqual(await release(scanned, agent), expected, scanned);
          }
        };
        await assertRelease({ outcome: 'TO_ENTRY', complete: true });

        await preNotify(ONE, [first, { ...house(`${path}-2`), ...members }]);
        assert.equal(await flagOf(ONE, `${path}-2`), requestId);
        await assertRelease({ outcome: 'UNDECIDED', complete: false });

        // One that leaves it again is not flagged, and one that enters it again is.
        await preNotify(ONE, [first, house(`${path}-2`)]);
        assert.equal(await flagOf(ONE, `${path}-2`), undefined);
        await assertRelease({ outcome: 'TO_ENTRY', complete: true });
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

    for (const [path, members, reference, identifier] of levels) {
      test(`${path}: what entered and is to be controlled holds it, whoever presents it`, async () => {
        const other = await organisationOf(database, '0192:other-agent');
        const first = { ...house(`${path}-4`), ...members, routing: 'TO_ENTRY' as const };
        await preNotify(ONE, [first]);
        await presentAs(path, reference);
        const entered = { ...house(`${path}-5`), ...members, routing: 'TO_CONTROL' as const };
        await preNotify(ONE, [first, entered]);
        const request = presentationRequest('house-consignment', other, { ...entered, mrn: ONE });
        assert((await present(request)).accepted);
        assert.deepEqual(await release(identifier, agent), {
          outcome: 'UNDECIDED',
          complete: false,
        });
        const own = { outcome: 'TO_CONTROL', complete: true };
        assert.deepEqual(await release(identifier, other), own);
        // Once it knows, its own signals say it.
        await presentAs('house-consignment', { ...entered, mrn: ONE });
        assert.deepEqual(await release(identifier, agent), own);
        await database.transact((transaction) =>
          transaction.run(`truncate signal_recipient, house_consignment_container, house_consignment cascade;
            delete from entered_house_consignment`),
        );
      });
    }

    test('a party is told that not all of what it lodged is presented, by whatever leads to it', async () => {
      const mrn = '26NO00000000000071';
      const receptacleId = 'GBASFZMLBKONAUN30001001019999';
      const inside = { containerId: ['JARU0000052'], receptacleId };
      await preNotify(mrn, [
        { ...house('P1'), ...inside, routing: 'TO_ENTRY' },
        { ...house('P2'), ...inside, routing: 'TO_CONTROL' },
      ]);
      const declarant = await organisationOf(database, '0192:310000086');
      const identifiers = [mrn, 'JARU0000052', receptacleId];
      const assertReleases = async (organisation: number, expected: object) => {
        for (const identifier of identifiers) {
          assert.deepEqual(await release(identifier, organisation), expected, identifier);
        }
      };
      await assertReleases(declarant, { outcome: 'UNKNOWN', complete: true });
      await presentAs('house-consignment', { ...house('P1'), mrn });
      await assertReleases(declarant, { outcome: 'NOT_PRESENTED', complete: false });
      // Whoever has lodged nothing sees what they presented.
      await assertReleases(agent, { outcome: 'TO_ENTRY', complete: true });
    });

    describe('where only those may present whom a declaration names', () => {
      const NAMED = '26NO00000000004001';
      // No other test has presented these.
      const ownMaster = {
        transportDocumentMasterLevel: { documentNumber: 'M9', type: 'N741' as const },
      };
      const ownReceptacle = { receptacleId: 'GBLALADEFRAAACN69999001100251' };
      const members = { ...ownMaster, ...ownReceptacle, containerId: ['JARU0000052'] };
      const references: [PresentationPath, object][] = [
        ['master-consignment', ownMaster],
        ['container', { containerId: 'JARU0000052' }],
        ['receptacle', ownReceptacle],
        ['entry-summary-declaration', { mrn: NAMED }],
      ];
      const parties = {
        declarant: { declarant: '0192:agent' },
        representative: { representative: '0192:agent' },
        carrier: { carrier: '0192:agent' },
        presenters: { presenters: ['0192:other', '0192:agent'] },
      };
      let presentNamed: PresentConsignment;
      before(() => {
        presentNamed = makePresentConsignment(database, watch, 'expected');
      });
      const name = (mrn: string, houses: string[], named: object) =>
        registerDeclaration(database, {
          mrn,
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:310000086',
          ...named,
          houseConsignments: houses.map((number) => ({ ...house(number), ...members })),
        });
      const presentAsAgent = async (path: PresentationPath, reference: object) => {
        const request = presentationRequest(path, agent, reference);
        assert.deepEqual(await presentNamed(request), {
          accepted: true,
          requestId: request.submission.requestId,
        });
        return request.submission.requestId;
      };
      let mrns = 0;
      for (const [path, reference] of references) {
        for (const [party, named] of Object.entries(parties)) {
          test(`${path}: goods are flagged for a presenter who becomes ${party}, and no longer when not`, async () => {
            const isWhole = path === 'entry-summary-declaration';
            const mrn = `26NO0000000000${String(2000 + mrns++)}`;
            // The declaration itself is presented while it names the agent and is empty.
            const ofAgent = isWhole ? mrn : NAMED;
            await name(ofAgent, isWhole ? [] : ['NAMED-1'], { carrier: '0192:agent' });
            const requestId = await presentAsAgent(path, isWhole ? { mrn } : reference);
            await name(mrn, ['NAMED-2'], {});
            assert.equal(await flagOf(mrn, 'NAMED-2'), undefined);
            await name(mrn, ['NAMED-2'], named);
            assert.equal(await flagOf(mrn, 'NAMED-2'), requestId);
            await name(mrn, ['NAMED-2'], {});
            assert.equal(await flagOf(mrn, 'NAMED-2'), undefined);
            await database.transact((transaction) =>
              transaction.run(`truncate signal_recipient, house_consignment_container, house_consignment cascade;
                delete from entered_house_consignment; delete from presented_reference`),
            );
          });
        }
      }

      test('a presentation and a change of the parties at the same time: one of them sees the other', async () => {
        for (let round = 0; round < 20; round++) {
          const mrn = `26NO0000000000${String(3000 + round)}`;
          await name(NAMED, [`BOTH-${round}`], { carrier: '0192:agent' });
          await name(mrn, [`BOTH-${round}-2`], {});
          await Promise.all([
            setTimeout(round % 5).then(() =>
              presentAsAgent('container', { containerId: 'JARU0000052' }),
            ),
            setTimeout((round * 3) % 5).then(() =>
              name(mrn, [`BOTH-${round}-2`], { presenters: ['0192:agent'] }),
            ),
          ]);
          const { body } = await listHouseConsignments(database, { mrn });
          const [found] = JSON.parse(body);
          const isPresented = found.presented !== undefined;
          const isFlagged = found.addedAfterPresentation !== undefined;
          assert.notEqual(isPresented, isFlagged, `round ${round}: ${body}`);
          await database.transact((transaction) =>
            transaction.run(`truncate signal_recipient, house_consignment_container, house_consignment cascade;
              delete from entered_house_consignment; delete from presented_reference`),
          );
        }
      });
    });

    test('of goods in two containers, each presenter is told by their own container alone', async () => {
      const other = await organisationOf(database, '0192:other-agent');
      const inBoth = { containerId: ['JARU0000031', 'JARU0000047'] };
      await preNotify('26NO00000000000061', [
        { ...house('B1'), containerId: ['JARU0000031'], routing: 'TO_ENTRY' },
        { ...house('B2'), containerId: ['JARU0000047'], routing: 'TO_ENTRY' },
      ]);
      await presentAs('container', { containerId: 'JARU0000031' });
      const request = presentationRequest('container', other, { containerId: 'JARU0000047' });
      assert((await present(request)).accepted);
      await preNotify('26NO00000000000062', [{ ...house('B3'), ...inBoth }]);
      // What is refused shows nothing: these documents are in both declarations.
      await preNotify('26NO00000000000063', [house('B1'), house('B2'), house('B3')]);
      for (const presenter of [agent, other]) {
        for (const number of ['B1', 'B2', 'B3']) {
          const refused = presentationRequest('house-consignment', presenter, house(number));
          assert(!(await present(refused)).accepted);
        }
      }
      const held = { outcome: 'UNDECIDED', complete: false };
      assert.deepEqual(await release('JARU0000031', agent), held);
      assert.deepEqual(await release('JARU0000047', other), held);
      const unknown = { outcome: 'UNKNOWN', complete: true };
      assert.deepEqual(await release('JARU0000031', other), unknown);
      assert.deepEqual(await release('JARU0000047', agent), unknown);
      // The document of others' goods is not known, although they are in the container.
      for (const presenter of [agent, other]) {
        assert.deepEqual(await release('B3', presenter), unknown);
      }
    });

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
