// What the form of a new subscription has, and what is sent of it.
import type { NewSubscription, SubscribedFeed, SubscriptionSignature } from '@landfall/client';
import { fromOfficeTime } from '../../time/office-date-time.js';

/** Where deliveries begin. */
export const BEGINS = ['now', 'time', 'marker'] as const;

/** What was entered. */
export type SubscriptionForm = {
  feed: SubscribedFeed;
  url: string;
  begin: (typeof BEGINS)[number];
  /** As `<input type="datetime-local">` has it. */
  at: string;
  marker: string;
  signature: SubscriptionSignature;
};

/** The fields that the service may refuse, in the order of the form. */
export const FIELDS = ['feed', 'url', 'since', 'marker', 'signature'] as const;
export type FieldName = (typeof FIELDS)[number];

/** The subscription. What is missing or cannot be read is sent as it was entered, so that the service says what is wrong. */
export function makeSubscription(
  { feed, url, begin, at, marker, signature }: SubscriptionForm,
  timeZone: string,
): NewSubscription {
  return {
    feed,
    url: url.trim(),
    signature,
    ...(begin === 'time' && { since: fromOfficeTime(at, timeZone) ?? at }),
    ...(begin === 'marker' && { marker: marker.trim() }),
  };
}
