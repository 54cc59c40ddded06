// A journey ends the same in every order of its steps, and when they are taken at once: the same goods presented, the same
// connections and decisions, and each signal once. `JOURNEY_RUNS` and `JOURNEY_SEED` set the number of journeys and the seed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RelatedType } from '@landfall/contract';
import fc from 'fast-check';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
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
import { DECLARATIONS } from '../testing/registry-client.js';

const RUNS = Number(process.env.JOURNEY_RUNS ?? 12);
const SEED = Number(process.env.JOURNEY_SEED ?? 39);

/** The carrier of all messages, which reports the arrivals. */
const CARRIER = 'haulier';

const parties = ['carrier', 'forwarder', 'express', 'haulier'] as const;
type Party = (typeof parties)[number];

/** How a message comes to be what it is: at once, replaced, or cancelled and lodged again. */
const pasts = ['as it is', 'incomplete before', 'elsewhere before', 'cancelled before'] as const;

const party = fc.constantFrom(...parties);
const house = fc.record({
  by: party,
  representative: fc.option(fc.constantFrom<Party>('forwarder', 'haulier'), { nil: undefined }),
  hangsOn: fc.constantFrom(
    'a master',
    'a receptacle',
    'the transport',
    'a related master',
    'a master by a relation',
    'the transport by a relation',
  ),
  /** Who makes the relation, and whether that is before what was missing comes. */
  relatedBy: party,
  isRelatedEarly: fc.boolean(),
  past: fc.constantFrom(...pasts),
  isControlled: fc.boolean(),
  /** Whether it cites a customs declaration that comes at some time. */
  isCleared: fc.boolean(),
  /** The same goods in an ENS. */
  ens: fc.option(
    fc.record({
      declarant: fc.constantFrom('broker', ...parties),
      representative: fc.option(party, { nil: undefined }),
      isAmended: fc.boolean(),
    }),
    { nil: undefined },
  ),
});
const journey = fc.record({
  /** The third one hangs on the transport by a relation, which this party makes. */
  masters: fc.tuple(party, party, party),
  masterRelatedBy: party,
  houses: fc.array(house, { minLength: 1, maxLength: 4 }),
  isSwapped: fc.boolean(),
  /** Whether the transport comes to name its documents by a replacement, and whether that is after its arrival. */
  namesLater: fc.constantFrom('no', 'before', 'after'),
  isAtOnce: fc.boolean(),
  /** Of which chain of steps the next one is taken. */
  order: fc.array(fc.nat({ max: 30 }), { maxLength: 40 }),
});
type Journey = typeof journey extends fc.Arbitrary<infer Each> ? Each : never;

/** The master consignment under which goods are, as its number. */
const masterOf: Readonly<Record<string, 0 | 1 | 2>> = {
  'a master': 0,
  'a receptacle': 1,
  'a related master': 2,
  'a master by a relation': 0,
};

/** One of the two messages of a relation: its type, and its name in the journey. */
type RelatedName = readonly [type: RelatedType, name: string];

/** Steps of one message, which are taken one after the other. */
type Chain = (() => Promise<unknown>)[];

/** What the goods under an MRN end as: whom they are presented for, and their routing. */
type Ended = { recipients: readonly string[]; routing: string };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`journeys in any order on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, { referenceDocuments: 'loaded' });
      movements = new TestMovements(playground);
    });
    after(async () => {
      assert.deepEqual(await checkSignals(database), []);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await playground.close();
    });

    const organisation = (as: string) => playground.credentials(as).organisation;
    const numberOf = (as: string) => organisation(as).replace('0192:', 'NO');

    let runs = 0;
    /** The chains of a journey, and what it ends as by the MRNs of its goods once the chains are done. */
    const stepsOf = ({ masters, masterRelatedBy, houses, isSwapped, namesLater }: Journey) => {
      const run = `${runs++}`;
      const carrier = numberOf(CARRIER);
      const documents = [`M0-${run}`, `M1-${run}`, `M2-${run}`];
      const mrns = new Map<string, string>();
      const asked = new Set<string>();
      /** Relates two messages once both are lodged: whoever comes last does. */
      const relateWhenBoth = (parent: RelatedName, child: RelatedName, by: Party) => async () => {
        const [upper, lower] = [mrns.get(parent[1]), mrns.get(child[1])];
        const pair = `${parent[1]} ${child[1]}`;
        if (upper === undefined || lower === undefined || asked.has(pair)) return;
        asked.add(pair);
        await movements.relate([parent[0], upper], [child[0], lower], by);
      };
      const onTransport = (lower: RelatedName, by: Party) =>
        relateWhenBoth(['TRANSPORT', 'transport'], lower, by);
      const ofMaster = (index: number): RelatedName => ['MASTER_CONSIGNMENT', `M${index}`];
      const ofHouse = (index: number): RelatedName => ['HOUSE_CONSIGNMENT', `H${index}`];
      /** The relation by which a house consignment hangs, if it does. */
      const relationsOfHouse = (
        { hangsOn, relatedBy }: Journey['houses'][number],
        index: number,
      ) =>
        hangsOn === 'the transport by a relation'
          ? [onTransport(ofHouse(index), relatedBy)]
          : hangsOn === 'a master by a relation'
            ? [relateWhenBoth(ofMaster(0), ofHouse(index), relatedBy)]
            : [];
      const receptacle = `GBASFZMLBKONAUN${run.padStart(14, '0')}`;
      const documentOf = (index: number) =>
        `H${index}-${run}${houses[index]?.isControlled ? '-CONTROL' : ''}`;
      const direct = houses.flatMap(({ hangsOn }, index) =>
        hangsOn === 'the transport' ? [documentOf(index)] : [],
      );
      const ended = new Map<string, Ended>();
      const chains: Chain[] = [];

      const named = { masters: documents.slice(0, 2), houses: direct };
      const scheduledDateAndTimeOfArrival = '2026-05-04T09:30:00Z';
      const lorry = (plate: string, names: object) =>
        transportMessage(plate, { carrier, scheduledDateAndTimeOfArrival, ...names });
      let transport = '';
      const lodgeLorry = async () => {
        const message = lorry(`R-${run}`, namesLater === 'no' ? named : {});
        transport = await movements.lodge('transport', message, 'carrier');
        mrns.set('transport', transport);
      };
      const nameDocuments = () =>
        movements.replace('transport', transport, lorry(`R-${run}`, named), 'carrier');
      const arrive = async () => {
        assert.equal((await movements.arrive(transport, CARRIER)).status, 'SUCCESS');
      };
      let broken = '';
      const swapped: Chain = [
        async () => {
          broken = await movements.lodge('transport', lorry(`B-${run}`, named), 'carrier');
        },
        () => movements.cancel('transport', broken, 'carrier'),
      ];
      chains.push([
        ...(isSwapped ? swapped : []),
        lodgeLorry,
        onTransport(ofMaster(2), masterRelatedBy),
        ...houses.flatMap((each, index) =>
          each.hangsOn === 'the transport by a relation' ? relationsOfHouse(each, index) : [],
        ),
        ...(namesLater === 'before' ? [nameDocuments] : []),
        arrive,
        ...(namesLater === 'after' ? [nameDocuments] : []),
      ]);

      masters.forEach((by, index) => {
        const receptacles = index === 1 ? [receptacle] : [];
        const message = masterMessage(documents[index] ?? '', { receptacles, carrier });
        const lodge = async () => {
          mrns.set(`M${index}`, await movements.lodge('master-consignment', message, by));
        };
        chains.push([
          lodge,
          ...(index === 2 ? [onTransport(ofMaster(2), masterRelatedBy)] : []),
          ...houses.flatMap((each, of) =>
            index === 0 && each.hangsOn === 'a master by a relation'
              ? relationsOfHouse(each, of)
              : [],
          ),
        ]);
      });

      houses.forEach((given, index) => {
        const { by, representative, hangsOn, past, isControlled, isCleared, ens } = given;
        const declaration = {
          declarantNumber: '123456789',
          declarationDate: '2026-05-04',
          sequenceNumber: `${Number(run) * 4 + index + 1}`,
        };
        const cleared = {
          importProcedure: {
            importProcedure: 'CUSTOMS_DECLARATION',
            hasOutgoingProcedure: false,
          },
          previousDocuments: [{ typeOfReference: 'CUDE', ...declaration }],
        };
        const message = (place: object, more: object = {}) => ({
          ...houseMessage(documentOf(index), {
            carrier,
            ...place,
            ...(isCleared && cleared),
            ...more,
          }),
          ...(representative && {
            representative: {
              name: 'Spedisjon AS',
              identificationNumber: numberOf(representative),
              address: { city: 'Oslo', country: 'NO' },
              communication: [],
            },
          }),
        });
        const place =
          hangsOn === 'a master'
            ? { master: documents[0] }
            : hangsOn === 'a receptacle'
              ? { receptacle }
              : hangsOn === 'the transport'
                ? { isDirect: true }
                : hangsOn === 'a related master'
                  ? { master: documents[2] }
                  : {};
        const elsewhere = message({ master: `X${index}-${run}` });
        const incomplete = message(place, {
          importProcedure: undefined,
          previousDocuments: undefined,
        });
        const end: Ended = {
          recipients: [
            'carrier',
            ...(masterOf[hangsOn] === undefined ? [] : [masters[masterOf[hangsOn]]]),
            by,
            ...(representative ? [representative] : []),
          ],
          routing: isControlled ? 'TO_CONTROL' : 'TO_ENTRY',
        };
        let mrn = '';
        const lodge = (given: unknown) => async () => {
          mrn = await movements.lodge('house-consignment', given, by);
        };
        const cancel = () => movements.cancel('house-consignment', mrn, by);
        const replace = () => movements.replace('house-consignment', mrn, message(place), by);
        // What has ended is not related. What is presented, complete and decided is not replaced, so a relation comes after that.
        const note = async () => {
          mrns.set(`H${index}`, mrn);
        };
        const relate = [note, ...relationsOfHouse(given, index)];
        const first = lodge(past === 'elsewhere before' ? elsewhere : incomplete);
        const chain =
          past === 'as it is'
            ? [lodge(message(place)), ...relate]
            : past === 'cancelled before'
              ? [lodge(elsewhere), cancel, lodge(message(place)), ...relate]
              : past === 'incomplete before' && given.isRelatedEarly
                ? [first, ...relate, replace]
                : [first, replace, ...relate];
        chains.push([...chain, async () => ended.set(mrn, end)]);
        if (isCleared) chains.push([() => registerDocument(declaration)]);
        // An ENS names no relation.
        if (ens === undefined || !['a master', 'a receptacle'].includes(hangsOn)) return;

        const ensMrn = `26NO9${run.padStart(10, '0')}${String(index).padStart(2, '0')}A`;
        const register = (hanging: object, version: number) => async () => {
          const body = {
            version,
            customsOfficeOfFirstEntry: 'NO351001',
            declarant: organisation(ens.declarant),
            ...(ens.representative && { representative: organisation(ens.representative) }),
            houseConsignments: [
              { transportDocumentHouseLevel: roadDocument(documentOf(index)), ...hanging },
            ],
          };
          const response = await playground.call(`${DECLARATIONS}/${ensMrn}`, {
            as: 'authority',
            method: 'PUT',
            body,
          });
          assert.ok(response.status < 300, response.text);
        };
        const hanging =
          hangsOn === 'a master'
            ? { transportDocumentMasterLevel: roadDocument(documents[0] ?? '') }
            : { receptacleId: receptacle };
        const before = { transportDocumentMasterLevel: roadDocument(`Y${index}-${run}`) };
        chains.push([
          ...(ens.isAmended ? [register(before, 1)] : []),
          register(hanging, 2),
          async () =>
            ended.set(ensMrn, {
              recipients: [ens.declarant, ...(ens.representative ? [ens.representative] : [])],
              routing: end.routing,
            }),
        ]);
      });
      return { chains, ended };
    };
    const registerDocument = async (declaration: object) => {
      const response = await playground.call('/api/authority/v1/reference-documents', {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        raw: `${JSON.stringify({ kind: 'CUDE', state: 'VALID', ...declaration })}\n`,
      });
      assert.match(response.text, /REGISTERED/);
    };

    /** Whom goods are presented for, by their MRNs. */
    const readConnections = async (mrns: readonly string[]) => {
      const rows = await database.query<{ mrn: string; organisation: string }>({
        name: '',
        text: `
          select e.mrn, o.identifier as organisation
          from declaration e join house_consignment h on h.ens_id = e.id
          join signal_recipient c on c.house_consignment_id = h.id join organisation o on o.id = c.organisation_id
          where e.mrn = any ($1)`,
        values: [mrns],
      });
      return rows.map((row) => `${row.mrn} ${row.organisation}`).sort();
    };
    /** Every signal about goods: their MRN, its recipient and the routing. */
    const readSignals = async (mrns: readonly string[]) => {
      const rows = await database.query<{ entry: string; organisation: string }>({
        name: '',
        text: `
          select r.entry, o.identifier as organisation
          from routing_signal r join organisation o on o.id = r.owner
          where coalesce(r.entry::json ->> 'entrySummaryDeclarationMRN', r.entry::json ->> 'houseConsignmentMRN') = any ($1)`,
        values: [mrns],
      });
      return rows
        .map(({ entry, organisation: recipient }) => {
          const { houseConsignmentMRN, entrySummaryDeclarationMRN, routingResult } =
            JSON.parse(entry);
          return `${entrySummaryDeclarationMRN ?? houseConsignmentMRN} ${recipient} ${routingResult.routing}`;
        })
        .sort();
    };

    test('every order of the steps of a journey ends the same', async () => {
      await fc.assert(
        fc.asyncProperty(journey, async (given) => {
          const { chains, ended } = stepsOf(given);
          if (given.isAtOnce) {
            const inTurn = async (chain: Chain) => {
              for (const step of chain) await step();
            };
            await Promise.all(chains.map(inTurn));
          } else {
            const left = chains.map((chain) => [...chain]);
            const order = given.order.values();
            for (let ready = left; ready.length > 0; ready = left.filter(({ length }) => length)) {
              const next = order.next().value ?? 0;
              await ready[next % ready.length]?.shift()?.();
            }
          }
          const mrns = [...ended.keys()];
          const recipients = [...ended].flatMap(([mrn, end]) =>
            [...new Set(end.recipients)].map((as) => ({
              connection: `${mrn} ${organisation(as)}`,
              signal: `${mrn} ${organisation(as)} ${end.routing}`,
            })),
          );
          // Whatever came last has presented before its response.
          assert.deepEqual(
            await readConnections(mrns),
            recipients.map(({ connection }) => connection).sort(),
          );
          const expected = recipients.map(({ signal }) => signal).sort();
          for (const last = performance.now() + 60_000; ; ) {
            const signals = await readSignals(mrns);
            if (signals.length >= expected.length || performance.now() > last) {
              assert.deepEqual(signals, expected);
              break;
            }
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }),
        { numRuns: RUNS, seed: SEED },
      );
    });
  });
}
