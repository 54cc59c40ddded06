// Movement messages of any organisation, as the authority reads and cancels them.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { LodgedMovement, MovementStatus } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { expireTransports, removeMessageTexts } from '../retention/end-movements.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

const PATH = '/api/authority/v1/movements';
const carrier = 'NO310000124';
/** The organisation of `haulier` as the representative of a message. */
const representative = {
  name: 'Representative',
  identificationNumber: carrier,
  address: { city: 'Oslo', country: 'NO' },
  communication: [],
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`movement messages for the authority on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
    });
    after(async () => {
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await playground.close();
    });

    const read = async (mrn: string) => {
      const response = await playground.get(`${PATH}/${mrn}`, 'authority');
      assert.equal(response.status, 200, response.text);
      // Safe cast: the response was compared with openapi.json.
      return response.body as LodgedMovement;
    };
    const cancel = (mrn: string, body: unknown = { reason: 'the sender is insolvent' }) =>
      playground.call(`${PATH}/${mrn}`, { as: 'authority', method: 'DELETE', body });
    const statuses = async (as: string) => {
      const path = '/api/movement/status/v1/validation-status?limit=1000';
      return (await playground.get(path, as)).body as MovementStatus[];
    };
    const records = async (action: string, mrn: string) => {
      const rows = await database.query<{ entry: string }>({
        name: '',
        text: `select entry from audit_record where entry::jsonb ->> 'action' = $1 and entry like '%' || $2 || '%'
          order by chain, position`,
        values: [action, mrn],
      });
      return rows.map(({ entry }) => JSON.parse(entry));
    };
    const expiry = () => ({ database, audit: new AuditTrail(), clock: () => new Date() });
    const inAnHour = () => new Date(Date.now() + 3_600_000);
    const mrnsOf = (coupled: LodgedMovement['above']) => coupled.map(({ mrn }) => mrn);

    test('a message is read with its text, its parties, and what is above and below it', async () => {
      const lorry = transportMessage('AM1', { carrier, masters: ['AMM', 'AMN'], houses: ['AMD'] });
      const transport = await movements.lodge('transport', lorry, 'carrier');
      const master = await movements.lodge('master-consignment', {
        ...masterMessage('AMM', { carrier }),
        representative,
      });
      const house = await movements.lodge(
        'house-consignment',
        houseMessage('AMH', { master: 'AMM', carrier }),
      );
      const direct = await movements.lodge(
        'house-consignment',
        houseMessage('AMD', { isDirect: true, carrier }),
      );
      const ofTransport = await read(transport);
      assert.deepEqual([ofTransport.above, ofTransport.moreAbove], [[], false]);
      assert.deepEqual(mrnsOf(ofTransport.below).sort(), [master, direct].sort());
      assert.equal(ofTransport.moreBelow, false);
      assert.deepEqual(ofTransport.message, lorry);
      const ofMaster = await read(master);
      assert.deepEqual([mrnsOf(ofMaster.above), mrnsOf(ofMaster.below)], [[transport], [house]]);
      assert.deepEqual(ofMaster.below[0], {
        mrn: house,
        level: 'HOUSE_CONSIGNMENT',
        state: 'CURRENT',
        document: { documentNumber: 'AMH', type: 'N730' },
        carrierIdentificationNumber: carrier,
        masterDocument: { documentNumber: 'AMM', type: 'N730' },
      });
      const { submitter } = ofMaster;
      assert.match(submitter, /^0192:/);
      assert.equal(ofMaster.representative, '0192:310000124');
      assert.equal(ofMaster.carrier, '0192:310000124');
      const ofHouse = await read(house);
      assert.deepEqual(mrnsOf(ofHouse.above).sort(), [master, transport].sort());
      assert.deepEqual([ofHouse.below, ofHouse.complete], [[], true]);
      const goods = await playground.get(
        `/api/authority/v1/house-consignments/${ofHouse.houseConsignmentId}`,
        'authority',
      );
      assert.equal((goods.body as { houseConsignmentMRN?: string }).houseConsignmentMRN, house);
    });

    test('each reading is in the audit trail with the digest of the text that lodging recorded', async () => {
      const mrn = await movements.lodge('master-consignment', masterMessage('AMA'));
      await read(mrn);
      await read(mrn);
      const [lodged] = await records('movements.recorded', mrn);
      const [stored] = await database.query<{ text: string }>({
        name: '',
        text: `select body as text from movement_text
          where declaration_id = (select id from declaration where mrn = $1)`,
        values: [mrn],
      });
      const digest = createHash('sha256')
        .update(stored?.text ?? '')
        .digest('hex');
      assert.equal(lodged.details.requests[0].digest, digest);
      const reads = await records('movement.read', mrn);
      assert.equal(reads.length, 2);
      for (const { actor, details } of reads) {
        assert.match(actor.organisation, /^0192:/);
        assert.deepEqual(details, { mrn, level: 'MASTER_CONSIGNMENT', digest });
      }
    });

    test('of a message whose text was removed, the rest is read', async () => {
      const mrn = await movements.lodge('transport', transportMessage('AMR'));
      assert.equal((await cancel(mrn)).status, 200);
      for await (const _ of removeMessageTexts(expiry(), inAnHour())) {
        // All of them are removed.
      }
      const { message, level } = await read(mrn);
      assert.deepEqual([message, level], [undefined, 'TRANSPORT']);
      const [{ details }] = await records('movement.read', mrn);
      assert.deepEqual(details, { mrn, level: 'TRANSPORT' });
    });

    test('at most a hundred messages are named, and it is said that there are more', async () => {
      const master = await movements.lodge(
        'master-consignment',
        masterMessage('AMB', { carrier, receptacles: ['AMR1'] }),
      );
      const goods = Array.from({ length: 100 }, (_, n) =>
        houseMessage(`AMB${n}`, { master: 'AMB', carrier }),
      );
      await Promise.all(goods.map((message) => movements.lodge('house-consignment', message)));
      const all = await read(master);
      assert.deepEqual([all.below.length, all.moreBelow], [100, false]);
      await movements.lodge('house-consignment', houseMessage('AMBX', { receptacle: 'AMR1' }));
      const some = await read(master);
      assert.deepEqual([some.below.length, some.moreBelow], [100, true]);
    });

    test('what is no movement message is 404, and is not recorded', async () => {
      for (const mrn of ['26NO000000000000T0', 'nothing']) {
        assert.equal((await playground.get(`${PATH}/${mrn}`, 'authority')).status, 404);
        assert.equal((await cancel(mrn)).status, 404);
        assert.deepEqual(await records('movement.read', mrn), []);
      }
    });

    test('nobody else reads or cancels a message by these addresses', async () => {
      const mrn = await movements.lodge('transport', transportMessage('AMO'), 'carrier');
      for (const method of ['GET', 'DELETE']) {
        const body = method === 'GET' ? undefined : { reason: 'mine' };
        const response = await playground.call(`${PATH}/${mrn}`, { as: 'carrier', method, body });
        assert.equal(response.status, 403);
      }
      assert.equal((await read(mrn)).state, 'CURRENT');
    });

    test('a message is cancelled: its key is free, and its submitter and representative learn of it', async () => {
      const message = { ...masterMessage('AMC', { carrier }), representative };
      const mrn = await movements.lodge('master-consignment', message);
      const before = { forwarder: await statuses('forwarder'), haulier: await statuses('haulier') };
      const response = await cancel(mrn);
      assert.deepEqual([response.status, response.body], [200, { mrn, status: 'CANCELLED' }]);
      const { state, endedAt } = await read(mrn);
      assert.equal(state, 'CANCELLED');
      for (const as of ['forwarder', 'haulier'] as const) {
        const [status, ...more] = (await statuses(as)).slice(before[as].length);
        assert.deepEqual(more, []);
        assert.deepEqual(status, {
          requestId: status?.requestId,
          status: 'SUCCESS',
          notificationDate: endedAt,
          mrn,
          mode: 'road',
          level: 'MASTER_CONSIGNMENT',
          operation: 'CANCEL',
          cancelledBy: 'AUTHORITY',
        });
        const path = `/api/movement/road/status/v2/master-consignment/validation-status`;
        assert.deepEqual((await playground.get(`${path}/${status?.requestId}`, as)).body, status);
      }
      const [, recorded] = await records('movements.recorded', mrn);
      const authority = (await records('movement.read', mrn))[0].actor;
      assert.deepEqual(recorded.details.requests, [
        {
          ...authority,
          requestId: recorded.requestId,
          operation: 'CANCEL',
          mode: 'road',
          level: 'MASTER_CONSIGNMENT',
          mrn,
          reason: 'the sender is insolvent',
        },
      ]);
      // The reason is for the authority alone.
      const feeds = JSON.stringify([await statuses('forwarder'), await statuses('haulier')]);
      assert.doesNotMatch(feeds, /insolvent/);
      await movements.lodge('master-consignment', message, 'carrier');
      // The same request again changes nothing, and nobody is told twice.
      const again = await cancel(mrn, { reason: 'again' });
      assert.deepEqual([again.status, again.body], [200, { mrn, status: 'UNCHANGED' }]);
      assert.equal((await statuses('forwarder')).length, before.forwarder.length + 1);
      assert.equal((await records('movements.recorded', mrn)).length, 2);
    });

    test('cancelled goods are withdrawn, as if their sender had cancelled them', async () => {
      const mrn = await movements.lodge('house-consignment', houseMessage('AMW'));
      const { houseConsignmentId } = await read(mrn);
      assert.equal((await cancel(mrn)).status, 200);
      const { body } = await playground.get(
        `/api/authority/v1/house-consignments/${houseConsignmentId}`,
        'authority',
      );
      assert.equal((body as { state?: string }).state, 'WITHDRAWN');
      const history = await playground.get(
        `/api/authority/v1/house-consignments/${houseConsignmentId}/history`,
        'authority',
      );
      assert.match(history.text, /"event":"WITHDRAWN"/);
    });

    test('a transport that has arrived, and what is presented, stays', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('AMP', { carrier, masters: ['AMP'] }),
        'carrier',
      );
      const master = await movements.lodge('master-consignment', masterMessage('AMP', { carrier }));
      const house = await movements.lodge(
        'house-consignment',
        houseMessage('AMP', { master: 'AMP', carrier }),
        'carrier',
      );
      await movements.arrive(transport, 'carrier');
      const before = (await statuses('carrier')).length;
      for (const mrn of [transport, master, house]) {
        const response = await cancel(mrn);
        assert.equal(response.status, 400);
        assert.match(response.text, /"field":"MRN".*"code":"PRESENTED"/);
        assert.equal((await read(mrn)).state, 'CURRENT');
      }
      assert.equal((await statuses('carrier')).length, before);
      assert.equal((await records('movements.recorded', master)).length, 1);
    });

    test('what has expired is not cancelled', async () => {
      const mrn = await movements.lodge('transport', transportMessage('AME'));
      for await (const _ of expireTransports(expiry(), new Date(Date.now() + 3 * 3_600_000))) {
        // All that have not arrived expire.
      }
      assert.equal((await read(mrn)).state, 'EXPIRED');
      const response = await cancel(mrn);
      assert.equal(response.status, 400);
      assert.match(response.text, /"code":"NOT_CURRENT"/);
    });

    test('a reason must be given, in one line, and nothing else', async () => {
      const mrn = await movements.lodge('transport', transportMessage('AMV'));
      const wrong: [unknown, string][] = [
        [{}, 'reason REQUIRED'],
        [{ reason: '' }, 'reason REQUIRED'],
        [{ reason: 'two\nlines' }, 'reason FORMAT'],
        [{ reason: 'x'.repeat(501) }, 'reason SIZE'],
        [{ reason: 'right', requestId: randomUUID() }, 'requestId UNKNOWN_MEMBER'],
      ];
      for (const [body, error] of wrong) {
        const response = await cancel(mrn, body);
        assert.equal(response.status, 400);
        const [field = '', code = ''] = error.split(' ');
        assert.match(response.text, new RegExp(`"field":"${field}".*"code":"${code}"`));
      }
      const none = await playground.call(`${PATH}/${mrn}`, { as: 'authority', method: 'DELETE' });
      assert.equal(none.status, 400);
      assert.equal((await read(mrn)).state, 'CURRENT');
    });

    test('of a cancellation beside an arrival, one is carried out', async () => {
      for (let n = 0; n < 10; n++) {
        const message = transportMessage(`AMX${n}`, { carrier });
        const mrn = await movements.lodge('transport', message, 'carrier');
        const [response, arrival] = await Promise.all([
          cancel(mrn),
          movements.arrive(mrn, 'carrier'),
        ]);
        const { state, arrivedAt } = await read(mrn);
        assert.equal(response.status === 200, state === 'CANCELLED');
        assert.equal(arrival.status === 'SUCCESS', arrivedAt !== undefined);
        assert.equal(state === 'CANCELLED', arrivedAt === undefined);
      }
    });
  });
}
