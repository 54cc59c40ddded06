// House consignments that are added after their declaration was presented: they are not presented, and are shown as such.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  compileCheck,
  HouseConsignment,
  HouseConsignmentEvent,
  type PreNotifiedHouseConsignment,
  type PresentationPath,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import {
  makePresentConsignment,
  type PresentConsignment,
} from '../presentation/present-consignment.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { getHouseConsignmentHistory } from './get-house-consignment-history.js';
import { listHouseConsignments } from './list-house-consignments.js';

const house = (documentNumber: string) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
});
const checkHouse = compileCheck<HouseConsignment>(HouseConsignment);
const checkEvent = compileCheck<HouseConsignmentEvent>(HouseConsignmentEvent);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`house consignments added after a presentation, on ${name}`, { skip }, () => {
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
        declarant: '0192:declarant',
        houseConsignments,
      });

    const find = async (mrn: string, documentNumber: string) => {
      const { body } = await listHouseConsignments(database, { mrn, documentNumber });
      const [found] = JSON.parse(body);
      const checked = checkHouse(found);
      assert(checked.valid, JSON.stringify(checked));
      return checked.value;
    };

    const history = async (id: string) => {
      const body = await getHouseConsignmentHistory(database, id);
      return (JSON.parse(body ?? '[]') as unknown[]).map((event) => {
        const checked = checkEvent(event);
        assert(checked.valid, JSON.stringify(checked));
        return checked.value;
      });
    };

    const presentAs = async (path: PresentationPath, reference: object) => {
      const request = presentationRequest(path, agent, reference);
      assert((await present(request)).accepted);
      return request.submission.requestId;
    };

    const master = {
      transportDocumentMasterLevel: { documentNumber: 'M1', type: 'N741' as const },
    };
    const receptacle = { receptacleId: 'GBLALADEFRAAACN60123001100251' };
    const container = { containerId: ['JARU0000010'] };
    const levels: [PresentationPath, string, object, object][] = [
      ['entry-summary-declaration', 'ENTRY_SUMMARY_DECLARATION', {}, { mrn: '26NO00000000000001' }],
      [
        'master-consignment',
        'MASTER_CONSIGNMENT',
        master,
        { ...master, mrn: '26NO00000000000002' },
      ],
      ['container', 'CONTAINER', container, { containerId: 'JARU0000010' }],
      ['receptacle', 'RECEPTACLE', receptacle, receptacle],
    ];
    for (const [index, [path, level, members, reference]] of levels.entries()) {
      test(`by its ${path}: it is not presented and shown as added later, until it is presented by itself`, async () => {
        const mrn = `26NO0000000000000${index + 1}`;
        const first = { ...house('H1'), ...members };
        const other = house('H2');
        await preNotify(mrn, [first, other]);
        const requestId = await presentAs(path, reference);
        assert.equal((await find(mrn, 'H1')).state, 'PRESENTED');
        await preNotify(mrn, [first, other, { ...house('H3'), ...members, routing: 'TO_ENTRY' }]);

        const added = await find(mrn, 'H3');
        assert.equal(added.state, 'DECIDED');
        const { at, ...presentation } = added.addedAfterPresentation ?? assert.fail();
        assert.deepEqual(presentation, { by: '0192:agent', requestId, level });
        assert(Date.parse(at) <= Date.now());
        // This is not shown for what was registered before, nor for another part of the declaration.
        assert.equal((await find(mrn, 'H1')).addedAfterPresentation, undefined);
        assert.equal((await find(mrn, 'H2')).addedAfterPresentation, undefined);

        const [preNotified, event, decided, ...rest] = await history(added.id);
        assert.equal(preNotified?.event, 'PRE_NOTIFIED');
        assert.equal(event?.event, 'ADDED_AFTER_PRESENTATION');
        assert.deepEqual(event.details, { at, ...presentation });
        assert.equal(decided?.event, 'DECIDED');
        assert.deepEqual(rest, []);

        await presentAs('house-consignment', { ...house('H3'), mrn });
        const now = await find(mrn, 'H3');
        assert.equal(now.state, 'SIGNALLED');
        assert.equal(now.addedAfterPresentation, undefined);
        const events = (await history(added.id)).map(({ event: kind }) => kind);
        assert.deepEqual(events.slice(0, 4), [
          'PRE_NOTIFIED',
          'ADDED_AFTER_PRESENTATION',
          'DECIDED',
          'PRESENTED',
        ]);
      });
    }
  });
}
