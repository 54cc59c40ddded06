// What the gate knew of goods before a reload, as it is kept for a time without connection.
import type { RoutingSignal, ValidationStatus } from '@landfall/client';
import { ReleaseIndex } from '../../feeds/release-index.js';
import type { Release } from './decide-release.js';

/** A result of the service, and when it was given. */
export type Checked = { release: Release; at: Date };

/** What was known of goods. */
export type KnownGoods = {
  /** Results of the service by identifier. */
  checks: Map<string, Checked>;
  /** All signals and statuses, or none of them: from a part of them, goods could be released that go to control. */
  feeds: { releases: ReleaseIndex; statuses: readonly ValidationStatus[] } | undefined;
};

/** As JSON. */
type Kept = {
  checks: [identifier: string, release: Release, at: string][];
  signals?: readonly RoutingSignal[];
  statuses?: readonly ValidationStatus[];
};

/** What can be kept as JSON, the most useful first: with the feeds, and with the checks alone. */
export function describeKnownGoods({ checks, feeds }: KnownGoods): readonly unknown[] {
  const kept: Kept = {
    checks: [...checks].map(([identifier, { release, at }]) => [
      identifier,
      release,
      at.toISOString(),
    ]),
  };
  if (feeds === undefined) return [kept];
  const { releases, statuses } = feeds;
  return [{ ...kept, signals: releases.list(), statuses } satisfies Kept, kept];
}

/** Restores what was kept; nothing is known if that was something else. */
export function restoreKnownGoods(known: unknown): KnownGoods {
  // The cast is true because only this file makes what is kept for this page.
  const { checks = [], signals, statuses } = (known ?? {}) as Partial<Kept>;
  const restored = new Map(
    checks.map(([identifier, release, at]): [string, Checked] => [
      identifier,
      { release, at: new Date(at) },
    ]),
  );
  if (signals === undefined || statuses === undefined)
    return { checks: restored, feeds: undefined };
  const releases = new ReleaseIndex();
  for (const signal of signals) releases.add(signal);
  return { checks: restored, feeds: { releases, statuses } };
}
