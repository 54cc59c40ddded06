// Goods that are lodged and in an ENS as well: whatever happens in whatever order, both records carry one routing.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { RoutingDecisionResult, RoutingSignal } from '@landfall/contract';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { closeMovements } from '../retention/end-movements.js';
import { LiveProfiles } from '../routing/profiles.js';
import { drawnDatabases } from '../testing/databases.js';
import { houseMessage, roadDocument, TestMovements } from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';
import { register } from './register.js';

type Routing = 'TO_CONTROL' | 'TO_ENTRY';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`goods told twice on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    let declarant: string;
    const profiles = new LiveProfiles();
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
      declarant = playground.credentials('haulier').organisation;
    });
    after(() => playground.close());

    let mrns = 0;
    const newMrn = () => `26NO7${String(++mrns).padStart(12, '0')}A`;
    const lodge = (number: string, more: object, as = 'forwarder') =>
      movements.lodge('house-consignment', houseMessage(number, { ...more }), as);
    /** Registers an ENS with one house consignment, as the authority sends it. */
    const registerEns = async (
      mrn: string,
      number: string,
      { master, receptacle, routing }: { master?: string; receptacle?: string; routing?: Routing },
      by = declarant,
    ) => {
      const declaration = {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: by,
      };
      const house = {
        transportDocumentHouseLevel: roadDocument(number) as {
          documentNumber: string;
          type: 'N730';
        },
        ...(master !== undefined && {
          transportDocumentMasterLevel: roadDocument(master) as {
            documentNumber: string;
            type: 'N730';
          },
        }),
        ...(receptacle !== undefined && { receptacleId: receptacle }),
        ...(routing !== undefined && { routing }),
      };
      const [outcome] = await register(
        { database, audit: new AuditTrail(), newId: v7, profiles },
        [{ mrn, declaration, houses: [house], isComplete: true }],
        { at: new Date(), actor: undefined, requestId: randomUUID() },
      );
      return outcome ?? assert.fail();
    };
    const decide = async (mrn: string, number: string, routing: string, more: object = {}) => {
      const response = await playground.call('/api/authority/v1/routing-decisions', {
        as: 'authority',
        method: 'POST',
        body: [
          {
            mrn,
            transportDocumentHouseLevel: roadDocument(number),
            routing,
            reason: 'checked',
            ...more,
          },
        ],
      });
      assert.equal(response.status, 200, response.text);
      const [result] = response.body as RoutingDecisionResult[];
      return result ?? assert.fail(response.text);
    };
    const present = async (number: string, as: string, mrn: string) => {
      const reference = { transportDocumentHouseLevel: roadDocument(number), mrn };
      const response = await playground.present('house-consignment', as, reference);
      assert.equal(response.status, 202, response.text);
    };
    const run = <Row extends object>(text: string, values: unknown[] = []) =>
      database.query<Row>({ name: '', text, values });
    /** The decisions on the goods under an MRN, in their order. */
    const decisionsOf = async (mrn: string) => {
      const rows = await run<{ text: string }>(
        `select d.origin || ' ' || d.routing || case when d.takes_effect then '' else ' recorded' end as text
        from declaration e join house_consignment h on h.ens_id = e.id
        join routing_decision d on d.house_consignment_id = h.id
        where e.mrn = $1 order by d.number`,
        [mrn],
      );
      return rows.map(({ text }) => text);
    };
    const routingOf = async (mrn: string) => {
      const [row] = await run<{ routing: string | null }>(
        'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
        [mrn],
      );
      return row?.routing ?? undefined;
    };
    /** Records of the same goods that carry different routings; by the texts of messages, without the function that finds them. */
    const different = () =>
      run(`
        select h.document_number, l.mrn as lodged, h.routing, e.mrn as ens, o.routing as other
        from house_consignment h join declaration l on l.id = h.ens_id and l.kind = 'HOUSE'
        cross join lateral (
          select house, house #> '{consignmentMasterLevel,transportDocumentMasterLevel}' as master
          from (select body::json -> 'consignmentHouseLevel' as house from movement_text where declaration_id = l.id) body
        ) message
        join house_consignment o on o.document_number = h.document_number and o.document_type = h.document_type
          and ((o.master_document_number, o.master_document_type) = (master ->> 'documentNumber', master ->> 'type')
            or o.receptacle_id = house ->> 'receptacleIdentificationNumber')
        join declaration e on e.id = o.ens_id and e.kind is null
        where (h.routing, h.routing_control_location) is distinct from (o.routing, o.routing_control_location)
          -- Numbers that are used again after a message was closed have a test of their own.
          and not exists (select from movement c where c.house_key = h.document_key and c.state = 'CLOSED')`);
    /** Recipients whose last signal is not the routing of the goods. */
    const wronglyTold = () =>
      run(`
        select h.document_number, e.mrn, s.organisation_id, h.routing, last.entry
        from signal_recipient s join house_consignment h on h.id = s.house_consignment_id
        join declaration e on e.id = h.ens_id
        left join lateral (
          select entry from routing_signal r where r.owner = s.organisation_id
            and (r.entry::json ->> 'entrySummaryDeclarationMRN' = e.mrn or r.entry::json ->> 'houseConsignmentMRN' = e.mrn)
          order by position desc limit 1
        ) last on true
        where e.mrn like '26NO%' and h.routing is not null
          and last.entry::json -> 'routingResult' ->> 'routing' is distinct from h.routing`);

    test('a decision on one record is a decision on the other, with signals to the parties of each', async () => {
      const ens = newMrn();
      await registerEns(ens, 'T1', { master: 'TM1' });
      const lodged = await lodge('T1', { master: 'TM1', importProcedure: undefined });
      await present('T1', 'haulier', ens);
      await present('T1', 'forwarder', lodged);
      assert.equal((await decide(ens, 'T1', 'TO_CONTROL')).status, 'DECIDED');
      const other = await decide(lodged, 'T1', 'TO_ENTRY', { expected: 1 });
      assert.deepEqual([other.status, other.number], ['DECIDED', 2]);
      for (const mrn of [ens, lodged]) {
        assert.deepEqual(await decisionsOf(mrn), ['ENGINE TO_CONTROL', 'ENGINE TO_ENTRY']);
      }
      assert.deepEqual((await decide(ens, 'T1', 'TO_CONTROL', { expected: 1 })).status, 'CONFLICT');
      for (const [as, mrn] of [
        ['haulier', ens],
        ['forwarder', lodged],
      ] as const) {
        const { body } = await playground.get(
          '/api/movement/routing/v1/house-consignment?limit=1000',
          as,
        );
        const own = (body as (RoutingSignal & { houseConsignmentMRN?: string })[]).filter(
          ({ entrySummaryDeclarationMRN, houseConsignmentMRN }) =>
            (entrySummaryDeclarationMRN ?? houseConsignmentMRN) === mrn,
        );
        assert.deepEqual(
          own.map(({ routingResult }) => routingResult.routing),
          ['TO_CONTROL', 'TO_ENTRY'],
          as,
        );
      }
    });

    test('the record that comes second takes the decision of the first, and whoever has made it', async () => {
      const ens = newMrn();
      await registerEns(ens, 'T2', { receptacle: 'TR2', routing: 'TO_CONTROL' });
      const lodged = await lodge('T2', { receptacle: 'TR2' });
      assert.deepEqual(await decisionsOf(lodged), ['REGISTRATION TO_CONTROL']);
      const first = await lodge('T3', { master: 'TM3' });
      await decide(first, 'T3', 'TO_CONTROL');
      const second = newMrn();
      // What a system has decided stays; the difference is recorded.
      await registerEns(second, 'T3', { master: 'TM3', routing: 'TO_ENTRY' });
      assert.deepEqual(await decisionsOf(second), [
        'ENGINE TO_CONTROL',
        'REGISTRATION TO_ENTRY recorded',
      ]);
      assert.equal(await routingOf(first), 'TO_CONTROL');
    });

    test('a routing that comes with the second record is a new decision on both', async () => {
      const ens = newMrn();
      const lodged = await lodge('T4', { master: 'TM4', importProcedure: undefined });
      await present('T4', 'forwarder', lodged);
      await registerEns(ens, 'T4', { master: 'TM4', routing: 'TO_CONTROL' });
      for (const mrn of [ens, lodged]) assert.equal(await routingOf(mrn), 'TO_CONTROL', mrn);
      // The records are apart again, and each keeps what it has.
      await registerEns(ens, 'T4', { master: 'TM4-other', routing: 'TO_CONTROL' });
      await decide(lodged, 'T4', 'TO_ENTRY');
      assert.equal(await routingOf(ens), 'TO_CONTROL');
      assert.equal(await routingOf(lodged), 'TO_ENTRY');
      // Both were decided for themselves, and now they are the same goods: the stricter decision holds.
      await registerEns(ens, 'T4', { master: 'TM4', routing: 'TO_CONTROL' });
      for (const mrn of [ens, lodged]) assert.equal(await routingOf(mrn), 'TO_CONTROL', mrn);
    });

    test('what is taken back or released is that of both records', async () => {
      const ens = newMrn();
      await registerEns(ens, 'T5', { master: 'TM5', routing: 'TO_ENTRY' });
      const lodged = await lodge('T5', { master: 'TM5' });
      await present('T5', 'forwarder', lodged);
      const refused = await decide(ens, 'T5', 'UNDECIDED');
      assert.equal(refused.validationErrors?.[0]?.code, 'RELEASED');
      await registerEns(ens, 'T5', { master: 'TM5' });
      for (const mrn of [ens, lodged]) assert.equal(await routingOf(mrn), 'TO_ENTRY', mrn);
    });

    test('a run that selects both records decides both, and its reversal too', async () => {
      const ens = newMrn();
      await registerEns(ens, 'T6', { master: 'TM6' });
      const lodged = await lodge('T6', { master: 'TM6', importProcedure: undefined });
      const ids = await run<{ id: string }>(
        'select h.id from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = any ($1::text[])',
        [[ens, lodged]],
      );
      const created = await playground.post('/api/authority/v1/routing-runs', 'authority', {
        select: { houseConsignmentIds: ids.map(({ id }) => id) },
        routing: 'TO_CONTROL',
        reason: 'a warning',
      });
      assert.equal(created.status, 201, created.text);
      const { id } = created.body as { id: string };
      let state = '';
      for (let tries = 0; state !== 'COMPLETED' && tries < 200; tries++) {
        const read = await playground.get(`/api/authority/v1/routing-runs/${id}`, 'authority');
        ({ state } = read.body as { state: string });
        if (state === 'COMPLETED') assert.equal((read.body as { conflicts: number }).conflicts, 0);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(state, 'COMPLETED');
      for (const mrn of [ens, lodged]) {
        assert.deepEqual(await decisionsOf(mrn), ['ENGINE TO_CONTROL'], mrn);
      }
    });

    test('where only expected parties present, goods of a stranger are other goods', async () => {
      const pairs = async (number: string, expectedOnly: boolean) => {
        const rows = await run<{ other: string }>(
          `select other from house_consignment h cross join lateral same_goods(h.id, $2) where document_number = $1`,
          [number, expectedOnly],
        );
        return rows.length;
      };
      await registerEns(newMrn(), 'T7', { master: 'TM7' });
      await lodge('T7', { master: 'TM7' }, 'forwarder');
      await registerEns(newMrn(), 'T8', { master: 'TM8' });
      await lodge('T8', { master: 'TM8' }, 'haulier');
      // Anybody may name the declarant of others as a representative.
      await registerEns(newMrn(), 'TNAMED', { master: 'TMNAMED' });
      const named = {
        ...houseMessage('TNAMED', { master: 'TMNAMED' }),
        representative: {
          name: 'Spedisjon AS',
          identificationNumber: playground
            .credentials('haulier')
            .organisation.replace('0192:', 'NO'),
          address: { city: 'Oslo', country: 'NO' },
          communication: [],
        },
      };
      await movements.lodge('house-consignment', named, 'forwarder');
      assert.deepEqual(
        [await pairs('T7', false), await pairs('T7', true), await pairs('T8', true)],
        [2, 0, 2],
      );
      assert.deepEqual([await pairs('TNAMED', false), await pairs('TNAMED', true)], [2, 0]);
      assert.equal(await pairs('T0', false), 0);
    });

    test('numbers that are used again after a message was closed are of other goods', async () => {
      const document = { master: 'TM9' };
      const old = await lodge('T9', document);
      const oldEns = newMrn();
      await registerEns(oldEns, 'T9', document);
      await present('T9', 'forwarder', old);
      await decide(old, 'T9', 'TO_ENTRY');
      const inAMinute = new Date(Date.now() + 60_000);
      const context = { database, audit: new AuditTrail(), clock: () => new Date() };
      const steps = closeMovements({ ...context, movedClock: undefined }, inAMinute);
      for await (const ended of steps) assert.ok(ended >= 0);
      const ens = newMrn();
      await registerEns(ens, 'T9', document);
      const lodged = await lodge('T9', document);
      const routings = () => Promise.all([old, oldEns, lodged, ens].map(routingOf));
      assert.deepEqual(await routings(), ['TO_ENTRY', 'TO_ENTRY', undefined, undefined]);
      await decide(ens, 'T9', 'TO_CONTROL');
      assert.deepEqual(await routings(), ['TO_ENTRY', 'TO_ENTRY', 'TO_CONTROL', 'TO_CONTROL']);
      await decide(oldEns, 'T9', 'TO_CONTROL');
      await decide(lodged, 'T9', 'TO_ENTRY');
      assert.deepEqual(await routings(), ['TO_CONTROL', 'TO_CONTROL', 'TO_ENTRY', 'TO_ENTRY']);
    });

    test('what an ENS has presented and released long ago is of other goods, and its control is not', async () => {
      const age = (mrn: string, days: number) =>
        run(
          `update signal_recipient s set first_presented_at = first_presented_at - make_interval(days => $2)
          from house_consignment h join declaration e on e.id = h.ens_id where h.id = s.house_consignment_id and e.mrn = $1`,
          [mrn, days],
        );
      for (const [index, [routing, days, expected]] of (
        [
          ['TO_ENTRY', 6, 'TO_ENTRY'],
          ['TO_ENTRY', 8, undefined],
          ['TO_CONTROL', 300, 'TO_CONTROL'],
        ] as const
      ).entries()) {
        const ens = newMrn();
        const document = { master: `TMA${index}` };
        await registerEns(ens, `TA${index}`, document);
        await present(`TA${index}`, 'haulier', ens);
        await decide(ens, `TA${index}`, routing);
        await age(ens, days);
        const lodged = await lodge(`TA${index}`, document);
        assert.equal(await routingOf(lodged), expected, `${routing} ${days}`);
        await present(`TA${index}`, 'forwarder', lodged);
        if (expected === undefined) {
          await decide(lodged, `TA${index}`, 'TO_CONTROL');
          assert.equal(await routingOf(ens), routing);
          await decide(lodged, `TA${index}`, routing);
        }
        // The audit trail has the times as they were.
        await age(ens, -days);
      }
    });

    /** What happens to goods of a few documents. */
    type Step =
      | { does: 'lodge'; as: 'forwarder' | 'haulier'; master: number | undefined; house: number }
      | { does: 'replace'; which: number; master: number }
      | { does: 'cancel'; which: number }
      | {
          does: 'register';
          ens: number;
          master: number;
          house: number;
          routing: Routing | undefined;
        }
      | { does: 'decide'; which: number; routing: Routing }
      | { does: 'present'; which: number };
    const number = fc.nat({ max: 1 });
    const which = fc.nat({ max: 5 });
    const routing = fc.constantFrom<Routing>('TO_CONTROL', 'TO_ENTRY');
    const record = <Does extends string, Rest extends object>(
      does: Does,
      rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
    ) => fc.record({ does: fc.constant(does), ...rest });
    const changes = [
      record('lodge', {
        as: fc.constantFrom('forwarder', 'haulier'),
        // It may come when the goods are replaced.
        master: fc.option(number, { nil: undefined }),
        house: number,
      }),
      record('replace', { which, master: number }),
      record('cancel', { which }),
      record('register', {
        ens: number,
        master: number,
        house: number,
        routing: fc.option(routing, { nil: undefined }),
      }),
      record('decide', { which, routing }),
    ];
    let runs = 0;
    /** An ENS has the same house document whenever it is registered. */
    const mrnOf = (step: { ens: number; house: number }, ens: readonly string[]) =>
      ens[2 * step.ens + step.house] ?? assert.fail();

    type Known = { mrn: string; house: string; master: string | undefined; as?: string };
    /** Carries steps out, at once if they are in one group; what a rule refuses changes nothing. */
    const carryOut = async (step: Step, key: number, known: Known[], ens: string[]) => {
      const houseOf = (step: { house: number }) => `X${key}-${step.house}`;
      const masterOf = (step: { master: number }) => `XM${key}-${step.master}`;
      const lodgedOf = (index: number) => {
        const lodged = known.filter(({ as }) => as !== undefined);
        return lodged[index % Math.max(1, lodged.length)];
      };
      if (step.does === 'lodge') {
        const house = houseOf(step);
        const master = step.master === undefined ? undefined : masterOf({ master: step.master });
        const message = houseMessage(house, {
          ...(master !== undefined && { master }),
          carrier: step.as === 'haulier' ? 'NO777777777' : 'NO888888888',
          importProcedure: undefined,
        });
        const status = await movements.carryOut('POST', 'house-consignment', message, step.as);
        if (status.mrn !== undefined) known.push({ mrn: status.mrn, house, master, as: step.as });
      } else if (step.does === 'register') {
        const mrn = mrnOf(step, ens);
        const house = houseOf(step);
        const master = masterOf(step);
        const { routing: registered } = step;
        const outcome = await registerEns(mrn, house, {
          master,
          ...(registered !== undefined && { routing: registered }),
        });
        if ('errors' in outcome) return;
        const before = known.findIndex((one) => one.mrn === mrn);
        if (before >= 0) known.splice(before, 1);
        known.push({ mrn, house, master });
      } else if (step.does === 'replace' || step.does === 'cancel') {
        const lodged = lodgedOf(step.which);
        if (lodged?.as === undefined) return;
        const path = `house-consignment/${lodged.mrn}`;
        if (step.does === 'cancel') {
          const { status } = await movements.carryOut('DELETE', path, {}, lodged.as);
          if (status === 'SUCCESS') known.splice(known.indexOf(lodged), 1);
          return;
        }
        const master = masterOf(step);
        const message = houseMessage(lodged.house, {
          master,
          carrier: lodged.as === 'haulier' ? 'NO777777777' : 'NO888888888',
          importProcedure: undefined,
        });
        const { status } = await movements.carryOut('PUT', path, message, lodged.as);
        if (status === 'SUCCESS') lodged.master = master;
      } else {
        const one = known[step.which % Math.max(1, known.length)];
        if (one === undefined) return;
        if (step.does === 'decide') await decide(one.mrn, one.house, step.routing);
        // What is cancelled meanwhile is not found.
        else {
          await playground.present('house-consignment', one.as ?? 'haulier', {
            transportDocumentHouseLevel: roadDocument(one.house),
            mrn: one.mrn,
          });
        }
      }
    };

    test('in every order, and at once, the records of the same goods carry one routing', async () => {
      const step = fc.oneof(...changes, record('present', { which })) as fc.Arbitrary<Step>;
      const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), {
        minLength: 3,
        maxLength: 7,
      });
      await fc.assert(
        fc.asyncProperty(groups, async (given) => {
          const key = runs++;
          const ens = [newMrn(), newMrn(), newMrn(), newMrn()];
          const known: Known[] = [];
          for (const group of given) {
            await Promise.all(group.map((one) => carryOut(one, key, known, ens)));
            assert.deepEqual(await different(), []);
          }
          assert.deepEqual(await wronglyTold(), []);
        }),
        { numRuns: name === 'embedded' ? 12 : 40 },
      );
    });

    /** What is expected of each record, by the rules as a reader of the guide knows them. */
    class Expected {
      readonly #records = new Map<string, ExpectedRecord>();
      /** When the controls were decided that were kept of withdrawn goods, by house document and what others have in common. */
      readonly #kept = new Map<string, number>();
      #time = 0;

      sameAs(mrn: string) {
        const found = new Set([mrn]);
        for (const one of found) {
          const { party, house, master } = this.#records.get(one) ?? assert.fail();
          for (const [other, its] of this.#records) {
            const isOfMaster = master !== undefined && its.master === master;
            const isOfOtherKind = (its.party === undefined) !== (party === undefined);
            if (isOfOtherKind && its.house === house && isOfMaster) found.add(other);
          }
        }
        return [...found].map((one) => this.#records.get(one) ?? assert.fail());
      }

      /** What is lodged at the same time under the same documents. */
      #beside(mrn: string) {
        const { party, house, master } = this.#records.get(mrn) ?? assert.fail();
        return [...this.#records].flatMap(([other, its]) =>
          other !== mrn &&
          party !== undefined &&
          its.party !== undefined &&
          its.house === house &&
          master !== undefined &&
          its.master === master
            ? [its]
            : [],
        );
      }

      /** A record comes, or comes to be of other goods: the strictest decision holds on all of them. */
      put(mrn: string, what: Pick<ExpectedRecord, 'party' | 'house' | 'master'>) {
        this.#records.set(mrn, { byEngineAt: undefined, ...this.#records.get(mrn), ...what });
        const decided = this.sameAs(mrn).filter(({ routing }) => routing !== undefined);
        const held = ['TO_CONTROL', 'TO_ENTRY'].flatMap((routing) => [
          decided.find((one) => one.routing === routing && one.byEngineAt !== undefined) ?? [],
          decided.find((one) => one.routing === routing) ?? [],
        ]);
        const [holds] = held.flat();
        if (holds !== undefined) this.#decide(mrn, holds.routing, holds.byEngineAt);
      }

      /** Whether it changes the record. */
      register(mrn: string, registered: Routing | undefined): boolean {
        const record = this.#records.get(mrn) ?? assert.fail();
        const isChanged = record.registered !== registered;
        record.registered = registered;
        if (isChanged && record.byEngineAt === undefined) this.#decide(mrn, registered, undefined);
        return isChanged;
      }

      /** A control on goods that are gone, or lodged beside it, is on what is written of them later. */
      takeOver(mrn: string) {
        const record = this.#records.get(mrn) ?? assert.fail();
        const decidedAt = [
          ...relationsOf(record).flatMap((relation) => this.#kept.get(relation) ?? []),
          ...this.#beside(mrn).flatMap(({ routing, byEngineAt }) =>
            routing === 'TO_CONTROL' ? (byEngineAt ?? []) : [],
          ),
        ];
        const { routing, byEngineAt } = record;
        if (byEngineAt !== undefined && routing === 'TO_CONTROL') return;
        if (decidedAt.some((at) => byEngineAt === undefined || at > byEngineAt)) {
          this.#decide(mrn, 'TO_CONTROL', ++this.#time);
        }
      }

      decide(mrn: string, routing: Routing) {
        this.#decide(mrn, routing, ++this.#time);
        if (routing !== 'TO_CONTROL') return;
        for (const other of this.#beside(mrn)) {
          Object.assign(other, { routing, byEngineAt: this.#time });
        }
      }

      #decide(mrn: string, routing: Routing | undefined, byEngineAt: number | undefined) {
        for (const record of this.sameAs(mrn)) Object.assign(record, { routing, byEngineAt });
      }

      remove(mrn: string) {
        const record = this.#records.get(mrn) ?? assert.fail();
        this.#records.delete(mrn);
        if (record.routing !== 'TO_CONTROL' || record.byEngineAt === undefined) return;
        for (const relation of relationsOf(record)) this.#kept.set(relation, record.byEngineAt);
      }

      routings() {
        return Object.fromEntries([...this.#records].map(([mrn, { routing }]) => [mrn, routing]));
      }
    }
    type ExpectedRecord = {
      /** Who has lodged it; `undefined` of an ENS, which is the haulier's. */
      party: string | undefined;
      house: string;
      master: string | undefined;
      registered?: Routing | undefined;
      routing?: Routing | undefined;
      /** When a system has decided it. */
      byEngineAt: number | undefined;
    };
    const relationsOf = ({ party = 'haulier', house, master }: ExpectedRecord) =>
      [party, master].flatMap((part) => (part === undefined ? [] : `${house} ${part}`));

    test('one after the other, steps end as the rules say', async () => {
      const steps = fc.array(fc.oneof(...changes) as fc.Arbitrary<Step>, { maxLength: 14 });
      await fc.assert(
        fc.asyncProperty(steps, async (given) => {
          const key = runs++;
          const ens = [newMrn(), newMrn(), newMrn(), newMrn()];
          const known: Known[] = [];
          const expected = new Expected();
          for (const step of given) {
            const before = new Map(known.map((one) => [one.mrn, JSON.stringify(one)]));
            await carryOut(step, key, known, ens);
            for (const mrn of before.keys()) {
              if (!known.some((one) => one.mrn === mrn)) expected.remove(mrn);
            }
            if (step.does === 'decide') {
              const one = known[step.which % Math.max(1, known.length)];
              if (one !== undefined) expected.decide(one.mrn, step.routing);
            }
            for (const one of known) {
              const { mrn, house, master } = one;
              let isWritten = before.get(mrn) !== JSON.stringify(one);
              if (isWritten) expected.put(mrn, { party: one.as, house, master });
              if (step.does === 'register' && mrn === mrnOf(step, ens)) {
                isWritten = expected.register(mrn, step.routing) || isWritten;
              }
              if (isWritten) expected.takeOver(mrn);
            }
            const routings: Record<string, string | undefined> = {};
            for (const { mrn } of known) routings[mrn] = await routingOf(mrn);
            assert.deepEqual(routings, expected.routings());
          }
        }),
        { numRuns: name === 'embedded' ? 10 : 40 },
      );
    });

    test('two records that are registered at once see each other', async () => {
      for (let round = 0; round < 30; round++) {
        const ens = newMrn();
        const document = { master: `TRM${round}` };
        const [lodged] = await Promise.all([
          lodge(`TR${round}`, document),
          registerEns(ens, `TR${round}`, { ...document, routing: 'TO_CONTROL' }),
        ]);
        assert.equal(await routingOf(lodged), 'TO_CONTROL', `round ${round}`);
      }
    });

    test('the audit trail covers it', async () => {
      const { breaks } = await verifyAudit(database, feedKinds);
      assert.deepEqual(breaks, []);
    });
  });
}
