// Applies the live profile to all undecided house consignments, step by step.
import type { AppliedRoutingProfile, LiveRoutingProfile } from '@landfall/client';

/** What was applied so far. `marker` is where the next step begins. */
export type Applied = {
  examined: number;
  decided: number;
  signals: number;
  marker?: string | undefined;
  isDone: boolean;
  /** Whether another version has gone live since it was confirmed. Then it stops. */
  hasChanged: boolean;
};

/** Nothing was applied yet. */
export const NOT_APPLIED: Applied = {
  examined: 0,
  decided: 0,
  signals: 0,
  isDone: false,
  hasChanged: false,
};

/** How many undecided house consignments one step examines. */
export const APPLY_STEP = 2_000;

/**
 * Applies the profile from where it was, until no undecided ones remain. A repeated step decides on nothing twice: it
 * examines undecided house consignments only. Throws what `apply` throws; then it can be continued from the last progress.
 *
 * @param expected the version that was confirmed
 * @param signal stops before the next step
 */
export async function applyProfile(
  apply: (marker: string | undefined) => Promise<AppliedRoutingProfile>,
  expected: LiveRoutingProfile,
  from: Applied,
  onProgress: (applied: Applied) => void,
  signal: AbortSignal,
): Promise<void> {
  let applied = from;
  while (!applied.isDone && !applied.hasChanged && !signal.aborted) {
    const step = await apply(applied.marker);
    applied = {
      examined: applied.examined + step.examined,
      decided: applied.decided + step.decided,
      signals: applied.signals + step.signals,
      marker: step.marker,
      isDone: step.marker === undefined,
      hasChanged: step.name !== expected.name || step.version !== expected.version,
    };
    onProgress(applied);
  }
}
