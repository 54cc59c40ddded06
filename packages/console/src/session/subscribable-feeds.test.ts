import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscribableFeeds } from '@landfall/contract';
import { FEED_SCOPES, feedsOf } from './subscribable-feeds.js';

test('the page offers the feeds of the contract to whoever may read them', () => {
  assert.deepEqual(Object.keys(FEED_SCOPES), Object.keys(subscribableFeeds));
  for (const [feed, { scopes }] of Object.entries(subscribableFeeds)) {
    for (const scope of scopes) {
      assert(
        feedsOf([scope]).some((one) => one === feed),
        `${feed} for ${scope}`,
      );
    }
  }
  const scopes = new Set(Object.values(subscribableFeeds).flatMap((feed) => [...feed.scopes]));
  assert.deepEqual(new Set(Object.values(FEED_SCOPES).flat()), scopes);
  assert.deepEqual(feedsOf(['declaration.feed', 'authority/registry']), ['goods-items']);
});
