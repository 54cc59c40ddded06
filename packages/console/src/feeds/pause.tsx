// Pauses a list: reading needs rows that stay where they are.
import { Button } from '@digdir/designsystemet-react';
import { type ReactNode, useRef, useState } from 'react';
import { useMessages } from '../language/language-context.js';
import styles from './feed-page.module.css';
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
  /** Pauses the list while somebody reads further down in it, and continues it when they are back at its beginning. */
  hold: (isHeld: boolean) => void;
};

/**
 * The entries of a feed, live unless the list is paused. Another feed is not paused.
 *
 * @param follows whether the feed is followed; if not, it has nothing
 */
export function usePausableFeed<Entry>(
  feed: FollowedFeed<Entry>,
  follows = true,
): PausableFeed<Entry> {
  const live = useFeed(feed, follows);
  const [paused, setPaused] = useState<{
    feed: FollowedFeed<Entry>;
    view: FeedView<Entry>;
    isHeld: boolean;
  }>();
  if (paused === undefined || paused.feed !== feed) {
    const pause = (isHeld: boolean) => setPaused({ feed, view: live, isHeld });
    return {
      view: live,
      isPaused: false,
      arrived: 0,
      toggle: () => pause(false),
      hold: (isHeld) => {
        if (isHeld) pause(true);
      },
    };
  }
  const { entries, total } = paused.view;
  return {
    view: { ...live, entries, total },
    isPaused: true,
    arrived: Math.max(0, live.total - total),
    toggle: () => setPaused(undefined),
    hold: (isHeld) => {
      if (!isHeld && paused.isHeld) setPaused(undefined);
    },
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

/** A list that does not move under whoever has scrolled in it. */
export function HeldList({
  pausable: { hold },
  children,
}: {
  pausable: Pick<PausableFeed<unknown>, 'hold'>;
  children: ReactNode;
}) {
  const current = useRef(hold);
  current.current = hold;
  return (
    <div
      className={styles.list}
      onScrollCapture={({ target }) => {
        if (!(target instanceof Element)) return;
        // After the table knows where it is: it moves rows that come before what it believes to be seen.
        requestAnimationFrame(() => current.current(target.scrollTop > 0));
      }}
    >
      {children}
    </div>
  );
}
