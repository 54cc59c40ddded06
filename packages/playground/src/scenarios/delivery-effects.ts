// The effects of the scenarios of deliveries: what a network and strangers do to the receiver of a subscription.
import { randomBytes } from 'node:crypto';
import type { PlaygroundCredentials, ScenarioKind, ScenarioOf } from '@landfall/contract';
import type { SendDelivery } from '@landfall/service/assembly';
import type { Effects } from './effect.js';
import { factsOfDelivery } from './request-facts.js';
import type { ScenarioList } from './scenario-list.js';
import type { AppliedScenario } from './scenario-state.js';

/** How long a delivery that is sent beside another one may take: what the service waits for is that one. */
const BESIDE_MS = 3000;

/** For how many subscriptions a delivery is kept until the next one: each may have a megabyte. */
const MAX_KEPT = 20;

/** Nothing happens to requests. */
export const deliveryEffects = {
  'repeated-delivery': {},
  'out-of-order-delivery': {},
  'late-delivery': {},
  'wrong-signature': {},
} satisfies Partial<Effects>;

type Message = Parameters<SendDelivery>[0]['message'];

/** Sends the deliveries of a playground, as its scenarios have it. */
export type Deliveries = {
  send: SendDelivery;
  /** Forgets what was to come again, because the data is replaced. */
  forget(): void;
};

export function makeDeliveries(
  scenarios: Pick<ScenarioList, 'isEmpty' | 'choose' | 'giveBack'>,
  identities: readonly PlaygroundCredentials[],
): Deliveries {
  /** What comes again after the next delivery, by subscription, the oldest first. */
  let kept = new Map<string, Message>();
  const send: SendDelivery = async (delivery, attempt) => {
    const { subscription, message } = delivery;
    // A delivery that is on its way while the data is replaced is not kept for the data after it.
    const keptNow = kept;
    const facts = factsOfDelivery(delivery, message.body, identities);
    const chosen = scenarios.isEmpty ? [] : scenarios.choose(facts, []);
    const late = find(chosen, 'late-delivery');
    const forged = find(chosen, 'wrong-signature');
    const sent = await attempt({
      ...(late && { sentAt: new Date(Date.now() - late.secondsLate * 1000) }),
      ...(forged && { keys: [randomBytes(32)] }),
    });
    const repeated = find(chosen, 'repeated-delivery');
    const disordered = find(chosen, 'out-of-order-delivery');
    if (sent.attempt.outcome !== 'CONFIRMED') {
      // Only what was confirmed comes again, and what has not arrived was neither late nor wrongly signed.
      for (const scenario of sent.mayHaveArrived ? [repeated, disordered] : chosen) {
        if (scenario) scenarios.giveBack(scenario);
      }
      return sent;
    }
    const sendAgain = (earlier: Message) =>
      attempt({ message: earlier, signal: AbortSignal.timeout(BESIDE_MS) });
    const before = keptNow.get(subscription);
    keptNow.delete(subscription);
    if (before !== undefined && before.webhookId !== message.webhookId) await sendAgain(before);
    if (repeated !== undefined) await sendAgain(message);
    if (disordered === undefined) return sent;
    keptNow.set(subscription, message);
    // The oldest may be of a subscription that has ended.
    const [oldest = subscription] = keptNow.keys();
    if (keptNow.size > MAX_KEPT) keptNow.delete(oldest);
    return sent;
  };
  return {
    send,
    forget: () => {
      kept = new Map();
    },
  };
}

function find<Kind extends ScenarioKind>(chosen: readonly AppliedScenario[], kind: Kind) {
  // The cast is true because the kind of a scenario decides its type.
  return chosen.find((scenario) => scenario.kind === kind) as
    | (AppliedScenario & ScenarioOf<Kind>)
    | undefined;
}
