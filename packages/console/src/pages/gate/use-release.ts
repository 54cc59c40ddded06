// What the gate says of an identifier: at once what has arrived, and a moment later the check of the service. It changes
// with the signals.
import { ApiError } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useFeed, useFeeds } from '../../feeds/feeds-context.js';
import { useLink } from '../../session/link.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { useReturn } from '../../session/use-return.js';
import {
  decideByCheck,
  decideBySignals,
  nothingKnown,
  type Release,
  stricter,
} from './decide-release.js';
import { type Checked, describeKnownGoods, restoreKnownGoods } from './known-goods.js';

/** How long goods that may be released by the signals wait for the check of the service, in milliseconds. */
const CHECK_WAIT_MS = 150;

/** How long after a signal the goods are checked again: once for signals that come together, in milliseconds. */
const SETTLE_MS = 300;

/**
 * How often goods are checked again of which no signal comes, or whose check failed, and after which time a feed that has
 * failed is started again, in milliseconds.
 */
const RECHECK_INTERVAL_MS = 5_000;

/** How many results are kept for a time without connection. The oldest is dropped. */
const MAX_KEPT = 1_000;

/** Somebody may present these goods, which no signal announces. */
const mayChangeSilently = ({ outcome }: Release) =>
  outcome === 'unknown' || outcome === 'notPresented';

/** @param scan the number of the scan: each is checked anew, also of the same identifier */
export function useRelease(identifier: string, scan: number) {
  const landfall = useLandfall();
  const feeds = useFeeds();
  const { lostSince } = useLink();
  const { copy, keepCopy } = useSessionState();
  /** What was known before a reload, until the service can be reached. */
  const restored = useMemo(() => copy && restoreKnownGoods(copy.known), [copy]);
  // Those of one session.
  const kept = useMemo(() => new Map(restored?.checks), [landfall, restored]);
  // Signals are for presenters. Others, such as the authority, have the checks.
  const follows = useSession().scopes.includes('movement/entry');
  const signals = useFeed(feeds.signals, follows);
  const statuses = useFeed(feeds.statuses, follows);
  const hasAll = statuses.total === statuses.entries.length;
  const complete =
    signals.isComplete && statuses.isComplete
      ? { releases: feeds.releases, statuses: statuses.entries }
      : restored?.feeds;
  useLeaving(() => {
    const known = { checks: kept, feeds: follows && hasAll ? complete : undefined };
    keepCopy(describeKnownGoods(known));
  });
  const { releases } = complete ?? feeds;
  const found = follows && identifier !== '' ? releases.find(identifier) : [];
  /** Another one after each signal of these goods. */
  const version = `${found.length} ${found.at(-1)?.routingResult.id}`;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['release', identifier, scan],
    queryFn: async ({ signal }) => {
      const check = await landfall.checkRelease({ identifier }, { signal });
      const checked = { release: decideByCheck(identifier, check), at: new Date(), version };
      keep(kept, identifier, checked);
      return checked;
    },
    enabled: identifier !== '',
    gcTime: 0,
    refetchInterval: ({ state: { data: last } }) =>
      last === undefined || !follows || mayChangeSilently(last.release)
        ? RECHECK_INTERVAL_MS
        : false,
  });
  const isOutdated = data !== undefined && data.version !== version;
  useEffect(() => {
    if (!isOutdated || isFetching) return;
    const timer = setTimeout(refetch, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isOutdated, isFetching, refetch]);
  useReturn(lostSince !== undefined || copy !== undefined, () => {
    if (identifier !== '') void refetch();
  });
  const retryFeeds = useCallback(() => {
    feeds.signals.start();
    feeds.statuses.start();
  }, [feeds]);
  const hasFailed = follows && [signals, statuses].some(({ state }) => state === 'failed');
  // What is known is kept while the service is too busy for a check: starting a feed again reads it anew.
  const canRetry = hasFailed && error === null;
  useEffect(() => {
    if (!canRetry) return;
    const timer = setTimeout(retryFeeds, RECHECK_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [canRetry, retryFeeds]);
  const hasWaited = useHasWaited(scan);

  const bySignals = decideBySignals(
    identifier,
    found,
    follows ? (complete?.statuses ?? statuses.entries) : [],
  );
  // While older signals are still being read, only control is certain.
  const isCertain = complete !== undefined || bySignals.outcome === 'control';
  const known = follows && isCertain && bySignals.outcome !== 'unknown' ? bySignals : undefined;
  const isLost = error !== null || lostSince !== undefined;
  // The service may have more goods of the identifier, of which nothing has arrived.
  const waits = known?.outcome === 'release' && !hasWaited && !isLost;
  const earlier = isLost ? kept.get(identifier) : undefined;
  const checked = data ?? earlier;

  const release = (): Release | undefined => {
    if (checked !== undefined) {
      const isLast = checked === data && !isOutdated;
      return known === undefined || isLast ? checked.release : stricter(known, checked.release);
    }
    if (known !== undefined) return waits ? undefined : known;
    return isLost ? nothingKnown('unavailable') : undefined;
  };
  return {
    feeds,
    /** Starts the feeds again that have failed. */
    retryFeeds,
    /** The feed that is not live, if one of them is not. */
    feed: !follows ? undefined : signals.state === 'live' ? statuses : signals,
    release: identifier === '' ? undefined : release(),
    /** When the service was asked last for what is shown; `undefined` if what is shown has come by itself. */
    checkedAt: identifier === '' ? undefined : checked?.at,
    /** Since when it may be out of date; `undefined` while the service can be reached. */
    lostSince: lostSince && known === undefined && checked !== undefined ? checked.at : lostSince,
    /** Why the service refused the check. */
    refusal: error instanceof ApiError ? error : undefined,
  };
}

/** Calls a function when the page is left or hidden; after the latter the browser may end it. */
function useLeaving(leave: () => void): void {
  useEffect(() => {
    const hide = () => {
      if (document.hidden) leave();
    };
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
    };
  });
}

/** Whether the check of a scan has been waited for. */
function useHasWaited(scan: number): boolean {
  const [waited, setWaited] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setWaited(scan), CHECK_WAIT_MS);
    return () => clearTimeout(timer);
  }, [scan]);
  return waited === scan;
}

function keep(kept: Map<string, Checked>, identifier: string, checked: Checked): void {
  kept.delete(identifier);
  kept.set(identifier, checked);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
