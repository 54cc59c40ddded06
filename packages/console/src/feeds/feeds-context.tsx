// The feeds of the organisation, shared by all pages: each is read once, from the first page that shows it.
import type { RoutingSignal, ValidationStatus } from '@landfall/client';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { link, useLink } from '../session/link.js';
import { useLandfall } from '../session/session-context.js';
import { useReturn } from '../session/use-return.js';
import { type FeedView, FollowedFeed } from './followed-feed.js';
import { ReleaseIndex } from './release-index.js';

type Feeds = {
  signals: FollowedFeed<RoutingSignal>;
  statuses: FollowedFeed<ValidationStatus>;
  /** What the signals say of each consignment. */
  releases: ReleaseIndex;
  /** Reads both feeds anew, after the data of a playground was reset. */
  restart(): void;
};

const Context = createContext<Feeds | undefined>(undefined);

/** Provides the feeds to everything within. */
export function FeedsProvider({ children }: { children: ReactNode }) {
  const landfall = useLandfall();
  const feeds = useMemo<Feeds>(() => {
    const releases = new ReleaseIndex();
    const signals = new FollowedFeed<RoutingSignal>(
      ({ signal, onStateChange }) =>
        landfall.followRouting({ signal, onStateChange: watched(onStateChange) }).pages(),
      {
        onRestart: () => releases.clear(),
        onEntries: (batch) => {
          for (const one of batch) releases.add(one);
        },
      },
    );
    const statuses = new FollowedFeed<ValidationStatus>(({ signal, onStateChange }) =>
      landfall.followStatuses({ signal, onStateChange: watched(onStateChange) }).pages(),
    );
    const restart = () => {
      signals.restart();
      statuses.restart();
    };
    return { releases, signals, statuses, restart };
  }, [landfall]);
  useEffect(
    () => () => {
      feeds.signals.close();
      feeds.statuses.close();
    },
    [feeds],
  );
  return <Context value={feeds}>{children}</Context>;
}

/** A stream that breaks off shows that the connection is lost, as a request does. */
export function watched<Change extends { state: string }>(onStateChange: (change: Change) => void) {
  return (change: Change) => {
    if (change.state === 'lost') link.lost();
    onStateChange(change);
  };
}

export function useFeeds(): Feeds {
  const feeds = useContext(Context);
  if (feeds === undefined) throw new Error('there is no FeedsProvider');
  return feeds;
}

/**
 * The entries of a feed, live. One that has failed is started again when the connection is back.
 *
 * @param follows whether the feed is followed; if not, it stays as it is
 */
export function useFeed<Entry>(feed: FollowedFeed<Entry>, follows = true): FeedView<Entry> {
  const { lostSince } = useLink();
  useReturn(lostSince !== undefined, () => {
    if (follows) feed.start();
  });
  return useSyncExternalStore(follows ? feed.subscribe : ignoreChanges, feed.read);
}

function ignoreChanges(): () => void {
  return () => undefined;
}
