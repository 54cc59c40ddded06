// A control cannot be escaped: whatever is lodged, replaced, cancelled, declared, presented and removed in whatever order, and
// whoever decides, goods that an officer or a system has sent to control are under control, until somebody who may releases them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ModeName, RoutingDecisionResult } from '@landfall/contract';
import fc from 'fast-check';
import { drawCases, isDrawn } from '../../../contract/dist/testing/drawn-cases.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';
import { feedKinds } from '../feed-kinds.js';
import { closeMovements, expireConsignments } from '../retention/end-movements.js';
import { expireUnpresented } from '../retention/expire-unpresented.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { signInAsAuthority } from '../testing/officer-session.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS } from '../testing/registry-client.js';
import { ExpectedControls, type Place } from './expected-controls.js';

const AUTHORITY = '/api/authority/v1';

/** Everything is controlled at the first office, and nothing at the second. */
const CONTROLLING = 'NO351001';
const OTHER = 'NO371001';

/** How often steps are drawn, in turns for each of those who may present. */
const RUNS = { embedded: 25, PostgreSQL: 60 };

const modes = ['road', 'air', 'rail'] as const satisfies readonly ModeName[];
const parties = ['forwarder', 'carrier', 'haulier'] as const;
type Party = (typeof parties)[number];

const which = fc.nat({ max: 5 });
/** What an officer and a system decide to hold goods back. */
const holding = ['TO_CONTROL', 'TO_CONTROL', 'ENTRY_DENIED'] as const;

/** On what goods hang: numbers of a master document and of a receptacle; neither, if both are missing. */
const place = fc.constantFrom<Drawn['place']>(
  { master: 0 },
  { master: 0 },
  { master: 1 },
  { receptacle: 0 },
  {},
  {},
);
/** An ENS may have both. */
const placeOfEns = fc.constantFrom<Drawn['place']>(
  { master: 0 },
  { master: 1 },
  { master: 0, receptacle: 0 },
  { master: 1, receptacle: 0 },
);
type Drawn = { place: { master?: number; receptacle?: number } };
const by = fc.constantFrom(...parties);
const representative = fc.option(by, { nil: undefined, freq: 2 });
/** Goods are the same however their document is spelt. */
const isLowerCase = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const lodged = {
  isLowerCase,
  mode: fc.constantFrom(...modes),
  carrier: fc.nat({ max: 1 }),
  place,
  by,
  representative,
};
const decided = { which, isOfficer: fc.boolean() };
const lodging = fc.record({ does: fc.constant('lodge' as const), ...lodged });
const declaring = fc.record({
  does: fc.constant('declare' as const),
  ens: fc.nat({ max: 1 }),
  place: placeOfEns,
  by,
  representative,
  /** Whether a release comes with it. */
  isReleased: isLowerCase,
});
const deciding = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('control' as const), ...decided }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('release' as const), ...decided }) },
);
/** What takes goods away, or from what they have in common with others. */
const leaving = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('replace' as const),
      which,
      place,
      representative,
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('cancel' as const), which }) },
  { weight: 3, arbitrary: declaring },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('withdraw' as const),
      ens: fc.nat({ max: 1 }),
      isWhole: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('present' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('arrive' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('expire' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('close' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const) }) },
);
const coming = fc.oneof({ weight: 3, arbitrary: lodging }, { weight: 2, arbitrary: declaring });
/** Goods that are lodged while a decision on others is under way. */
const atOnce = fc.record({
  does: fc.constant('at once' as const),
  ...lodged,
  ...decided,
  isLodgedFirst: fc.boolean(),
});
const step = fc.oneof(coming, leaving, deciding, atOnce);
/** Some goods come, are sent to control and leave, and others come; with anything between. */
const steps = fc
  .tuple(
    fc.array(coming, { minLength: 1, maxLength: 3 }),
    fc.oneof(deciding, deciding, atOnce),
    fc.array(step, { maxLength: 2 }),
    fc.array(leaving, { minLength: 1, maxLength: 3 }),
    fc.array(step, { maxLength: 2 }),
    fc.array(coming, { minLength: 1, maxLength: 2 }),
  )
  .map((parts) => parts.flat());
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
type Lodging = Extract<Step, { does: 'lodge' | 'at once' }>;

const databases = await drawnDatabases(import.meta.url);
const cases = databases.flatMap((database) =>
  (['any', 'expected'] as const).map((presenters) => ({ ...database, presenters })),
);
for (const { name, skip, open, presenters } of drawCases('who may present', cases, 1)) {
  const expectedOnly = presenters === 'expected';
  describe(`ways out of a control where ${presenters} may present, on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let officer: Record<string, string>;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, { presenters, routingResults: 'extended' });
      officer = await signInAsAuthority(playground);
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

    const context = () => ({
      database,
      audit: new AuditTrail(),
      clock: () => new Date(),
      movedClock: undefined,
    });
    const inAMinute = () => new Date(Date.now() + 60_000);

    /** Begins one after the other before any of them ends: whoever writes an audit record waits. */
    const besideOneAnother = async (begin: readonly (() => void)[]) => {
      // The embedded database runs one transaction at a time.
      if (name === 'embedded') {
        for (const each of begin) each();
        return;
      }
      await database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `select pg_advisory_xact_lock(${AUDIT_LOCK}, chain) from generate_series(0, 64) chain`,
          values: [],
        });
        for (const [index, each] of begin.entries()) {
          each();
          // One that is refused never waits.
          for (let tries = 0; tries < 40 && (await waiting()) <= index; tries++) {
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }
      });
    };
    const waiting = async () => {
      const [row] = await database.query<{ waits: number }>({
        name: '',
        text: `select count(*)::integer as waits from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
        values: [],
      });
      return row?.waits ?? 0;
    };

    /** What is registered of goods: their routing, and whether somebody has presented them. */
    const stateOf = async (mrn: string) => {
      const [row] = await database.query<{ routing: string | null; presented: boolean }>({
        name: '',
        text: `select routing, exists (select from signal_recipient c where c.house_consignment_id = h.id) as presented
          from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1`,
        values: [mrn],
      });
      return row;
    };
    const untilDecided = async (mrn: string) => {
      for (let tries = 0; tries < 200 && (await stateOf(mrn))?.routing === null; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return (await stateOf(mrn))?.routing;
    };
    const numberOf = (as: string) => playground.credentials(as).organisation.replace('0192:', 'NO');

    const lastDecision = async (mrn: string) => {
      const [row] = await database.query<{ last: number | null }>({
        name: '',
        text: `select max(d.number) as last from declaration e join house_consignment h on h.ens_id = e.id
          join routing_decision d on d.house_consignment_id = h.id where e.mrn = $1`,
        values: [mrn],
      });
      return row?.last ?? 0;
    };

    /**
     * Decides as an officer or as a system, which says which decision of an officer it has seen; gives whether a decision is made:
     * one that is made again by the same one is none.
     */
    const decide = async (
      mrn: string,
      number: string,
      routing: string,
      isOfficer: boolean,
    ): Promise<boolean> => {
      const last = await lastDecision(mrn);
      const path = `${AUTHORITY}/routing-decisions`;
      const send = async (more: object) => {
        const decision = {
          mrn,
          transportDocumentHouseLevel: roadDocument(number),
          routing,
          reason: 'looked at',
          ...more,
        };
        if (!isOfficer) {
          const { body } = await playground.post(path, 'authority', [decision]);
          return (body as RoutingDecisionResult[])[0];
        }
        const response = await fetch(`${playground.playground.baseUrl}/console/api${path}`, {
          method: 'POST',
          headers: { ...officer, 'content-type': 'application/json' },
          body: JSON.stringify([decision]),
        });
        return ((await response.json()) as RoutingDecisionResult[])[0];
      };
      let result = await send({});
      if (result?.status === 'CONFLICT') {
        result = await send({ expected: result.current?.number });
      }
      const isDecided = result?.status === 'DECIDED' || result?.status === 'UNCHANGED';
      return isDecided && (result?.number ?? 0) > last;
    };

    let runs = 0;
    test('in every order of steps, goods that were sent to control are under control', async () => {
      const drawn = {
        steps,
        office: fc.constantFrom(CONTROLLING, OTHER, OTHER),
        held: fc.constantFrom(...holding),
      };
      type Drawing = { steps: Step[]; office: string; held: (typeof holding)[number] };
      const carryOutAll = async ({ steps: taken, office, held }: Drawing) => {
        const key = runs++;
        const number = `E${key}`;
        const control = (mrn: string, isOfficer: boolean) => decide(mrn, number, held, isOfficer);
        const messages = Object.fromEntries(
          modes.map((mode) => [mode, new TestMovements(playground, mode)]),
        ) as Record<ModeName, TestMovements>;
        const placeOf = ({ master, receptacle }: Drawn['place']): Place => ({
          ...(master !== undefined && { master: `EM${key}-${master}` }),
          ...(receptacle !== undefined && {
            receptacle: `GBASFZMLBKONAUN3${String(key).padStart(4, '0')}001019999`,
          }),
        });
        type Message = Pick<Lodging, 'carrier' | 'isLowerCase' | 'place' | 'representative'>;
        const message = (
          { carrier, isLowerCase: isLower, place: hangsOn, representative: named }: Message,
          packages = 3,
        ) => ({
          ...houseMessage(isLower ? number.toLowerCase() : number, {
            ...placeOf(hangsOn),
            carrier: `NO88888888${carrier}`,
            numberOfPackages: packages,
          }),
          ...(named !== undefined && {
            representative: {
              name: 'Spedisjon AS',
              identificationNumber: numberOf(named),
              address: { city: 'Oslo', country: 'NO' },
              communication: [],
            },
          }),
        });
        type Current = { mrn: string; by: Party; lodging?: Lodging };
        const current: Current[] = [];
        /** The ENS that do not list the goods any more. */
        const unlisted = new Set<string>();
        const expected = new ExpectedControls(expectedOnly);
        const lodge = async (one: Lodging) => {
          const { mrn } = await messages[modeOf(one)].carryOut(
            'POST',
            'house-consignment',
            message(one),
            one.by,
          );
          if (mrn !== undefined) current.push({ mrn, by: one.by, lodging: one });
          return mrn;
        };
        const noteLodged = (mrn: string | undefined, one: Lodging) => {
          if (mrn === undefined) return;
          expected.write(mrn, {
            isLodged: true,
            declarant: one.by,
            representative: one.representative,
            ...placeOf(one.place),
          });
        };
        const present = async ({ mrn, by: as }: Current) => {
          const response = await playground.present('house-consignment', as, {
            transportDocumentHouseLevel: roadDocument(number),
            mrn,
            customsOfficeOfPresentation: office,
          });
          assert.equal(response.status, 202, response.text);
        };
        const mrnOfEns = (ens: number) => `26NO6${String(key).padStart(11, '0')}${ens}A`;

        const carryOut = async (one: Step) => {
          if (one.does === 'lodge') return noteLodged(await lodge(one), one);
          if (one.does === 'expire') {
            for await (const ended of expireConsignments(context(), inAMinute()))
              assert.ok(ended >= 0);
            return;
          }
          if (one.does === 'close') {
            for await (const ended of closeMovements(context(), inAMinute())) assert.ok(ended >= 0);
            return;
          }
          if (one.does === 'remove') {
            for await (const removed of expireUnpresented(context(), inAMinute()))
              assert.ok(removed >= 0);
            return;
          }
          if (one.does === 'declare' || one.does === 'withdraw') {
            const mrn = mrnOfEns(one.ens);
            const found = current.findIndex((each) => each.mrn === mrn);
            if (one.does === 'withdraw' && found < 0) return;
            const declaration = (as: Party, houseConsignments: object[]) => ({
              customsOfficeOfFirstEntry: office,
              declarant: playground.credentials(as).organisation,
              houseConsignments,
            });
            // What is withdrawn with its ENS never comes back; what an ENS does not list any more may be listed again.
            const isWhole = one.does === 'withdraw' && one.isWhole;
            const response = await playground.call(`${DECLARATIONS}/${mrn}`, {
              as: 'authority',
              headers: found < 0 && !unlisted.has(mrn) ? {} : { 'if-match': '*' },
              ...(isWhole
                ? { method: 'DELETE' }
                : {
                    method: 'PUT',
                    body:
                      one.does === 'withdraw'
                        ? declaration(current[found]?.by ?? 'carrier', [ensHouse(`O${number}`, {})])
                        : {
                            ...declaration(one.by, [
                              {
                                ...ensHouse(number, placeOf(one.place)),
                                ...(one.isReleased && { routing: 'TO_ENTRY' }),
                              },
                            ]),
                            ...(one.representative && {
                              representative: playground.credentials(one.representative)
                                .organisation,
                            }),
                          },
                  }),
            });
            // What was withdrawn comes back with a precondition only, and what is presented stays.
            if (response.status >= 300) return;
            if (one.does === 'withdraw') {
              current.splice(found, 1);
              if (one.isWhole) unlisted.delete(mrn);
              else unlisted.add(mrn);
              expected.withdraw(mrn);
              return;
            }
            unlisted.delete(mrn);
            if (found < 0) current.push({ mrn, by: one.by });
            else current.splice(found, 1, { mrn, by: one.by });
            expected.write(mrn, {
              isLodged: false,
              isReleased: one.isReleased,
              declarant: one.by,
              representative: one.representative,
              ...placeOf(one.place),
            });
            return;
          }
          const among =
            one.does === 'replace' || one.does === 'cancel' || one.does === 'arrive'
              ? current.filter(({ lodging }) => lodging !== undefined)
              : current;
          const meant = among[one.which % Math.max(1, among.length)];
          if (meant === undefined) return;
          const { mrn, lodging } = meant;
          if (one.does === 'at once') {
            let [lodging, deciding]: [ReturnType<typeof lodge>?, ReturnType<typeof control>?] = [];
            const begin = [
              () => {
                lodging = lodge(one);
              },
              () => {
                deciding = control(mrn, one.isOfficer);
              },
            ];
            await besideOneAnother(one.isLodgedFirst ? begin : begin.toReversed());
            const [lodgedMrn, isMade] = await Promise.all([lodging, deciding]);
            noteLodged(lodgedMrn, one);
            if (isMade) expected.control(mrn, one.isOfficer);
            return;
          }
          if (one.does === 'control') {
            if (await control(mrn, one.isOfficer)) expected.control(mrn, one.isOfficer);
            return;
          }
          if (one.does === 'release') {
            const isMade = await decide(mrn, number, 'TO_ENTRY', one.isOfficer);
            if (isMade) expected.release(mrn, one.isOfficer);
            return;
          }
          if (one.does === 'present') return present(meant);
          if (lodging === undefined) return;
          const movements = messages[modeOf(lodging)];
          if (one.does === 'arrive') {
            const { master } = placeOf(lodging.place);
            if (master === undefined) return;
            const as = 'carrier';
            const carrier = `NO88888888${lodging.carrier}`;
            const above = masterMessage(master, { carrier });
            await movements.carryOut('POST', 'master-consignment', above, as);
            const means = `P${key}${mrn.slice(-6)}`;
            const transport = transportMessage(means, {
              mode: modeOf(lodging),
              masters: [master],
              carrier,
            });
            const lodgedTransport = await movements.carryOut('POST', 'transport', transport, as);
            if (lodgedTransport.mrn === undefined) return;
            await movements.arrive(lodgedTransport.mrn, as, {
              customsOfficeOfArrival: { referenceNumber: office },
            });
          } else if (one.does === 'cancel') {
            const { status } = await movements.carryOut(
              'DELETE',
              `house-consignment/${mrn}`,
              {},
              meant.by,
            );
            if (status !== 'SUCCESS') return;
            current.splice(current.indexOf(meant), 1);
            expected.withdraw(mrn);
          } else {
            const state = await stateOf(mrn);
            // The check of signals compares those of before with what goods hang on now.
            const hasSignals = state?.presented === true && state.routing !== null;
            const next = {
              ...lodging,
              place: hasSignals ? lodging.place : one.place,
              representative: one.representative,
            };
            const { status } = await movements.carryOut(
              'PUT',
              `house-consignment/${mrn}`,
              message(next, 4 + one.which),
              meant.by,
            );
            if (status !== 'SUCCESS') return;
            meant.lodging = next;
            noteLodged(mrn, next);
          }
        };

        /** What has ended or was removed by time is gone; of what is there, it is noted whether it is presented. */
        const look = async (one: Step) => {
          for (const each of [...current]) {
            const state = await stateOf(each.mrn);
            const isGone =
              state === undefined ||
              (one.does === 'close' && state.presented && each.lodging !== undefined);
            if (state?.presented) expected.present(each.mrn);
            if (expected.isControlled(each.mrn)) {
              assert.equal(
                state?.routing ?? (one.does === 'expire' ? held : undefined),
                held,
                `${one.does} ${each.mrn}`,
              );
            }
            if (!isGone) continue;
            current.splice(current.indexOf(each), 1);
            if (state === undefined) expected.withdraw(each.mrn);
            else expected.close(each.mrn);
          }
        };
        for (const one of taken) {
          await carryOut(one);
          await look(one);
        }
        for (const each of current) {
          if ((await stateOf(each.mrn))?.presented === false) await present(each);
          const routing = await untilDecided(each.mrn);
          if (expected.isControlled(each.mrn)) assert.equal(routing, held, each.mrn);
          else if (office === CONTROLLING && !expected.wasReleased(each.mrn)) {
            assert.ok(routing === 'TO_CONTROL' || routing === held, `${each.mrn} is ${routing}`);
          } else if (expected.isUntouched && !expected.wasReleased(each.mrn)) {
            assert.equal(routing, 'TO_ENTRY', each.mrn);
          }
        }
      };
      await fc.assert(fc.asyncProperty(fc.record(drawn), carryOutAll), {
        numRuns: Number(process.env.NO_ESCAPE_RUNS ?? Math.ceil(RUNS[name] / (isDrawn ? 1 : 2))),
      });
    });
  });
}

/** One of the parties may lodge goods of one mode only. */
const modeOf = ({ by: submitter, mode }: Lodging): ModeName =>
  submitter === 'haulier' ? 'road' : mode;

/** A house consignment of an ENS. */
function ensHouse(number: string, { master, receptacle }: Place) {
  return {
    transportDocumentHouseLevel: roadDocument(number),
    ...(master !== undefined && { transportDocumentMasterLevel: roadDocument(master) }),
    ...(receptacle !== undefined && { receptacleId: receptacle }),
  };
}
