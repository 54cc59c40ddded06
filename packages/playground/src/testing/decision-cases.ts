// The client library meets the scenarios of decisions.
import assert from 'node:assert/strict';
import type { RoutingSignal } from '@landfall/contract';
import type { Playground } from '../playground.js';
import { type ClientCases, clientOf } from './client-case.js';

/** A declaration with two house consignments, and their routing, in the order of their documents. */
const mrn = '23NO00000000000003';
const presentation = { customsOfficeOfPresentation: 'NO351001', mrn } as const;

/** Stops the clock, so that decisions come when it is advanced. */
async function stopClock(playground: Playground): Promise<void> {
  await playground.setClock({ running: false });
}

async function signalsOf(playground: Playground): Promise<string[]> {
  const { entries } = await clientOf(playground, 'carrier').readRoutingSignals();
  return entries.map(describe);
}

function describe({ transportDocumentHouseLevel, routingResult }: RoutingSignal): string {
  return `${transportDocumentHouseLevel.documentNumber} ${routingResult.routing}`;
}

export const decisionCases = {
  'late-decision': {
    'a follower gets the signal when the decision is made': async (playground) => {
      await stopClock(playground);
      playground.scenarios.add({ kind: 'late-decision', afterSeconds: 60, identity: 'carrier' });
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentEntrySummaryDeclaration(presentation);
      const { entries } = await playground.dataset({ mrn, decided: false });
      assert.equal(entries.length, 2);
      await playground.setClock({ advance: 59 });
      assert.deepEqual(await signalsOf(playground), []);
      const stop = new AbortController();
      const followed: string[] = [];
      const following = carrier.followRouting({
        signal: stop.signal,
        onStateChange: ({ state }) => {
          if (state === 'live') void playground.setClock({ advance: 1 });
        },
      });
      for await (const signal of following) {
        followed.push(describe(signal));
        if (followed.length === 2) stop.abort();
      }
      assert.deepEqual(followed.sort(), ['HC001 TO_ENTRY', 'HC002 TO_CONTROL']);
    },
    'a clock that runs makes the decision by itself': async (playground) => {
      playground.scenarios.add({ kind: 'late-decision', afterSeconds: 1 });
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentEntrySummaryDeclaration(presentation);
      const { entries: early } = await carrier.readRoutingSignals();
      assert.deepEqual(early, []);
      const { entries } = await carrier.readRoutingSignals({}, { waitSeconds: 10 });
      assert.equal(entries.length, 2);
    },
    'a refused presentation takes no decision back': async (playground) => {
      await stopClock(playground);
      playground.scenarios.add({ kind: 'late-decision', afterSeconds: 60 });
      playground.scenarios.add({ kind: 'refusal', code: 'UNKNOWN_CODE', times: 1 });
      const carrier = clientOf(playground, 'carrier');
      await assert.rejects(carrier.presentEntrySummaryDeclaration(presentation), { code: 'API' });
      const { entries } = await playground.dataset({ mrn, decided: true });
      assert.equal(entries.length, 2);
    },
  },
  'changed-decision': {
    'a follower gets the second signal': async (playground) => {
      await stopClock(playground);
      playground.scenarios.add({ kind: 'changed-decision', afterSeconds: 60 });
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentEntrySummaryDeclaration(presentation);
      const stop = new AbortController();
      const followed: string[] = [];
      for await (const signal of carrier.followRouting({ signal: stop.signal })) {
        followed.push(describe(signal));
        if (followed.length === 2) await playground.setClock({ advance: 60 });
        if (followed.length === 4) stop.abort();
      }
      assert.deepEqual(followed.slice(0, 2).sort(), ['HC001 TO_ENTRY', 'HC002 TO_CONTROL']);
      assert.deepEqual(followed.slice(2).sort(), ['HC001 TO_CONTROL', 'HC002 TO_ENTRY']);
    },
    'to a given routing, only what differs changes': async (playground) => {
      await stopClock(playground);
      playground.scenarios.add({
        kind: 'changed-decision',
        afterSeconds: 60,
        routing: 'TO_CONTROL',
      });
      await clientOf(playground, 'carrier').presentEntrySummaryDeclaration(presentation);
      await playground.setClock({ advance: 60 });
      assert.deepEqual((await signalsOf(playground)).slice(2), ['HC001 TO_CONTROL']);
    },
  },
  'no-decision': {
    'a wait ends without a signal': async (playground) => {
      playground.scenarios.add({ kind: 'no-decision' });
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentEntrySummaryDeclaration(presentation);
      const { entries } = await carrier.readRoutingSignals({}, { waitSeconds: 1 });
      assert.deepEqual(entries, []);
      await playground.setClock({ advance: 366 * 24 * 3600 });
      assert.deepEqual(await signalsOf(playground), []);
    },
  },
  'signal-bursts': {
    'signals come together': async (playground) => {
      const { id } = playground.scenarios.add({ kind: 'signal-bursts', size: 3 });
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentEntrySummaryDeclaration(presentation);
      assert.deepEqual(await signalsOf(playground), []);
      await carrier.presentEntrySummaryDeclaration({
        ...presentation,
        mrn: '23NO00000000000004',
      });
      const followed = await signalsOf(playground);
      assert.equal(followed.length, 4);
      // What waits when the scenario is deleted is decided then.
      await carrier.presentContainer({
        customsOfficeOfPresentation: 'NO351001',
        containerId: 'JARU0000010',
      });
      assert.equal((await signalsOf(playground)).length, 4);
      playground.scenarios.delete(id);
      const { entries } = await carrier.readRoutingSignals({}, { waitSeconds: 5 });
      assert(entries.length > 4);
    },
  },
} satisfies Partial<ClientCases>;
