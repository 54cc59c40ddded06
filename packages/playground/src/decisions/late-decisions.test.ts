// Decisions that come after the presentation: those that a dataset plans, and what scenarios hold back.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import type { RoutingSignal } from '@landfall/contract';
import { verifyAuditTrail } from '@landfall/service';
import { until } from '../../../service/dist/testing/until.js';
import { InvalidDatasetError } from '../dataset/dataset-error.js';
import { startPlayground } from '../index.js';
import { clientOf } from '../testing/client-case.js';

const mrn = '26NO00000000000001';
const office = { customsOfficeOfPresentation: 'NO351001' } as const;
const document = (documentNumber: string) => ({ documentNumber, type: 'N703' }) as const;
const house = (documentNumber: string, more: object = {}) => ({
  transportDocumentHouseLevel: document(documentNumber),
  ...more,
});
const decision = (documentNumber: string, routing: string, afterSeconds?: number) => ({
  decision: {
    mrn,
    transportDocumentHouseLevel: document(documentNumber),
    routing,
    ...(afterSeconds !== undefined && { afterSeconds }),
  },
});

const levels = {
  transportDocumentMasterLevel: { documentNumber: 'M1', type: 'N741' },
  receptacleId: 'GBASFZMLBKONAUN30001001019999',
  containerId: 'JARU0000010',
} as const;

/** H1 is decided late and then changed, H2 is decided in advance and changed, H3 never; the others only in advance. */
const dataset = [
  {
    mrn,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000078',
    houseConsignments: [
      house('H1'),
      house('H2', { routing: 'TO_ENTRY' }),
      house('H3'),
      house('H4', {
        ...levels,
        containerId: [levels.containerId],
        routing: 'TO_CONTROL',
        routingControlLocation: 'AFTER_ENTRY',
      }),
    ],
  },
  decision('H1', 'TO_ENTRY', 60),
  decision('H1', 'TO_CONTROL', 120),
  decision('H2', 'TO_CONTROL', 120),
];

const playground = await startPlayground({
  dataset,
  clock: { time: '2026-12-01T06:00:00Z', running: false },
});
after(() => playground.close());
beforeEach(() => playground.reset());
const carrier = () => clientOf(playground, 'carrier');

/** The signals of the carrier. */
async function signals(): Promise<string[]> {
  const { entries } = await carrier().readRoutingSignals();
  return entries.map(describeSignal);
}

function describeSignal({ transportDocumentHouseLevel, routingResult }: RoutingSignal): string {
  const { routing, routingControlLocation, documentIssueDate } = routingResult;
  const at = new Date(documentIssueDate).toISOString().slice(11, 19);
  return [at, transportDocumentHouseLevel.documentNumber, routing, routingControlLocation]
    .filter(Boolean)
    .join(' ');
}

/** The decisions that are still to come, by document. */
async function expected() {
  const { entries } = await playground.dataset();
  return Object.fromEntries(
    entries.flatMap((entry) =>
      entry.level === 'HOUSE_CONSIGNMENT' && entry.expectedDecisions
        ? [[entry.transportDocumentHouseLevel.documentNumber, entry.expectedDecisions]]
        : [],
    ),
  );
}

describe('decisions that a dataset plans', () => {
  test('come the given seconds after the presentation, also when the clock jumps over several', async () => {
    assert.deepEqual(await expected(), {
      H1: [
        { afterSeconds: 60, routing: 'TO_ENTRY' },
        { afterSeconds: 120, routing: 'TO_CONTROL' },
      ],
      H2: [{ afterSeconds: 120, routing: 'TO_CONTROL' }],
    });
    await playground.setClock({ advance: 3600 });
    await carrier().presentHouseConsignment({
      ...office,
      transportDocumentHouseLevel: document('H2'),
    });
    await playground.setClock({ advance: 10 });
    await carrier().presentEntrySummaryDeclaration({ ...office, mrn });
    assert.deepEqual(await expected(), {
      H1: [
        { at: '2026-12-01T07:01:10.000Z', routing: 'TO_ENTRY' },
        { at: '2026-12-01T07:02:10.000Z', routing: 'TO_CONTROL' },
      ],
      H2: [{ at: '2026-12-01T07:02:00.000Z', routing: 'TO_CONTROL' }],
    });
    const first = ['07:00:00 H2 TO_ENTRY', '07:00:10 H4 TO_CONTROL AFTER_ENTRY'];
    assert.deepEqual(await signals(), first);
    await playground.setClock({ advance: 59 });
    assert.deepEqual(await signals(), first);
    await playground.setClock({ advance: 3600 });
    assert.deepEqual(await signals(), [
      ...first,
      '07:01:10 H1 TO_ENTRY',
      '07:02:00 H2 TO_CONTROL',
      '07:02:10 H1 TO_CONTROL',
    ]);
    assert.deepEqual(await expected(), {});
    const { entries: undecided } = await playground.dataset({ decided: false });
    assert.equal(undecided.length, 1);
  });

  test('start once, whoever presents again', async () => {
    await carrier().presentEntrySummaryDeclaration({ ...office, mrn });
    await playground.setClock({ advance: 30 });
    await clientOf(playground, 'forwarder').presentEntrySummaryDeclaration({ ...office, mrn });
    await playground.setClock({ advance: 30 });
    assert((await signals()).includes('06:01:00 H1 TO_ENTRY'));
  });

  test('are in the history and the audit trail as decisions of the authority', async () => {
    await carrier().presentEntrySummaryDeclaration({ ...office, mrn });
    await playground.setClock({ advance: 60 });
    const { entries } = await playground.dataset({ documentNumber: 'H1' });
    const [first] = entries;
    assert(first?.level === 'HOUSE_CONSIGNMENT');
    const history = await clientOf(playground, 'authority').getHouseConsignmentHistory(first.id);
    const decided = history.find(({ event }) => event === 'DECIDED');
    assert.deepEqual(
      [decided?.at, decided?.organisation, decided?.client],
      ['2026-12-01T06:01:00.000Z', '0192:310000043', 'playground-authority'],
    );
  });

  test('invalid lines are reported', async () => {
    const start = (...lines: object[]) =>
      startPlayground({ dataset: [...dataset, ...lines] }).then((started) => started.close());
    await assert.rejects(
      start(decision('H1', 'TO_ENTRY', 0)),
      (error) =>
        error instanceof InvalidDatasetError &&
        /line 5: decision\.afterSeconds: .*\(FORMAT\)/.test(error.message),
    );
    await assert.rejects(
      start(decision('H9', 'TO_ENTRY', 5)),
      /line 5: decision\.transportDocumentHouseLevel: .*REFERENCE_NOT_FOUND/,
    );
  });

  test('on goods that no line before has, or that a later declaration left out, load nothing', async () => {
    const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    const declaration = (...houseConsignments: object[]) => ({ ...dataset[0], houseConsignments });
    const before = [declaration(house('H1'))];
    for (const afterSeconds of [undefined, 5]) {
      for (const [lines, line] of [
        [[...before, decision('H2', 'TO_ENTRY', afterSeconds)], 2],
        [[...before, decision('H2', 'TO_ENTRY', afterSeconds), declaration(house('H2'))], 2],
        [[...before, declaration(house('H2')), decision('H1', 'TO_ENTRY', afterSeconds)], 3],
      ] as const) {
        await assert.rejects(
          startPlayground({ data, dataset: lines }).then((started) => started.close()),
          new RegExp(`1 invalid line:\n  line ${line}: decision\\.transportDocumentHouseLevel`),
        );
      }
    }
    const started = await startPlayground({ data });
    try {
      const { entries } = await started.dataset({ mrn });
      assert.deepEqual(entries, []);
    } finally {
      await started.close();
      await rm(data, { recursive: true });
    }
  });

  test('find their goods by any spelling of the document, as the service does', async () => {
    for (const afterSeconds of [undefined, 5]) {
      const lines = [
        { ...dataset[0], houseConsignments: [house('H1')] },
        decision(' h1 ', 'TO_ENTRY', afterSeconds),
      ];
      await (await startPlayground({ dataset: lines })).close();
    }
  });
});

describe('decisions that scenarios hold back', () => {
  const present: Record<string, () => Promise<unknown>> = {
    'a house consignment': () =>
      carrier().presentHouseConsignment({
        ...office,
        transportDocumentHouseLevel: document('H4'),
      }),
    'a master consignment': () =>
      carrier().presentMasterConsignment({
        ...office,
        transportDocumentMasterLevel: levels.transportDocumentMasterLevel,
      }),
    'a container': () => carrier().presentContainer({ ...office, containerId: levels.containerId }),
    'a receptacle': () =>
      carrier().presentReceptacle({ ...office, receptacleId: levels.receptacleId }),
  };
  for (const [name, presentIt] of Object.entries(present)) {
    test(`are those of ${name}`, async () => {
      playground.scenarios.add({ kind: 'late-decision', afterSeconds: 5 });
      await presentIt();
      assert.deepEqual(await signals(), []);
      await playground.setClock({ advance: 5 });
      assert.deepEqual(await signals(), ['06:00:05 H4 TO_CONTROL AFTER_ENTRY']);
    });
  }

  test('are given back when the request is lost before it is carried out', async () => {
    playground.scenarios.add({ kind: 'no-decision', times: 1 });
    playground.scenarios.add({ kind: 'lost-response', committed: false, times: 1 });
    const presentation = { ...office, receptacleId: levels.receptacleId };
    const once = { retry: false, settleWithinMs: 1 } as const;
    await assert.rejects(carrier().presentReceptacle(presentation, once));
    assert.deepEqual(
      playground.scenarios.list().map(({ applied }) => applied),
      [0, 1],
    );
    playground.scenarios.clear();
    await carrier().presentReceptacle(presentation);
    assert.deepEqual(await signals(), ['06:00:00 H4 TO_CONTROL AFTER_ENTRY']);
  });

  test('are in the audit trail, also those that are given back or never come', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'landfall-decisions-'));
    const kept = await startPlayground({ dataset, data: dataFolder });
    try {
      kept.scenarios.add({ kind: 'no-decision', times: 2 });
      kept.scenarios.add({ kind: 'lost-response', committed: false, times: 1 });
      const client = clientOf(kept, 'carrier');
      // The first one is lost and sent again.
      await client.presentReceptacle({ ...office, receptacleId: levels.receptacleId });
      await client.presentHouseConsignment({
        ...office,
        transportDocumentHouseLevel: document('H2'),
      });
      await kept.close();
      assert.deepEqual((await verifyAuditTrail({ dataFolder })).breaks, []);
    } finally {
      await kept.close();
      await rm(dataFolder, { recursive: true });
    }
  });

  const decide = (documentNumber: string, routing: 'TO_ENTRY' | 'TO_CONTROL') =>
    clientOf(playground, 'authority').postRoutingDecisions([
      {
        mrn,
        transportDocumentHouseLevel: document(documentNumber),
        routing,
        ...(routing === 'TO_CONTROL' && { routingControlLocation: 'ON_ENTRY' as const }),
      },
    ]);

  test('replace nothing that somebody else has decided by then', async () => {
    for (const kind of ['late-decision', 'changed-decision'] as const) {
      playground.scenarios.add({ kind, afterSeconds: 60 });
      await carrier().presentReceptacle({ ...office, receptacleId: levels.receptacleId });
      const before = kind === 'late-decision' ? [] : ['06:00:00 H4 TO_CONTROL AFTER_ENTRY'];
      await playground.setClock({ advance: 30 });
      await decide('H4', 'TO_CONTROL');
      const after = [...before, '06:00:30 H4 TO_CONTROL ON_ENTRY'];
      await playground.setClock({ advance: 3600 });
      assert.deepEqual(await signals(), after, kind);
      await playground.reset();
    }
    // Planned ones, of which the second would replace the first.
    await carrier().presentEntrySummaryDeclaration({ ...office, mrn });
    await playground.setClock({ advance: 70 });
    await decide('H1', 'TO_CONTROL');
    await playground.setClock({ advance: 3600 });
    const ofH1 = (await signals()).filter((signal) => signal.includes('H1'));
    assert.deepEqual(ofH1, ['06:01:00 H1 TO_ENTRY', '06:01:10 H1 TO_CONTROL ON_ENTRY']);
  });

  const presentH4 = (scenario?: string) =>
    carrier().presentReceptacle(
      { ...office, receptacleId: levels.receptacleId },
      scenario === undefined ? {} : { headers: { 'Landfall-Scenario': scenario } },
    );
  const control = 'H4 TO_CONTROL AFTER_ENTRY';
  const ends: Record<
    string,
    { of?: object; header?: string; end: (id: string) => unknown; at: string }
  > = {
    'is deleted': { end: (id) => playground.scenarios.delete(id), at: '06:00:00' },
    'is displaced by others': {
      of: { seconds: 60 },
      end: async () => {
        // It has ended, so there is room for as many as there may be.
        await playground.setClock({ advance: 60 });
        for (let count = 0; count < 100; count++) {
          playground.scenarios.add({ kind: 'delay', milliseconds: 1 });
        }
      },
      at: '06:01:00',
    },
    'ends by its time': {
      of: { seconds: 60 },
      end: () => playground.setClock({ advance: 3600 }),
      at: '06:01:00',
    },
    'has been used as often as it may be': {
      of: { times: 1 },
      end: () => undefined,
      at: '06:00:00',
    },
    'is that of a header': {
      header: 'signal-bursts;size=5',
      end: () => playground.scenarios.delete('header'),
      at: '06:00:00',
    },
    'is cleared with all others': {
      header: 'signal-bursts;size=5',
      end: () => playground.scenarios.clear(),
      at: '06:00:00',
    },
  };
  for (const [how, { of, header, end, at }] of Object.entries(ends)) {
    test(`come when their burst ${how}`, async () => {
      const id =
        header === undefined
          ? playground.scenarios.add({ kind: 'signal-bursts', size: 5, ...of }).id
          : '';
      await presentH4(header);
      if (how !== 'has been used as often as it may be') assert.deepEqual(await signals(), []);
      await end(id);
      await until(async () => (await signals()).length > 0);
      assert.deepEqual(await signals(), [`${at} ${control}`]);
      assert.equal(playground.scenarios.delete('header'), false);
    });
  }

  for (const from of ['list', 'header'] as const) {
    for (const end of ['deleted', 'cleared'] as const) {
      test(`come when their burst of a ${from} is ${end} while the request is handled`, async () => {
        const delay = { kind: 'delay', milliseconds: 300, operation: 'presentReceptacle' } as const;
        playground.scenarios.add(delay);
        const { id } =
          from === 'header'
            ? { id: 'header' }
            : playground.scenarios.add({ kind: 'signal-bursts', size: 5 });
        const presented = presentH4(from === 'header' ? 'signal-bursts;size=5' : undefined);
        await until(() => playground.scenarios.list()[0]?.applied === 1);
        if (end === 'deleted') playground.scenarios.delete(id);
        else playground.scenarios.clear();
        await presented;
        await until(async () => (await signals()).length > 0);
        assert.deepEqual(await signals(), [`06:00:00 ${control}`]);
        assert.equal(playground.scenarios.delete('header'), false);
      });
    }
  }

  test('do not come after a reset', async () => {
    playground.scenarios.add({ kind: 'late-decision', afterSeconds: 5 });
    await carrier().presentEntrySummaryDeclaration({ ...office, mrn });
    await playground.reset();
    await carrier().presentReceptacle({ ...office, receptacleId: levels.receptacleId });
    await playground.setClock({ advance: 3600 });
    assert.deepEqual(await signals(), ['06:00:00 H4 TO_CONTROL AFTER_ENTRY']);
  });

  test('the header of a request holds back those of this request', async () => {
    const withHeader = { headers: { 'Landfall-Scenario': 'late-decision;after-seconds=5' } };
    await carrier().presentReceptacle({ ...office, receptacleId: levels.receptacleId }, withHeader);
    assert.deepEqual(await signals(), []);
    await playground.setClock({ advance: 5 });
    assert.equal((await signals()).length, 1);
  });
});
