// Decisions before and after presentation: which organisation gets which signals, and how often.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { RoutingDecision, RoutingSignal } from '@landfall/contract';
import fc from 'fast-check';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { readPage } from '../feed/read-feed.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import {
  makePresentConsignment,
  type PresentConsignment,
} from '../presentation/present-consignment.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { DecisionCommits } from './commit-decisions.js';
import { postRoutingDecisions } from './post-routing-decisions.js';
import { readDecision } from './read-decision.js';
import { routingSignals } from './signal-feed.js';

const TO_ENTRY = { routing: 'TO_ENTRY' } as const;
const ON_ENTRY = { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' } as const;
const AFTER_ENTRY = { routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' } as const;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`decisions on ${name}`, { skip }, () => {
    let database: Database;
    let servers: { watch: FeedWatch; present: PresentConsignment; commits: DecisionCommits }[];
    let declarations = 0;

    before(async () => {
      database = await open();
      servers = [0, 1].map(() => {
        // Without polls, so that the decision itself must wake the readers.
        const watch = new FeedWatch(database, { pollInterval: 3_600_000 });
        return {
          watch,
          present: makePresentConsignment(database, watch),
          commits: new DecisionCommits(database, watch),
        };
      });
    });
    after(async () => {
      for (const { watch } of servers) watch.close();
      await database.close();
    });

    const server = (index = 0) => servers[index] ?? assert.fail();

    const count = async (table: string) => {
      const text = `select count(*) as rows from ${table}`;
      const [row] = await database.query<{ rows: number }>({ name: '', text, values: [] });
      return row?.rows ?? assert.fail();
    };

    /** Pre-notifies a declaration with undecided house consignments `H0`, `H1`, …, a declarant and a representative. */
    const preNotify = async (houses: number, sharedDocument?: string) => {
      const number = ++declarations;
      const mrn = `26NO${String(number).padStart(14, '0')}`;
      const [declarant, representative] = [`0192:d${number}`, `0192:r${number}`];
      const document = (house: number) => sharedDocument ?? `${number}-H${house}`;
      await registerDeclaration(database, {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant,
        representative,
        houseConsignments: Array.from({ length: houses }, (_, house) => ({
          transportDocumentHouseLevel: { documentNumber: document(house), type: 'N740' },
        })),
      });
      return {
        mrn,
        declarant: await organisationOf(database, declarant),
        representative: await organisationOf(database, representative),
        of: (house: number) => ({
          transportDocumentHouseLevel: { documentNumber: document(house), type: 'N740' as const },
        }),
      };
    };

    const present = async (serverIndex: number, organisation: number, reference: object) => {
      const path = 'mrn' in reference ? 'entry-summary-declaration' : 'house-consignment';
      const request = presentationRequest(path, organisation, reference);
      const outcome = await server(serverIndex).present(request);
      assert(outcome.accepted, JSON.stringify(outcome));
    };

    const decide = (decisions: readonly unknown[], serverIndex = 0) =>
      postRoutingDecisions(
        server(serverIndex).commits,
        decisions.map((one) => readDecision(one, 'standard')),
        {
          at: new Date(),
          origin: 'ENGINE',
          organisationId: 1,
          organisation: '0192:310000043',
          clientId: 'authority',
          requestId: randomUUID(),
        },
      );

    /** The signals of an organisation, as `document routing location`, in order. */
    const signalsOf = async (owner: number) => {
      const page = await readPage(database, { kind: routingSignals, owner }, 0, 1000, 'json');
      return (JSON.parse(page.body) as RoutingSignal[]).map(
        ({ transportDocumentHouseLevel: { documentNumber }, routingResult }) =>
          `${documentNumber} ${routingResult.routing} ${routingResult.routingControlLocation ?? '-'}`,
      );
    };

    test('a decision before presentation issues no signal, and presenting issues it to all three organisations', async () => {
      const { of, declarant, representative, mrn } = await preNotify(1);
      const presenter = await organisationOf(database, '0192:presenter-1');
      const [outcome] = await decide([{ mrn, ...of(0), ...ON_ENTRY, reason: 'a tip' }]);
      assert.deepEqual(
        { ...outcome, houseConsignmentId: '' },
        {
          status: 'DECIDED',
          houseConsignmentId: '',
          number: 1,
          signals: 0,
        },
      );
      assert.deepEqual(await signalsOf(declarant), []);
      await present(0, presenter, of(0));
      for (const organisation of [presenter, declarant, representative]) {
        const { documentNumber } = of(0).transportDocumentHouseLevel;
        assert.deepEqual(await signalsOf(organisation), [`${documentNumber} TO_CONTROL ON_ENTRY`]);
      }
    });

    test('a decision after presentation issues a signal to each connected organisation, and wakes their readers', async () => {
      const { of, declarant, representative } = await preNotify(1);
      const presenter = await organisationOf(database, '0192:presenter-2');
      await present(0, presenter, of(0));
      const watchers = [presenter, declarant, representative].map((owner) =>
        server(0).watch.watch({ kind: routingSignals, owner }),
      );
      const woken = Promise.all(watchers.map((watcher) => watcher.next(20_000)));
      const [outcome] = await decide([{ ...of(0), ...TO_ENTRY }]);
      assert.equal(outcome?.signals, 3);
      assert.deepEqual(await woken, [true, true, true]);
      for (const watcher of watchers) watcher.stop();
      const { documentNumber } = of(0).transportDocumentHouseLevel;
      for (const organisation of [presenter, declarant, representative]) {
        assert.deepEqual(await signalsOf(organisation), [`${documentNumber} TO_ENTRY -`]);
      }
    });

    test('a changed decision issues a signal; a repeated one issues none and writes nothing, and another reason is kept', async () => {
      const { of, declarant } = await preNotify(1);
      await present(0, declarant, of(0));
      await decide([{ ...of(0), ...ON_ENTRY }]);
      const written = async () => [
        await count('routing_decision'),
        await count('routing_signal'),
        await count('audit_record'),
      ];
      const before = await written();
      const [same] = await decide([{ ...of(0), ...ON_ENTRY }]);
      assert.deepEqual([same?.status, same?.number, same?.signals], ['UNCHANGED', 1, 0]);
      assert.deepEqual(await written(), before);
      const [other] = await decide([{ ...of(0), ...ON_ENTRY, reason: 'another reason' }]);
      assert.deepEqual([other?.status, other?.number, other?.signals], ['UNCHANGED', 2, 0]);
      const [decisions = 0, signals, records = 0] = before;
      assert.deepEqual(await written(), [decisions + 1, signals, records + 1]);
      const [changed] = await decide([{ ...of(0), ...AFTER_ENTRY }]);
      assert.equal(changed?.status, 'DECIDED');
      const { documentNumber } = of(0).transportDocumentHouseLevel;
      assert.deepEqual(await signalsOf(declarant), [
        `${documentNumber} TO_CONTROL ON_ENTRY`,
        `${documentNumber} TO_CONTROL AFTER_ENTRY`,
      ]);
    });

    test('several decisions for one consignment apply in their order', async () => {
      const { of, declarant } = await preNotify(2);
      await present(0, declarant, of(0));
      const outcomes = await decide([
        { ...of(0), ...ON_ENTRY },
        { ...of(1), ...TO_ENTRY },
        { ...of(0), ...ON_ENTRY },
        { ...of(0), ...TO_ENTRY },
      ]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['DECIDED', 'DECIDED', 'UNCHANGED', 'DECIDED'],
      );
      const { documentNumber } = of(0).transportDocumentHouseLevel;
      assert.deepEqual(await signalsOf(declarant), [
        `${documentNumber} TO_CONTROL ON_ENTRY`,
        `${documentNumber} TO_ENTRY -`,
      ]);
      await present(0, declarant, of(1));
      assert.equal((await signalsOf(declarant)).length, 3);
    });

    test('an invalid decision is refused with field and code; the others of its block are recorded', async () => {
      const shared = `SHARED-${randomUUID()}`;
      const { of, mrn } = await preNotify(1, shared);
      await preNotify(1, shared);
      const outcomes = await decide([
        { ...of(0), ...TO_ENTRY },
        { mrn, ...of(0), ...TO_ENTRY },
        { mrn: '26NO99999999999999', ...of(0), ...TO_ENTRY },
        { mrn, ...of(0), ...TO_ENTRY, routingControlLocation: 'ON_ENTRY' },
        { mrn, ...of(0), routing: 'ELSEWHERE' },
        'nothing of the sort',
        { mrn, ...of(0), ...TO_ENTRY },
      ]);
      assert.deepEqual(
        outcomes.map(({ status, validationErrors = [] }) =>
          [status, ...validationErrors.map(({ field, code }) => `${field} ${code}`)].join(': '),
        ),
        [
          'REFUSED: transportDocumentHouseLevel REFERENCE_AMBIGUOUS',
          'DECIDED',
          'REFUSED: transportDocumentHouseLevel REFERENCE_NOT_FOUND',
          'REFUSED: routingControlLocation FORMAT',
          'REFUSED: routing UNKNOWN_CODE',
          'REFUSED:  FORMAT',
          'UNCHANGED',
        ],
      );
    });

    test('the audit detects a changed signal of a decision', async () => {
      const { of, declarant } = await preNotify(1);
      await present(0, declarant, of(0));
      await decide([{ ...of(0), ...ON_ENTRY }]);
      const change = (from: string, to: string) =>
        database.query({
          name: '',
          text: 'update routing_signal set entry = replace(entry, $2, $3) where owner = $1',
          values: [declarant, from, to],
        });
      await change('TO_CONTROL', 'TO_ENTRY');
      const [found, ...others] = (await verifyAudit(database, feedKinds)).breaks;
      assert.equal(found?.code, 'CONTENT_CHANGED');
      assert.deepEqual(others, []);
      await change('TO_ENTRY', 'TO_CONTROL');
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('in any order of presentations and decisions, on two servers at once, no signal is lost or duplicated', async () => {
      const HOUSES = 3;
      const step = fc.oneof(
        fc.record({
          present: fc.nat(2),
          house: fc.option(fc.nat(HOUSES - 1)),
          server: fc.nat(1),
        }),
        fc.record({
          decide: fc.array(
            fc.tuple(fc.nat(HOUSES - 1), fc.constantFrom(TO_ENTRY, ON_ENTRY, AFTER_ENTRY)),
            { minLength: 1, maxLength: 4 },
          ),
          server: fc.nat(1),
        }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 14 }),
          fc.boolean(),
          async (steps, together) => {
            const { of, mrn, declarant, representative } = await preNotify(HOUSES);
            const presenters = [
              await organisationOf(database, `0192:${randomUUID()}`),
              declarant,
              representative,
            ];
            const take = async (taken: (typeof steps)[number]) => {
              if ('decide' in taken) {
                const decisions = taken.decide.map(([house, routing]) => ({
                  ...of(house),
                  ...routing,
                }));
                const outcomes = await decide(decisions, taken.server);
                assert(outcomes.every(({ status }) => status !== 'REFUSED'));
                return;
              }
              const reference = taken.house === null ? { mrn } : of(taken.house);
              await present(taken.server, presenters[taken.present] ?? 0, reference);
            };
            if (together) await Promise.all(steps.map(take));
            else for (const one of steps) await take(one);
            // Another decision for each house consignment, whose signal every connected organisation must get.
            const last: RoutingDecision[] = Array.from({ length: HOUSES }, (_, house) => ({
              ...of(house),
              ...ON_ENTRY,
            }));
            await decide(last);
            assert.deepEqual(await checkSignals(database), []);
          },
        ),
        { numRuns: 40, includeErrorInReport: true },
      );
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });
  });
}
