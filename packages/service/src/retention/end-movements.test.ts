// Movement messages end by time: what does not arrive expires, what was presented is closed, and texts are removed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  inHours,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';
import {
  closeMovements,
  expireConsignments,
  expireTransports,
  removeMessageTexts,
} from './end-movements.js';
import { expireHouseConsignments } from './expire-house-consignments.js';

const inAnHour = () => new Date(Date.now() + 3_600_000);
const inTenHours = () => new Date(Date.now() + 36_000_000);
const LEVELS = ['transport', 'master-consignment', 'house-consignment'] as const;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`ends of movement messages on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
    });
    after(() => playground.close());

    const context = () => ({ database, audit: new AuditTrail(), clock: () => new Date() });
    const sum = async (steps: AsyncIterable<number>) => {
      let ended = 0;
      for await (const step of steps) ended += step;
      return ended;
    };
    /** Ends messages; what is held at this moment, by a decision on goods that were just presented, is left to the next run. */
    const endAll = async (
      end: (of: ReturnType<typeof context>, before: Date) => AsyncIterable<number>,
      before: Date,
    ) => {
      let ended = 0;
      for (let runs = 0; runs < 5; runs++) {
        ended += await sum(end(context(), before));
        await delay(100);
      }
      return ended;
    };
    const query = <Row extends object>(text: string, values: unknown[] = []) =>
      database.query<Row>({ name: '', text, values });
    const read = async (mrn: string) => {
      for (const level of LEVELS) {
        const response = await playground.get(`/api/movement/road/v2/${level}/${mrn}`, 'forwarder');
        if (response.status === 200) return response.body as { state: string; message?: unknown };
      }
      return { state: 'REMOVED' };
    };
    const stateOf = async (mrn: string) => (await read(mrn)).state;
    const records = async (action: string, mrn: string) =>
      query<{ entry: string }>(
        'select entry from audit_record where entry like $1 and entry like $2',
        [`%"${action}"%`, `%${mrn}%`],
      );
    /** As if it had arrived now. */
    const arrive = (mrn: string) =>
      database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `
            update movement set arrived_at = now(), arrival_recorded_at = now(), arrival_office = 'NO351001'
            where declaration_id = (select id from declaration where mrn = $1)`,
          values: [mrn],
        });
        await new AuditTrail().record(transaction, {
          at: new Date(),
          actor: undefined,
          requestId: undefined,
          action: 'test.arrived',
          details: {},
        });
      });
    const presentHouse = async (documentNumber: string, mrn?: string) => {
      const presented = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: roadDocument(documentNumber),
        ...(mrn !== undefined && { mrn }),
      });
      // Goods that have expired are unknown.
      if (presented.status === 400) return presented.text;
      assert.equal(presented.status, 202, presented.text);
      const { requestId } = presented.body as { requestId: string };
      const status = await playground.get(
        `/api/movement/presentation/v1/validation-status/${requestId}`,
        'forwarder',
      );
      return (status.body as { status: string }).status;
    };
    const decide = async (mrn: string, documentNumber: string, routing: string) => {
      const decided = await playground.post('/api/authority/v1/routing-decisions', 'authority', [
        { mrn, transportDocumentHouseLevel: roadDocument(documentNumber), routing },
      ]);
      assert.equal(decided.status, 200, decided.text);
    };
    const reached = async (mrn: string) =>
      (
        await query<{ mrn: string }>(
          `select h.mrn from declaration t cross join lateral houses_of_transport(t.id, false) r
           join declaration h on h.id = r.id where t.mrn = $1`,
          [mrn],
        )
      ).map((row) => row.mrn);
    const incomplete = { importProcedure: { hasOutgoingProcedure: false } };

    test('a transport that has not arrived expires after its estimated arrival, and its key is free', async () => {
      const message = transportMessage('EX1');
      const due = await movements.lodge('transport', message);
      const arrived = await movements.lodge('transport', transportMessage('EX2'));
      const later = { estimatedDateAndTimeOfArrival: inHours(48) };
      const expected = await movements.lodge('transport', transportMessage('EX3', later));
      await arrive(arrived);
      assert.equal(await sum(expireTransports(context(), inAnHour())), 0);
      assert.equal(await endAll(expireTransports, inTenHours()), 1);
      assert.equal(await stateOf(due), 'EXPIRED');
      assert.equal(await stateOf(arrived), 'CURRENT');
      assert.equal(await stateOf(expected), 'CURRENT');
      for (const method of ['PUT', 'DELETE']) {
        const status = await movements.carryOut(method, `transport/${due}`, message);
        assert.deepEqual(
          status.validationErrorList?.map(({ code }) => code),
          ['NOT_CURRENT'],
          method,
        );
      }
      const [record] = await records('movements.expired', due);
      const { messages } = JSON.parse(record?.entry ?? '{}').details;
      assert.deepEqual(messages, [{ mrn: due, level: 'TRANSPORT' }]);
      await movements.lodge('transport', message);
    });

    test('a consignment that no current transport reaches expires, and its goods are withdrawn', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('RE1', { masters: ['RM1'] }),
      );
      const master = await movements.lodge('master-consignment', masterMessage('RM1'));
      const house = await movements.lodge(
        'house-consignment',
        houseMessage('RH1', { master: 'RM1' }),
      );
      const alone = await movements.lodge('house-consignment', houseMessage('AL1'));
      const presented = await movements.lodge(
        'house-consignment',
        houseMessage('PR1', { master: 'PM1' }),
      );
      const abovePresented = await movements.lodge('master-consignment', masterMessage('PM1'));
      assert.equal(await presentHouse('PR1'), 'SUCCESS');
      assert.equal(await sum(expireConsignments(context(), new Date(Date.now() - 3_600_000))), 0);
      assert.equal(await endAll(expireConsignments, inAnHour()), 1);
      assert.equal(await stateOf(alone), 'EXPIRED');
      for (const mrn of [master, house, presented, abovePresented]) {
        assert.equal(await stateOf(mrn), 'CURRENT', mrn);
      }
      const [withdrawn] = await query<{ id: string }>(
        `select id from withdrawn_house_consignment where document_number = 'AL1'`,
      );
      const history = await playground.get(
        `/api/authority/v1/house-consignments/${withdrawn?.id}/history`,
        'authority',
      );
      const events = history.body as { event: string }[];
      assert.equal(events.at(-1)?.event, 'WITHDRAWN', history.text);

      await movements.cancel('transport', transport);
      assert.equal(await endAll(expireConsignments, inAnHour()), 2);
      assert.equal(await stateOf(master), 'EXPIRED');
      assert.equal(await stateOf(house), 'EXPIRED');
      const [record] = await records('movements.expired', house);
      assert(!record?.entry.includes('Stoler'));
    });

    test('what is presented is closed when all of it is decided; its couplings stay, and none comes later', async () => {
      const messages = [
        ['transport', transportMessage('CL1', { masters: ['CM1'] })],
        ['master-consignment', masterMessage('CM1')],
        ['house-consignment', houseMessage('CH1', { master: 'CM1' })],
        ['house-consignment', houseMessage('CH2', { master: 'CM1', ...incomplete })],
      ] as const;
      const mrns: string[] = [];
      for (const [level, message] of messages) mrns.push(await movements.lodge(level, message));
      const [transport = '', master = '', decided = '', undecided = ''] = mrns;
      await arrive(transport);
      for (const number of ['CH1', 'CH2']) assert.equal(await presentHouse(number), 'SUCCESS');
      await decide(decided, 'CH1', 'TO_ENTRY');
      await sum(closeMovements(context(), new Date(Date.now() - 3_600_000)));
      assert.equal(await stateOf(decided), 'CURRENT');
      await endAll(closeMovements, inAnHour());
      assert.equal(await stateOf(decided), 'CLOSED');
      for (const mrn of [transport, master, undecided]) assert.equal(await stateOf(mrn), 'CURRENT');
      assert.deepEqual((await reached(transport)).sort(), [decided, undecided].sort());

      await decide(undecided, 'CH2', 'TO_CONTROL');
      await endAll(closeMovements, inAnHour());
      for (const mrn of mrns) assert.equal(await stateOf(mrn), 'CLOSED');
      assert.deepEqual((await reached(transport)).sort(), [decided, undecided].sort());
      const refused = await movements.carryOut('DELETE', `house-consignment/${decided}`, {});
      assert.equal(refused.validationErrorList?.[0]?.code, 'NOT_CURRENT');

      // The carrier uses the numbers again.
      const again: string[] = [];
      for (const [level, message] of messages.slice(1, 3)) {
        again.push(await movements.lodge(level, message));
      }
      assert.deepEqual((await reached(transport)).sort(), [decided, undecided].sort());
      const next = await movements.lodge('transport', messages[0][1]);
      assert.deepEqual(await reached(next), [again[1]]);
      assert.equal(await presentHouse('CH1'), 'SUCCESS');
      const [house] = await query<{ presented: boolean }>(
        `select exists (select from signal_recipient c where c.house_consignment_id = h.id) as presented
         from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1`,
        [again[1]],
      );
      assert.equal(house?.presented, true);
    });

    test('texts are removed some time after the end, and nothing else of the message', async () => {
      const ended = await movements.lodge('house-consignment', houseMessage('TX1'));
      const current = await movements.lodge('house-consignment', houseMessage('TX2'));
      await movements.cancel('house-consignment', ended);
      await sum(removeMessageTexts(context(), new Date(Date.now() - 3_600_000)));
      assert((await read(ended)).message !== undefined);
      await sum(removeMessageTexts(context(), inAnHour()));
      assert.equal(await sum(removeMessageTexts(context(), inAnHour())), 0);
      const { message, ...rest } = await read(ended);
      assert.equal(message, undefined);
      assert.equal(rest.state, 'CANCELLED');
      assert((await read(current)).message !== undefined);
      const body = houseMessage('TX1');
      const status = await movements.carryOut('PUT', `house-consignment/${ended}`, body);
      assert.equal(status.validationErrorList?.[0]?.code, 'NOT_CURRENT');
    });

    test('ended messages are removed with the last goods that they reached, and nothing of them stays', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('GO1', { masters: ['GM1'] }),
      );
      const master = await movements.lodge('master-consignment', masterMessage('GM1'));
      const house = await movements.lodge(
        'house-consignment',
        houseMessage('GH1', { master: 'GM1' }),
      );
      const cancelled = await movements.lodge('master-consignment', masterMessage('GM2'));
      await movements.cancel('master-consignment', cancelled);
      await arrive(transport);
      assert.equal(await presentHouse('GH1'), 'SUCCESS');
      await decide(house, 'GH1', 'TO_ENTRY');
      await endAll(closeMovements, inAnHour());
      await sum(expireHouseConsignments(context(), new Date(Date.now() - 3_600_000)));
      assert.equal(await stateOf(transport), 'CLOSED');
      await endAll(expireHouseConsignments, inAnHour());
      for (const mrn of [transport, master, house, cancelled]) {
        assert.equal(await stateOf(mrn), 'REMOVED', mrn);
      }
      for (const table of ['movement', 'movement_text', 'movement_reference', 'awaited_document']) {
        const [left] = await query<{ count: number }>(
          `select count(*)::integer as count from ${table}
           where declaration_id not in (select id from declaration)`,
        );
        assert.equal(left?.count, 0, table);
      }
    });

    test('what happens to a message after it was found to be due keeps it', async () => {
      const changes: Record<string, (mrn: string, document: string) => Promise<unknown>> = {
        presented: (_, document) => presentHouse(document),
        replaced: (mrn, document) =>
          movements.replace(
            'house-consignment',
            mrn,
            houseMessage(document, { isDirect: true, goodsDescription: 'Tables' }),
          ),
        reached: (_, document) =>
          movements.lodge('transport', transportMessage('LATE', { houses: [document] })),
      };
      for (const [change, make] of Object.entries(changes)) {
        const document = `LATE-${change}`;
        const mrn = await movements.lodge(
          'house-consignment',
          houseMessage(document, { isDirect: true }),
        );
        await delay(20);
        const before = new Date();
        await delay(20);
        let isMade = false;
        const late: Database = Object.create(database);
        late.transact = async (...work: Parameters<Database['transact']>) => {
          if (!isMade) await make(mrn, document);
          isMade = true;
          return database.transact(...work) as never;
        };
        await sum(expireConsignments({ ...context(), database: late }, before));
        assert(isMade, change);
        assert.equal(await stateOf(mrn), 'CURRENT', change);
      }
    });

    // The embedded database runs one transaction at a time.
    if (name !== 'embedded') {
      test('an expiry beside a replacement or a presentation: one of them is first', async () => {
        for (let round = 0; round < 8; round++) {
          const document = `RACE${round}`;
          const mrn = await movements.lodge('house-consignment', houseMessage(document));
          const before = new Date(Date.now() + 5);
          const changed = houseMessage(document, { goodsDescription: `Chairs ${round}` });
          const isPresenting = round % 2 === 0;
          const [outcome] = await Promise.all([
            isPresenting
              ? presentHouse(document)
              : movements
                  .carryOut('PUT', `house-consignment/${mrn}`, changed)
                  .then(({ status }) => status),
            sum(expireConsignments(context(), isPresenting ? inAnHour() : before)),
          ]);
          const state = await stateOf(mrn);
          if (isPresenting) assert.equal(state === 'CURRENT', outcome === 'SUCCESS', document);
          else if (outcome === 'FAILURE') assert.equal(state, 'EXPIRED');
          const [goods] = await query<{ kept: boolean }>(
            'select exists (select from house_consignment where document_number = $1) as kept',
            [document],
          );
          assert.equal(goods?.kept, state === 'CURRENT', `${document} is ${state}`);
        }
      });

      test('what somebody changes at this moment is left to the next run', async () => {
        const mrn = await movements.lodge('house-consignment', houseMessage('HELD'));
        await database.transact(async (transaction) => {
          await transaction.query({
            name: '',
            text: 'select from declaration where mrn = $1 for no key update',
            values: [mrn],
          });
          await sum(expireConsignments(context(), inAnHour()));
        }, 'maintenance');
        assert.equal(await stateOf(mrn), 'CURRENT');
        await sum(expireConsignments(context(), inAnHour()));
        assert.equal(await stateOf(mrn), 'EXPIRED');
      });
    }

    test('the audit trail has everything that ended', async () => {
      const { breaks } = await verifyAudit(database, feedKinds);
      assert.deepEqual(breaks, []);
    });
  });
}
