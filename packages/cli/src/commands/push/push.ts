// What the commands of subscriptions share: their options, and showing subscriptions and attempts.
import type { Subscription, SubscriptionAttempt, SubscriptionWithSecret } from '@landfall/client';
import {
  keysOf,
  subscribableFeeds,
  subscriptionStates,
  suspensionReasons,
} from '@landfall/contract';
import { Argument, type Command } from 'commander';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printable, printJson, readableTime } from '../../output/output.js';
import type { Column } from '../../output/table.js';

/** The options of each of the commands. */
export type PushOptions = IdentityOptions & { json?: true };

/** The feeds that can be subscribed to. */
export const feedNames = keysOf(subscribableFeeds);

/** The identity of a playground that acts by default. */
export const DEFAULT_IDENTITY = 'carrier';

/** The argument that names a feed. */
export function feedArgument(): Argument {
  return new Argument('<feed>', 'the feed that is sent').choices(feedNames);
}

/** Adds a command. */
export function addPushCommand(group: Command, verb: string, description: string): Command {
  return addJsonOption(
    addServiceOptions(group.command(verb).description(description), DEFAULT_IDENTITY),
  );
}

/** Adds a command for one subscription. */
export function addOnePushCommand(group: Command, verb: string, description: string): Command {
  return addPushCommand(group, verb, description).argument('<id>', 'id of the subscription');
}

const HIDDEN = ' (with a view, including messages that it does not show)';

/** Prints a subscription, and the secret that it has just got. */
export function showSubscription(
  subscription: Subscription | SubscriptionWithSecret,
  options: PushOptions,
): void {
  if (options.json) {
    printJson(subscription);
    return;
  }
  const { id, feed, url, state, reason, pending, marker, createdAt, client } = subscription;
  const { confirmedAt, failures, failingSince, nextAttemptAt, publicKeys } = subscription;
  const { bold, red } = coloursFor();
  print(`${bold(id)}  ${state}`);
  print(`  means      ${subscriptionStates[state]}`);
  if (reason !== undefined) print(`  reason     ${red(`${reason}: ${suspensionReasons[reason]}`)}`);
  print(`  feed       ${feed}`);
  print(`  receiver   ${printable(url)}`);
  if ('secret' in subscription && subscription.secret !== undefined) {
    print(`  secret     ${printable(subscription.secret)}`);
  }
  for (const key of publicKeys ?? []) print(`  public key ${printable(key)}`);
  print(`  created    ${readableTime(createdAt)} by ${printable(client)}`);
  if (marker !== undefined) print(`  confirmed  ${marker}${timeOf(confirmedAt)}`);
  // Counting what a view shows would mean searching the stream at each look.
  const hidden = feed === 'goods-items' && pending > 0 ? HIDDEN : '';
  print(`  pending    ${pending}${hidden}`);
  if (failures !== undefined) {
    const next = nextAttemptAt === undefined ? '' : `, next ${readableTime(nextAttemptAt)}`;
    print(`  failures   ${red(`${failures}${timeOf(failingSince, ' since ')}${next}`)}`);
  }
  if ('secret' in subscription) {
    print('The secret is shown this once: keep it where the receiver finds it.');
  }
  const isFailing = failures !== undefined || reason !== undefined;
  const next = nextCommand(['push', isFailing ? 'attempts' : 'view', id], options);
  print(`${isFailing ? 'What the receiver answered' : 'How far it is'}: ${next}`);
}

function timeOf(time: string | undefined, before = ' at '): string {
  return time === undefined ? '' : `${before}${readableTime(time)}`;
}

/** An attempt in a table. Those of a run that prints one after the other have fixed widths. */
export const attemptColumns: readonly Column<SubscriptionAttempt>[] = [
  { heading: 'number', value: ({ number }) => String(number) },
  { heading: 'time', value: ({ at }) => readableTime(at), width: 20 },
  { heading: 'kind', value: ({ kind }) => kind, width: 12 },
  { heading: 'entries', value: ({ entries }) => String(entries) },
  {
    heading: 'outcome',
    value: ({ outcome }) => outcome,
    colour: ({ outcome }, { green, red }) => (outcome === 'CONFIRMED' ? green : red),
    width: 15,
  },
  {
    heading: 'status',
    value: ({ status }) => (status === undefined ? '-' : String(status)),
  },
  { heading: 'ms', value: ({ durationMs }) => String(durationMs), width: 5 },
  { heading: 'webhook-id', value: ({ webhookId }) => webhookId, width: 36 },
];
