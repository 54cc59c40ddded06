// The client library does what a client must do in every scenario.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { scenarioKindNames } from '@landfall/contract';
import { startPlayground } from '../index.js';
import type { ClientCases } from '../testing/client-case.js';
import { decisionCases } from '../testing/decision-cases.js';
import { deliveryCases } from '../testing/delivery-cases.js';
import { feedCases } from '../testing/feed-cases.js';
import { movementCases } from '../testing/movement-cases.js';
import { requestCases } from '../testing/request-cases.js';
import { tokenCases } from '../testing/token-cases.js';

/** A kind without cases is an error of its type. */
const cases: ClientCases = {
  ...requestCases,
  ...feedCases,
  ...decisionCases,
  ...movementCases,
  ...deliveryCases,
  ...tokenCases,
};

const playground = await startPlayground();
after(() => playground.close());
beforeEach(() => playground.reset());

for (const kind of scenarioKindNames) {
  describe(kind, () => {
    const ofKind = Object.entries(cases[kind]);
    assert(ofKind.length > 0, `${kind} has no case`);
    for (const [name, run] of ofKind) {
      test(name, async () => {
        await run(playground);
        const applied = playground.requests().flatMap(({ scenarios = [] }) => scenarios);
        // Deliveries are no requests to the playground: of these, the scenario counts.
        const counted = playground.scenarios.list().filter((scenario) => scenario.applied > 0);
        assert(
          [...applied, ...counted].some((scenario) => scenario.kind === kind),
          `${kind} took no effect`,
        );
      });
    }
  });
}
