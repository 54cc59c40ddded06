// The client library meets the scenarios of streams of events.
import assert from 'node:assert/strict';
import { type ClientCases, clientOf } from './client-case.js';

export const feedCases = {
  'broken-stream': {
    'a follower misses and repeats no signal': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'broken-stream', entries: 1, times: 2 });
      const stop = new AbortController();
      // Each has two house consignments: their signals arrive on one stream, which breaks in the second one.
      const declarations = ['23NO00000000000003', '23NO00000000000004'];
      const presentNext = async () => {
        const mrn = declarations.shift();
        if (mrn === undefined) return;
        await carrier.presentEntrySummaryDeclaration({
          customsOfficeOfPresentation: 'NO351001',
          mrn,
        });
      };
      const followed: string[] = [];
      const following = carrier.followRouting({
        signal: stop.signal,
        modes: ['events'],
        onStateChange: ({ state }) => {
          if (state === 'live') void presentNext();
        },
      });
      for await (const { routingResult } of following) {
        followed.push(routingResult.id);
        if (followed.length === 4) stop.abort();
      }
      const { entries } = await carrier.readRoutingSignals();
      assert.deepEqual(
        followed,
        entries.map(({ routingResult }) => routingResult.id),
      );
      assert.equal(playground.scenarios.list()[0]?.applied, 2);
      const broken = playground.requests().filter(({ scenarios }) => scenarios !== undefined);
      for (const { response } of broken) assert.match(response?.body?.text ?? '', /[^\n]$/);
    },
    'a follower of statuses, too': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'broken-stream', times: 1 });
      const stop = new AbortController();
      const following = carrier.followStatuses({
        signal: stop.signal,
        modes: ['events'],
        onStateChange: ({ state }) => {
          if (state !== 'live' || playground.scenarios.list()[0]?.applied === 1) return;
          void carrier.presentContainer({
            customsOfficeOfPresentation: 'NO351001',
            containerId: 'JARU0000010',
          });
        },
      });
      const followed: string[] = [];
      for await (const { status } of following) {
        followed.push(status);
        stop.abort();
      }
      assert.deepEqual(followed, ['SUCCESS']);
    },
  },
} satisfies Partial<ClientCases>;
