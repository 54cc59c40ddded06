import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HouseConsignment, RoutingDecision, RoutingDecisionResult } from '@landfall/client';
import { collectConsignments, MAX_COLLECTED, MAX_PAGES, sampleOf } from './collect-consignments.js';
import { DecisionRun } from './decision-run.js';
import { isBlank, readFilter, toQuery, writeFilter } from './filter.js';
import { planDecisions, toDecisions } from './plan-decisions.js';

const consignment = (
  number: number,
  members: Partial<HouseConsignment> = {},
): HouseConsignment => ({
  id: String(number),
  entrySummaryDeclarationMRN: '23NO00000000000003',
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:310000019',
  transportDocumentHouseLevel: { documentNumber: `H${number}`, type: 'N740' },
  state: 'PRE_NOTIFIED',
  ...members,
});

const list = (count: number) => Array.from({ length: count }, (_, number) => consignment(number));

test('a filter is in its address, with codes as the service has them, and blank fields left out', () => {
  const filter = readFilter(
    new URLSearchParams({
      office: ' no351001',
      mrn: '23no 0000',
      organisation: ' a b ',
      other: 'x',
    }),
  );
  assert.deepEqual(writeFilter(filter), {
    office: 'NO351001',
    mrn: '23NO0000',
    organisation: 'a b',
  });
  assert.deepEqual(readFilter(new URLSearchParams(writeFilter(filter))).mrn, '23NO0000');
  assert.equal(isBlank(filter), false);
  assert.equal(isBlank(readFilter(new URLSearchParams({ office: ' ' }))), true);
});

test('times of a filter are those of the customs offices', () => {
  const filter = readFilter(new URLSearchParams({ from: '2026-07-01T12:00', to: 'soon' }));
  assert.deepEqual(toQuery(filter, 'Europe/Oslo'), {
    from: '2026-07-01T10:00:00.000Z',
    to: 'soon',
  });
});

test('a list is complete only if nothing else can match', async () => {
  const pages = (counts: readonly number[]) => {
    const left = [...counts];
    return async () => {
      const entries = list(left.shift() ?? 0);
      return { entries, next: left.length > 0 ? {} : undefined };
    };
  };
  const collect = (counts: readonly number[]) =>
    collectConsignments(pages(counts), {}, () => undefined);
  // A page may be empty although more follow.
  const all = await collect([2, 0, 3]);
  assert.deepEqual([all.consignments.length, all.extent], [5, 'all']);
  const exact = await collect([MAX_COLLECTED - 1, 1]);
  assert.deepEqual([exact.consignments.length, exact.extent], [MAX_COLLECTED, 'all']);
  const full = await collect([MAX_COLLECTED, 1]);
  assert.deepEqual([full.consignments.length, full.extent], [MAX_COLLECTED, 'more']);
  const over = await collect([MAX_COLLECTED - 1, 2]);
  assert.deepEqual([over.consignments.length, over.extent], [MAX_COLLECTED, 'more']);
  const rare = await collect(Array.from({ length: MAX_PAGES + 1 }, () => 0));
  assert.deepEqual([rare.consignments.length, rare.extent], [0, 'more']);
});

test('a sample is taken evenly from the whole list', () => {
  assert.deepEqual(sampleOf([1, 2, 3], 3), [1, 2, 3]);
  assert.deepEqual(sampleOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4), [0, 2, 5, 7]);
});

test('the effect counts what gets a decision, what changes, what stays, and what is signalled', () => {
  const control = { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' } as const;
  const consignments = [
    consignment(1),
    consignment(2, { state: 'PRESENTED' }),
    consignment(3, { state: 'SIGNALLED', routing: 'TO_ENTRY' }),
    consignment(4, { state: 'DECIDED', routing: 'TO_ENTRY' }),
    consignment(5, { state: 'DECIDED', routing: 'TO_CONTROL' }),
    consignment(6, { state: 'SIGNALLED', ...control }),
  ];
  assert.deepEqual(planDecisions(consignments, control), {
    undecided: 2,
    changed: [
      { routing: 'TO_ENTRY', routingControlLocation: undefined, count: 2 },
      { routing: 'TO_CONTROL', routingControlLocation: undefined, count: 1 },
    ],
    unchanged: 1,
    signalled: 2,
  });
});

test('decisions name the declaration, because a document may be in several', () => {
  const [decision] = toDecisions(list(1), { routing: 'TO_CONTROL', reason: ' seal broken ' });
  assert.deepEqual(decision, {
    mrn: '23NO00000000000003',
    transportDocumentHouseLevel: { documentNumber: 'H0', type: 'N740' },
    routing: 'TO_CONTROL',
    reason: 'seal broken',
  });
  assert.equal('reason' in (toDecisions(list(1), { routing: 'TO_ENTRY' })[0] ?? {}), false);
});

/** Decides as the service does, and fails before a result if `failAt` says so. */
function decider(failAt: (sent: number) => boolean = () => false) {
  const decided = new Set<string>();
  const sent: string[] = [];
  async function* results(part: readonly RoutingDecision[]): AsyncGenerator<RoutingDecisionResult> {
    // The whole part is stored before its first result.
    const before = new Set(decided);
    for (const { transportDocumentHouseLevel: document } of part) {
      sent.push(document.documentNumber);
      decided.add(document.documentNumber);
    }
    for (const [index, { transportDocumentHouseLevel: document }] of part.entries()) {
      if (failAt(sent.length - part.length + index)) throw new Error('connection lost');
      const status = before.has(document.documentNumber) ? 'UNCHANGED' : 'DECIDED';
      yield { line: index + 1, status, signals: status === 'DECIDED' ? 1 : 0 };
    }
  }
  return { sent, send: async (part: readonly RoutingDecision[]) => results(part) };
}

const decisions = (count: number) => toDecisions(list(count), { routing: 'TO_ENTRY' });

test('a run sends every decision once, in parts', async () => {
  const { sent, send } = decider();
  const run = new DecisionRun(decisions(1234));
  await run.resume(send);
  const { status, settled, decided, signals } = run.read();
  assert.deepEqual([status, settled, decided, signals], ['done', 1234, 1234, 1234]);
  assert.equal(sent.length, 1234);
});

test('after a failure, only decisions without a result are sent again, and none is left out', async () => {
  let isFailing = true;
  const { sent, send } = decider((count) => isFailing && count === 700);
  const run = new DecisionRun(decisions(1234));
  await run.resume(send);
  assert.equal(run.read().status, 'failed');
  assert.equal(run.read().settled, 700);
  assert.match(String(run.read().error), /connection lost/);
  isFailing = false;
  await run.resume(send);
  const { status, decided, unchanged } = run.read();
  // Of the part that failed, 300 were stored without a result.
  assert.deepEqual([status, decided, unchanged], ['done', 1234 - 300, 300]);
  assert.equal(new Set(sent).size, 1234);
});

test('results that are missing are a failure', async () => {
  const run = new DecisionRun(decisions(3));
  async function* one(): AsyncGenerator<RoutingDecisionResult> {
    yield { line: 1, status: 'DECIDED' };
  }
  await run.resume(async () => one());
  assert.deepEqual([run.read().status, run.read().settled], ['failed', 1]);
});

test('a run pauses after the part that is being sent, and lists what was refused', async () => {
  const run = new DecisionRun(decisions(501));
  async function* refuse(part: readonly RoutingDecision[]): AsyncGenerator<RoutingDecisionResult> {
    run.pause();
    for (const [index] of part.entries()) {
      yield index === 0
        ? {
            line: 1,
            status: 'REFUSED',
            validationErrors: [{ field: '', error: 'is unknown', code: 'REFERENCE_NOT_FOUND' }],
          }
        : { line: index + 1, status: 'UNCHANGED' };
    }
  }
  await run.resume(async (part) => refuse(part));
  assert.deepEqual([run.read().status, run.read().settled], ['paused', 500]);
  await run.resume(async (part) => refuse(part));
  const { status, refused, unchanged } = run.read();
  assert.deepEqual([status, unchanged], ['done', 499]);
  assert.deepEqual(
    refused.map(({ decision }) => decision.transportDocumentHouseLevel.documentNumber),
    ['H0', 'H500'],
  );
});
