// Scenarios of decisions: the goods have none when they are presented, or it changes.
import { Type } from 'typebox';
import { Routing } from '../routing.js';
import { defineScenarioKind, presentOperations } from './scenario-kind.js';

/** The longest wait for a decision, in seconds: one year. */
export const MAX_AFTER_SECONDS = 366 * 24 * 3600;

/** The maximum number of signals of a burst: what is decided in one transaction. */
const MAX_BURST = 2000;

const presents = { operations: presentOperations, decides: 'decision' } as const;

/** Scenarios of decisions. They concern goods that are not yet presented and have a decision. */
export const decisionScenarios = {
  'late-decision': defineScenarioKind({
    parameters: {
      afterSeconds: Type.Integer({
        minimum: 1,
        maximum: MAX_AFTER_SECONDS,
        description:
          "When the decision is made, in seconds after the presentation by the playground's clock",
      }),
    },
    effect:
      'The goods have no decision when they are presented. It is made later, and the signal is issued then, unless somebody else has decided by then.',
    client:
      'Do not expect a signal with the response: 202 only says that the goods are presented. Follow the feed of signals for as long as goods wait for one, and do not present them again.',
    ...presents,
  }),
  'changed-decision': defineScenarioKind({
    parameters: {
      afterSeconds: Type.Integer({
        minimum: 1,
        maximum: MAX_AFTER_SECONDS,
        description:
          "When the decision changes, in seconds after the presentation by the playground's clock",
      }),
      routing: Type.Optional({
        ...Routing,
        description: 'The new routing; default: the other one than before',
      }),
    },
    effect:
      'The goods have their signal at once, and later their decision changes, which issues another signal, unless somebody else has decided by then.',
    client:
      'The last signal of a house consignment is valid. Continue to follow after the first one, and stop a release that has not yet happened when TO_CONTROL comes.',
    ...presents,
  }),
  'no-decision': defineScenarioKind({
    parameters: {},
    effect: 'The goods have no decision when they are presented, and get none.',
    client:
      'Limit how long a person waits without being informed, say that there is no decision, and do not release the goods. No signal does not mean entry.',
    ...presents,
  }),
  'signal-bursts': defineScenarioKind({
    parameters: {
      size: Type.Integer({
        minimum: 1,
        maximum: MAX_BURST,
        description: 'How many house consignments wait until all of them are decided',
      }),
    },
    effect:
      'The goods have no decision when they are presented. When `size` of them wait, all are decided at once. What still waits when the scenario ends or is deleted is decided then; deleting the id `header` does so for what requests with the header hold.',
    client:
      'Read pages until there is no next one, write the marker after each page is processed, and process signals faster than one by one where that takes long.',
    ...presents,
  }),
};
