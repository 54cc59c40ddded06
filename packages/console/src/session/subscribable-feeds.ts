// What can be subscribed to, and who may: whoever may read the feed. A test compares it with the contract.
import { modes, type SubscribedFeed } from '@landfall/client';

/** The feeds; one of the scopes of a feed is enough. */
export const FEED_SCOPES: Readonly<Record<SubscribedFeed, readonly string[]>> = {
  routing: ['movement/entry'],
  'validation-status': ['movement/entry'],
  'goods-items': ['declaration.feed'],
  'movement-status': [
    ...Object.values(modes).map(({ scope }) => scope),
    'movement/transportarrival',
  ],
};

/** The feeds that somebody with these scopes may subscribe to. */
export function feedsOf(scopes: readonly string[]): SubscribedFeed[] {
  // Safe cast: these are the keys of the table.
  return (Object.keys(FEED_SCOPES) as SubscribedFeed[]).filter((feed) =>
    FEED_SCOPES[feed].some((scope) => scopes.includes(scope)),
  );
}
