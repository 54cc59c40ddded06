// A control cannot be escaped: whatever is lodged, replaced, cancelled and declared in whatever order, what is presented of goods
// that a system has sent to control, or at an office that controls everything, is under control.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ModeName } from '@landfall/contract';
import fc from 'fast-check';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { checkSignals } from '../testing/check-signals.js';
import { testDatabases } from '../testing/databases.js';
import { houseMessage, roadDocument, TestMovements } from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS } from '../testing/registry-client.js';

const AUTHORITY = '/api/authority/v1';

/** Everything is controlled at the first office, and nothing at the second. */
const CONTROLLING = 'NO351001';
const OTHER = 'NO371001';

const modes = ['road', 'air', 'rail'] as const satisfies readonly ModeName[];

// Two ENS are the same goods only by something that is lodged, so there is one.
const which = fc.nat({ max: 5 });
const step = fc.oneof(
  fc.record({
    does: fc.constant('lodge'),
    mode: fc.constantFrom(...modes),
    carrier: fc.nat({ max: 1 }),
  }),
  fc.record({ does: fc.constantFrom('replace', 'cancel', 'control'), which }),
  fc.record({ does: fc.constantFrom('declare', 'withdraw'), ens: fc.constant(0) }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

for (const { name, skip, open } of await testDatabases()) {
  describe(`ways out of a control on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      const as = 'authority';
      const put = await playground.call(`${AUTHORITY}/routing-profiles/office`, {
        as,
        method: 'PUT',
        body: {
          salt: 's',
          rules: [
            {
              name: 'office',
              when: { customsOfficeOfFirstEntry: [CONTROLLING] },
              routing: 'TO_CONTROL',
            },
            { name: 'all others', routing: 'TO_ENTRY' },
          ],
        },
      });
      const { version } = put.body as { version: number };
      const live = `${AUTHORITY}/live-routing-profile`;
      await playground.call(live, { as, method: 'PUT', body: { name: 'office', version } });
    });
    after(async () => {
      assert.deepEqual(await checkSignals(database), []);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await playground.close();
    });

    const routingOf = async (mrn: string) => {
      const [row] = await database.query<{ routing: string | null }>({
        name: '',
        text: 'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
        values: [mrn],
      });
      return row?.routing;
    };
    const untilDecided = async (mrn: string) => {
      for (let tries = 0; tries < 200 && (await routingOf(mrn)) === null; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return routingOf(mrn);
    };

    let runs = 0;
    test('in every order of steps, what is presented is under control', async () => {
      const drawn = {
        steps: fc.array(step, { minLength: 2, maxLength: 8 }),
        office: fc.constantFrom(CONTROLLING, OTHER),
      };
      await fc.assert(
        fc.asyncProperty(fc.record(drawn), async ({ steps, office }) => {
          const key = runs++;
          const number = `E${key}`;
          const messages = Object.fromEntries(
            modes.map((mode) => [mode, new TestMovements(playground, mode)]),
          ) as Record<ModeName, TestMovements>;
          const message = (carrier: number, master = `EM${key}`, packages = 3) =>
            houseMessage(number, {
              master,
              carrier: `NO88888888${carrier}`,
              numberOfPackages: packages,
            });
          const current: { mrn: string; mode?: ModeName; carrier?: number }[] = [];
          const isLodged = () => current.filter(({ mode }) => mode !== undefined);
          let isControlled = false;
          const carryOut = async (one: Step) => {
            if ('mode' in one) {
              const { mode, carrier } = one;
              const { mrn } = await messages[mode].carryOut(
                'POST',
                'house-consignment',
                message(carrier),
              );
              if (mrn !== undefined) current.push({ mrn, mode, carrier });
              return;
            }
            if ('ens' in one) {
              const mrn = `26NO6${String(key).padStart(11, '0')}${one.ens}A`;
              const place = current.findIndex((each) => each.mrn === mrn);
              if (one.does === 'withdraw' && place < 0) return;
              const response = await playground.call(`${DECLARATIONS}/${mrn}`, {
                as: 'authority',
                headers: { 'if-match': '*' },
                ...(one.does === 'withdraw'
                  ? { method: 'DELETE' }
                  : {
                      method: 'PUT',
                      headers: place < 0 ? {} : { 'if-match': '*' },
                      body: {
                        customsOfficeOfFirstEntry: office,
                        declarant: playground.credentials('haulier').organisation,
                        houseConsignments: [
                          {
                            transportDocumentHouseLevel: roadDocument(number),
                            transportDocumentMasterLevel: roadDocument(`EM${key}`),
                          },
                        ],
                      },
                    }),
              });
              // What was withdrawn comes back with a precondition only.
              if (response.status >= 300) return;
              if (one.does === 'withdraw') current.splice(place, 1);
              else if (place < 0) current.push({ mrn });
              return;
            }
            const among = one.does === 'control' ? current : isLodged();
            const meant = among[one.which % Math.max(1, among.length)];
            if (meant === undefined) return;
            if (one.does === 'control') {
              const response = await playground.call(`${AUTHORITY}/routing-decisions`, {
                as: 'authority',
                method: 'POST',
                body: [
                  {
                    mrn: meant.mrn,
                    transportDocumentHouseLevel: roadDocument(number),
                    routing: 'TO_CONTROL',
                  },
                ],
              });
              assert.match(response.text, /"DECIDED"|"UNCHANGED"/);
              isControlled = true;
              return;
            }
            const { mrn, mode = 'road', carrier = 0 } = meant;
            if (one.does === 'cancel') {
              await messages[mode].cancel('house-consignment', mrn);
              current.splice(current.indexOf(meant), 1);
            } else {
              const changed = message(carrier, undefined, 3 + one.which);
              await messages[mode].replace('house-consignment', mrn, changed);
            }
          };
          for (const one of steps) {
            await carryOut(one);
            if (!isControlled) continue;
            for (const { mrn } of current) assert.equal(await routingOf(mrn), 'TO_CONTROL', mrn);
          }
          // Lodged again where it was not before, also under another master document when the others are gone.
          for (const { mrn, mode } of isLodged().slice(0, 1)) {
            await messages[mode ?? 'road'].cancel('house-consignment', mrn);
            current.splice(
              current.findIndex((each) => each.mrn === mrn),
              1,
            );
          }
          const master = isLodged().length === 0 ? `other-${key}` : undefined;
          const rail = messages.rail;
          const last = await rail.carryOut('POST', 'house-consignment', message(2, master));
          if (last.mrn !== undefined) current.push({ mrn: last.mrn, mode: 'rail' });
          const hasEns = current.some(({ mode }) => mode === undefined);
          const isExpected = isControlled && (master === undefined || !hasEns);
          for (const { mrn, mode } of current) {
            const response = await playground.present(
              'house-consignment',
              mode === undefined ? 'haulier' : 'forwarder',
              {
                transportDocumentHouseLevel: roadDocument(number),
                mrn,
                customsOfficeOfPresentation: office,
              },
            );
            assert.equal(response.status, 202, response.text);
            const routing = await untilDecided(mrn);
            if (office === CONTROLLING || isExpected) assert.equal(routing, 'TO_CONTROL', mrn);
            else if (!isControlled) assert.equal(routing, 'TO_ENTRY', mrn);
          }
        }),
        { numRuns: name === 'embedded' ? 15 : 50 },
      );
    });
  });
}
