// Scenarios of deliveries to the receivers of subscriptions.
import { Type } from 'typebox';
import { defineScenarioKind } from './scenario-kind.js';

/** The highest age of a late delivery, in seconds: one day. */
const MAX_SECONDS_LATE = 86_400;

const ofDeliveries = { operations: [], ofDeliveries: true } as const;

/** Scenarios of deliveries of entries. Challenges and test events are sent as they are. */
export const pushScenarios = {
  'repeated-delivery': defineScenarioKind({
    parameters: {},
    effect:
      'A delivery that the receiver has confirmed comes at once again, with the same `webhook-id`, as after a lost response.',
    client:
      'Keep the `webhook-id` in the transaction that stores the entries, answer 2xx to one that is there, and process nothing again.',
    ...ofDeliveries,
  }),
  'out-of-order-delivery': defineScenarioKind({
    parameters: {},
    effect:
      'A delivery that the receiver has confirmed comes again after the next one, with the same `webhook-id`, as where an attempt was held up on its way.',
    client:
      'As for one that is repeated: what was processed is not processed again. Let no earlier entry replace a later one, and do not set a kept `marker` back.',
    ...ofDeliveries,
  }),
  'late-delivery': defineScenarioKind({
    parameters: {
      secondsLate: Type.Integer({
        minimum: 1,
        maximum: MAX_SECONDS_LATE,
        description: 'How old the attempt is when it comes, by its `webhook-timestamp`, in seconds',
      }),
    },
    effect: 'An attempt comes with an old `webhook-timestamp`, which is signed with it.',
    client:
      'Refuse with 400 what is older than you tolerate (`verifyPush`: 5 minutes): somebody may repeat what they have read. The next attempt has the time at which it is made.',
    ...ofDeliveries,
  }),
  'wrong-signature': defineScenarioKind({
    parameters: {},
    effect: 'An attempt is signed with a key that is none of the subscription.',
    client:
      'Refuse it with 400, and process nothing of it: it is not known who has sent it. The delivery comes again, signed as it should be.',
    ...ofDeliveries,
  }),
};
