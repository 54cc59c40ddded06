// Pauses a list: reading needs rows that stay where they are.
import { Button } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useMessages } from '../language/language-context.js';
import { useFeed } from './feeds-context.js';
import type { FeedView, FollowedFeed } from './followed-feed.js';
import { messages } from './messages.js';

type PausableFeed<Entry> = {
  /** What is shown: the feed as it is, or its entries as they were when the list was paused. */
  view: FeedView<Entry>;
  isPaused: boolean;
  /** How many entries have arrived since the list was paused. */
  arrived: number;
  toggle: () => void;
};

/** The entries of a feed, live unless the list is paused. Another feed is not paused. */
export function usePausableFeed<Entry>(feed: FollowedFeed<Entry>): PausableFeed<Entry> {
  const live = useFeed(feed);
  const [paused, setPaused] = useState<{ feed: FollowedFeed<Entry>; view: FeedView<Entry> }>();
  if (paused === undefined || paused.feed !== feed) {
    const toggle = () => setPaused({ feed, view: live });
    return { view: live, isPaused: false, arrived: 0, toggle };
  }
  const { entries, total } = paused.view;
  return {
    view: { ...live, entries, total },
    isPaused: true,
    arrived: Math.max(0, live.total - total),
    toggle: () => setPaused(undefined),
  };
}

/** Pauses the list, or continues it and says how many entries have arrived. */
export function PauseButton({
  pausable: { isPaused, arrived, toggle },
}: {
  pausable: Omit<PausableFeed<unknown>, 'view'>;
}) {
  const text = useMessages(messages);
  return (
    <Button variant="secondary" data-size="sm" onClick={toggle}>
      {isPaused ? text.resume(arrived) : text.pause}
    </Button>
  );
}
